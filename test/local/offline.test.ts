/** Offline by the flag or by the variable, however that is written: said at the start, and nothing leaves. */
import { expect, it } from 'vitest';
import { OFFLINE_NOTICE } from '../../app/offline.ts';
import { project, server, start, turn } from './local-session.ts';

const env = (value: string) => ({
  HOME: project,
  ADA_HOME: `${project}/home`,
  PATH: process.env.PATH,
  OLLAMA_HOST: server.url,
  ANTHROPIC_API_KEY: 'key',
  ANTHROPIC_BASE_URL: 'http://anthropic.invalid',
  ADA_OFFLINE: value,
});

it('is said once, with what it does not promise', async () => {
  const ada = await start({ offline: true });
  expect(ada.notices.filter((one) => one === OFFLINE_NOTICE)).toHaveLength(1);
  expect(ada.offline).toBe(true);
  const online = await start();
  expect(online.notices).not.toContain(OFFLINE_NOTICE);
  expect(online.offline).toBe(false);
});

it.each(['1', 'true', 'YES', 'on'])('ADA_OFFLINE=%s closes what is not this machine', async (value) => {
  server.set({ turns: [{ text: 'Here.' }] });
  const refused = start({ env: env(value), model: 'anthropic/claude-sonnet-4-5' });
  await expect(refused).rejects.toThrow(/offline/);
  await expect(refused).rejects.toMatchObject({ notices: [OFFLINE_NOTICE] });
  const ada = await start({ env: env(value), model: undefined });
  expect(ada).toMatchObject({ offline: true, notices: expect.arrayContaining([OFFLINE_NOTICE]) });
  await turn(ada);
  expect(server.chats()).toHaveLength(1);
});

it('ADA_OFFLINE=off closes nothing', async () => {
  expect((await start({ env: env('off'), model: undefined })).offline).toBe(false);
});
