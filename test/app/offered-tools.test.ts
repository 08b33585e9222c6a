/** Which tools a model is shown is decided when its session begins, and stays so. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compose } from '../../app/compose.ts';
import { startModelServer } from '../fakes/model-server.ts';

it('a model that was trained on apply_patch has it from the start, and another that takes over sees the same', async () => {
  const models = [{ name: 'gpt-5.2' }, { name: 'gpt-4o' }];
  const server = await startModelServer({ turns: [{ text: 'Hello.' }], models });
  const root = mkdtempSync(join(tmpdir(), 'ada-tools-'));
  mkdirSync(join(root, 'project/.git'), { recursive: true });
  const sent = async (model: string, resume?: string) => {
    const { session } = await compose({
      cwd: join(root, 'project'),
      env: {
        HOME: root,
        ADA_HOME: root,
        PATH: process.env.PATH,
        OPENAI_BASE_URL: `${server.url}/v1`,
        OPENAI_API_KEY: 'k',
      },
      model,
      resume,
      headless: true,
      allow: [],
      deny: [],
      directories: [],
      offline: false,
      noSkills: true,
      trust: false,
    });
    const events = session.events();
    session.send({ type: 'prompt', text: 'Say hello.' });
    for await (const event of events) if (event.type === 'done') break;
    await session.close();
    const { tools, messages } = server.chats().at(-1)!.body;
    return { id: session.id, names: tools.map((tool: any) => tool.function.name), system: messages[0].content };
  };
  const trained = await sent('openai/gpt-5.2');
  expect(trained.names).toContain('apply_patch');
  expect(trained.system).not.toContain('- apply_patch:');
  const other = await sent('openai/gpt-4o');
  expect(other.names).not.toContain('apply_patch');
  expect(other.system).toContain('- apply_patch:');
  const resumed = await sent('openai/gpt-4o', trained.id);
  expect(resumed).toEqual(trained);
  await server.close();
  rmSync(root, { recursive: true, force: true });
});
