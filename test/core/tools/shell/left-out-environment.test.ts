/** Settings of the environment under which a command would do another thing than its words say. */
import { expect, it } from 'vitest';
import { coreTools } from '../../../../core/tools/index.ts';
import { testContext } from '../tool-context.ts';

it('do not reach commands', async () => {
  const names = ['RIPGREP_CONFIG_PATH', 'GREP_OPTIONS', 'TAR_OPTIONS', 'LESSOPEN', 'CDPATH', 'GIT_EXTERNAL_DIFF'];
  const given = Object.fromEntries(names.map((name) => [name, '/own']));
  const context = testContext(coreTools({ env: { ...process.env, ...given, OWN_SETTING: 'kept' } }));
  const { output } = await context.call('bash', { command: `env | grep -E '^(${names.join('|')}|OWN_SETTING)='` });
  expect(output).toBe('OWN_SETTING=kept');
});
