/** Variables of the environment that may be secrets, printed by other ways than `echo`. */
import { expect, test } from 'vitest';
import { makeSmallProject } from './small-project.ts';

const { verdict } = makeSmallProject();

test.each([
  `expr "$API_KEY" : '.*'`,
  'basename "$API_KEY"',
  'dirname "/$API_KEY"',
  'yes "$API_KEY" | head -1',
  'grep x <<< "$API_KEY"',
  'grep -ec <<< "$API_KEY"',
  'rg . <<< "$API_KEY"',
  'rev <<< $API_KEY',
  'base64 <<< "$API_KEY"',
  'tr a b <<< "$API_KEY"',
  'sed s/a/b/ <<< "$API_KEY"',
  'xargs echo <<< "$API_KEY"',
  'od -c << E\n$API_KEY\nE',
  ': "$' + '{X:?$API_KEY}"',
])('%s asks', async (command) => {
  expect(await verdict(command)).toBe('ask');
});

test.each([
  'grep -q x <<< "$API_KEY"',
  'wc -c <<< "$API_KEY"',
  'test -n "$API_KEY"',
  ': "$' + '{API_KEY:?is not set}"',
  'expr 1 + 2',
  'basename "$PWD"',
  'tr a b <<< "$HOME"',
  'rev <<< abc',
  'API_KEY=x; rev <<< "$API_KEY"',
  'sed s/a/b/ << E\nx\nE',
])('%s is allowed', async (command) => {
  expect(await verdict(command)).toBe('allow');
});
