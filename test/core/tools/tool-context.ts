/** A real directory and the context that a session gives to its tools. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { coreTools, endJobs, resolveCall } from '../../../core/tools/index.ts';
import type { Tool, ToolContext, ToolOutput } from '../../../core/types.ts';

export interface TestContext extends ToolContext {
  id: string;
  cwd: string;
  readonly shown: string[];
  readonly abort: AbortController;
  /** Resolves a call as a model makes it, and runs it. */
  call(name: string, input: unknown): Promise<ToolOutput>;
}

const made: TestContext[] = [];

afterAll(async () => {
  for (const context of made) {
    await endJobs(context.memory);
    rmSync(context.project, { recursive: true, force: true });
  }
});

export function testContext(tools: readonly Tool[] = coreTools()): TestContext {
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'ada-tools-')));
  const abort = new AbortController();
  let calls = 0;
  const context: TestContext = {
    id: 'call',
    signal: abort.signal,
    abort,
    cwd: project,
    project,
    directories: [],
    stateDir: join(project, '.state', 'session'),
    todos: [],
    shown: [],
    memory: new Map(),
    setCwd: (dir) => {
      context.cwd = dir;
    },
    progress: (output) => {
      context.shown.push(output);
    },
    async call(name, input) {
      const resolved = resolveCall(name, input, tools);
      if ('error' in resolved) return { output: resolved.error, isError: true };
      context.id = `call-${++calls}`;
      return resolved.tool.run(resolved.input, context);
    },
  };
  made.push(context);
  return context;
}
