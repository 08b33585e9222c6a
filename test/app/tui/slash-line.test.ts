import { describe, expect, it } from 'vitest';
import { slashCommands } from '../../../app/slash/index.ts';
import { noSuchCommand } from '../../../app/tui/slash-line.ts';

const names = slashCommands.map(({ name }) => name);

describe('a command that there is not', () => {
  it.each([
    ['modles', '/models'],
    ['hlep', '/help'],
    ['sesions', '/sessions'],
  ])('%s names a near one', (name, near) => {
    expect(noSuchCommand(name, names)).toContain(`the nearest is ${near} `);
  });
  it.each(['atuo', 'autp', 'rub', 'ak', 'login', 'nonsense', 'q', 'bug', 'config'])(
    '%s names none that is far, and none that allows more',
    (name) => {
      expect(noSuchCommand(name, names)).toBe(`there is no command /${name} (/help lists all)`);
    },
  );
});
