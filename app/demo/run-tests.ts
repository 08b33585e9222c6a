/** Runs the sample's own tests, so that the demonstration is judged by them and not by what the model says. */
import { spawn } from 'node:child_process';

export interface TestRun {
  green: boolean;
  passed: number;
  failed: number;
}

/** Runs `node --test` in a folder; a run that counts no test at all is not green. */
export async function runTests(cwd: string, env: NodeJS.ProcessEnv): Promise<TestRun> {
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const counts = countTests(output);
  return { green: code === 0 && counts.passed > 0 && counts.failed === 0, ...counts };
}

/** The totals that Node's test runner prints at the end, in either of its two forms. */
export function countTests(output: string): { passed: number; failed: number } {
  const count = (name: string) => Number(new RegExp(`^(?:#|ℹ) ${name} (\\d+)`, 'm').exec(output)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail') };
}
