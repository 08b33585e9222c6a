/** Scores one patch on this machine, without a container, in the way of the official scorer. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.ts';
import { type Instance, patchedFiles } from './dataset.ts';
import { type EnvironmentOptions, testEnvironments } from './environment.ts';
import { git, tryGit } from './git.ts';
import type { Evaluation } from './report.ts';
import { parseTestOutput } from './test-output.ts';
import { makeWorkspace, type Workspace, WorkspaceError } from './workspace.ts';

export interface EvaluateOptions extends EnvironmentOptions {
  repos: string | null;
  /** Receives the output of each test run: `model` with the patch, `reference` with the data set's own. */
  keepLog?(name: 'model' | 'reference', text: string): void;
}

interface TestRun {
  /** Tests with a result. */
  ran: number;
  timedOut: boolean;
  /** Tests that should pass and did not. */
  failed: readonly string[];
}

/**
 * Applies the patch and the hidden tests to the base commit and runs them: `resolved` when every test of FAIL_TO_PASS
 * and PASS_TO_PASS passes. Otherwise the reference patch is tried in the same place; where that fails too, the
 * environment is to blame and the verdict is `not_run`. The tests run with the rights of the caller.
 */
export async function evaluate(instance: Instance, modelPatch: string, options: EvaluateOptions): Promise<Evaluation> {
  const started = performance.now();
  const wanted = [...instance.FAIL_TO_PASS, ...instance.PASS_TO_PASS];
  const verdict = (is: Evaluation['verdict'], reason: string | null, failed: readonly string[] = []): Evaluation => ({
    instance_id: instance.instance_id,
    verdict: is,
    reason,
    failed,
    passed: is === 'not_run' ? 0 : wanted.length - failed.length,
    durationMs: Math.round(performance.now() - started),
  });
  const command = testCommand(instance);
  if (instance.FAIL_TO_PASS.length === 0) return verdict('not_run', 'the instance names no FAIL_TO_PASS tests');
  if (command === null) return verdict('not_run', 'the instance has no test_cmd, and none follows from its test names');

  let workspace: Workspace;
  let environments: readonly NodeJS.ProcessEnv[];
  try {
    workspace = await makeWorkspace(instance, { ...options, folder: join(options.scratch, 'evaluate') });
    environments = await testEnvironments(workspace.folder, command, options);
  } catch (error) {
    if (error instanceof WorkspaceError) return verdict('not_run', error.message);
    throw error;
  }
  const at = { cwd: workspace.folder, env: options.env };
  let outcome = verdict('not_run', 'there is nothing to run the tests with');
  for (const env of environments) {
    outcome = await scoreIn(env);
    if (outcome.verdict !== 'not_run') break;
  }
  return outcome;

  async function scoreIn(env: NodeJS.ProcessEnv): Promise<Evaluation> {
    const model = await runTests('model', modelPatch, env);
    if (model === 'patch') return verdict('unresolved', 'the patch does not apply to the base commit', wanted);
    if (model === 'tests') return verdict('not_run', 'the test patch does not apply');
    if (model.failed.length === 0) return verdict('resolved', null);
    const few = model.failed.slice(0, 3).join(', ');
    const why = model.timedOut
      ? `the tests did not end within ${options.timeoutSeconds} s`
      : model.ran === 0
        ? 'no test ran'
        : `${model.failed.length} of ${wanted.length} tests fail: ${few}`;

    if (instance.patch === '') {
      if (model.ran > 0) return verdict('unresolved', why, model.failed);
      return verdict('not_run', `${why}; without a reference patch nothing can be said`);
    }
    const reference = await runTests('reference', instance.patch, env);
    if (typeof reference === 'string') return verdict('not_run', 'the reference patch does not apply');
    // Tests that fail with the reference too say nothing about the patch; one that should begin to pass must.
    const broken = new Set(reference.failed);
    if (instance.FAIL_TO_PASS.some((name) => broken.has(name))) {
      return verdict('not_run', `the reference patch fails here too (${broken.size} of ${wanted.length} tests)`);
    }
    const failed = model.failed.filter((name) => !broken.has(name));
    const passed = wanted.length - broken.size - failed.length;
    if (failed.length > 0) return { ...verdict('unresolved', why, failed), passed };
    return { ...verdict('resolved', `${broken.size} of the tests fail with the reference patch too`), passed };
  }

  /** Starts from the base commit; gives the name of the patch that does not apply. */
  async function runTests(
    name: 'model' | 'reference',
    patch: string,
    env: NodeJS.ProcessEnv,
  ): Promise<TestRun | 'patch' | 'tests'> {
    await git(['reset', '-q', '--hard', workspace.base], at);
    await git(['clean', '-qfd'], at); // ignored folders stay: node_modules
    if (!(await applyPatch(patch))) return 'patch';
    for (const file of patchedFiles(instance.test_patch)) {
      // A file that the tests bring themselves is not there at the base commit.
      const back = await tryGit(['checkout', '-q', workspace.base, '--', file], at);
      if (back.code !== 0) rmSync(join(workspace.folder, file), { force: true });
    }
    if (!(await applyPatch(instance.test_patch))) return 'tests';
    const lines: string[] = [];
    const { timedOut } = await runChild('bash', ['-c', command!], {
      cwd: workspace.folder,
      env,
      timeoutMs: options.timeoutSeconds * 1000,
      signal: options.signal,
      onLine: (line) => lines.push(line),
    });
    options.signal?.throwIfAborted();
    const output = lines.join('\n');
    options.keepLog?.(name, `$ ${command}\n${output}\n`);
    const results = parseTestOutput(output);
    return { ran: results.size, timedOut, failed: wanted.filter((test) => results.get(test) !== 'passed') };
  }

  async function applyPatch(patch: string): Promise<boolean> {
    if (patch.trim() === '') return true;
    const input = patch.endsWith('\n') ? patch : `${patch}\n`;
    for (const way of [[], ['--3way']]) {
      if ((await tryGit(['apply', ...way, '--whitespace=nowarn', '-'], { ...at, input })).code === 0) return true;
    }
    return false;
  }
}

/** The instance's own command, or pytest where every test is named in its way. Null when there is none. */
export function testCommand(instance: Instance): string | null {
  const files = instance.test_files.length > 0 ? instance.test_files : patchedFiles(instance.test_patch);
  const pytest = instance.FAIL_TO_PASS.every((name) => /^\S+\.py::/.test(name))
    ? 'python -m pytest -q -rA -p no:cacheprovider {test_files}'
    : null;
  const command = instance.test_cmd ?? pytest;
  if (command === null) return null;
  const filled = command.replaceAll(
    '{test_files}',
    files.map((file) => `'${file.replaceAll("'", "'\\''")}'`).join(' '),
  );
  // jest prints the names of passing tests only when asked, if there is more than one file.
  return /\bjest\b/.test(filled) && !filled.includes('--verbose') ? `${filled} --verbose` : filled;
}
