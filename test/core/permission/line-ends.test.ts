/** Commands whose lines end as on other systems. */
import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';
import { makeSmallProject } from './small-project.ts';

const { project, home } = makeSmallProject();
const judge = (command: string) => judgeCommand(command, { cwd: project, project, home, mode: 'auto' });

describe('a carriage return', () => {
  test.each([
    ['ls\r\ncat README.md', 'read'],
    ['ls\r\ncat README.md\r\n', 'read'],
    ['cat <<END\r\ntext\r\nEND\r\n', 'read'],
    ['if true; then\r\n  ls\r\nfi\r\n', 'read'],
    ['cd src\r\ncat ../../x\r\n', 'outside'],
    ['ls\r\nrm -rf src\r\n', 'destructive'],
    // Alone it is no end of a line.
    ['ls\rrm -rf src', 'hidden'],
    ['ls\r', 'hidden'],
    ['ls\r\r\npwd', 'hidden'],
    ['echo a\rb', 'hidden'],
  ])('%j is %s', async (command, expected) => expect((await judge(command)).class).toBe(expected));
});
