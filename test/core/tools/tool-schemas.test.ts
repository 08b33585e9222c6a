import { describe, expect, it } from 'vitest';
import { systemPrompt } from '../../../core/prompt.ts';
import { coreTools, lateTools, resolveCall } from '../../../core/tools/index.ts';
import { compactSchemas } from '../../../core/tools/tool-schemas.ts';

/** A request's system prompt and tools as Ollama gets them. */
const bytes = (system: string, tools: readonly object[]): number =>
  Buffer.byteLength(
    JSON.stringify({
      messages: [{ role: 'system', content: system }],
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
    }),
  );

describe('the compact profile', () => {
  const core = coreTools();
  const tools = compactSchemas(core);
  const system = systemPrompt({
    cwd: '/home/somebody/projects/example',
    platform: 'linux',
    mode: 'ask',
    lateTools: [
      ...lateTools({}),
      ...['list_skills', 'find_skill', 'use_skill'].map((name) => ({ name, description: '' })),
    ],
    instructions: [],
    compact: true,
  });

  it('keeps system prompt and tools within 2,500 bytes', () => {
    expect(bytes(system, tools)).toBeLessThanOrEqual(2_500);
  });

  it('names the same tools in the same order', () => {
    expect(tools.map(({ name }) => name)).toEqual(core.map(({ name }) => name));
  });

  it('names only fields that the tools really take, and all that they need', () => {
    const examples: Record<string, Record<string, unknown>> = {
      read_file: { path: 'a', offset: 1, limit: 2 },
      write_file: { path: 'a', content: 'b' },
      edit_file: { path: 'a', old: 'b', new: 'c' },
      bash: { command: 'true', timeout: 3 },
      ls: { path: '.' },
      glob: { pattern: '*' },
      update_todos: { items: [{ text: 'a', status: 'done' }] },
      grep: { pattern: 'x', path: '.' },
    };
    for (const { name, parameters } of tools) {
      const example = examples[name];
      if (!example) continue;
      expect(Object.keys(parameters.properties as object)).toEqual(Object.keys(example));
      expect(resolveCall(name, example, core)).toMatchObject({ input: example });
    }
  });
});
