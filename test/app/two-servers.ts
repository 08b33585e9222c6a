/** Conversations over real HTTP, with a server of one's own and a hosted one, in a home and a project that go with each test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type ComposeOptions, type Composition, compose } from '../../app/compose.ts';
import type { Event, EventOf } from '../../core/types.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';

export interface TwoServers {
  readonly local: ModelServer;
  readonly hosted: ModelServer;
  /** Holds `home` and `project`. */
  readonly root: string;
  /** Headless unless `more` says otherwise; the hosted server is OpenAI's. */
  start(settings: object, env: Record<string, string>, more?: Partial<ComposeOptions>): Promise<Composition>;
}

/** To be called once, at the top of a test file. */
export function twoServers(): TwoServers {
  let local: ModelServer;
  let hosted: ModelServer;
  let root: string;
  const open: Composition[] = [];
  beforeAll(async () => {
    local = await startModelServer();
    hosted = await startModelServer();
  });
  afterAll(() => Promise.all([local.close(), hosted.close()]));
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ada-two-'));
    mkdirSync(join(root, 'home'));
    mkdirSync(join(root, 'project/.git'), { recursive: true });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ session }) => session.close()));
    rmSync(root, { recursive: true, force: true });
  });
  return {
    get local() {
      return local;
    },
    get hosted() {
      return hosted;
    },
    get root() {
      return root;
    },
    async start(settings, env, more) {
      writeFileSync(join(root, 'home/settings.json'), JSON.stringify(settings));
      const composition = await compose({
        cwd: join(root, 'project'),
        env: {
          HOME: root,
          ADA_HOME: join(root, 'home'),
          PATH: process.env.PATH,
          OPENAI_API_KEY: 'k',
          OPENAI_BASE_URL: `${hosted.url}/v1`,
          ...env,
        },
        headless: true,
        allow: [],
        deny: [],
        directories: [],
        offline: false,
        noSkills: true,
        trust: false,
        ...more,
      });
      open.push(composition);
      return composition;
    },
  };
}

/** One prompt; its events up to `done`. */
export async function turn({ session }: Composition, react?: (event: Event) => void): Promise<Event[]> {
  const events: Event[] = [];
  const stream = session.events();
  expect(session.send({ type: 'prompt', text: 'Say hello.' })).toEqual({ ok: true });
  for await (const event of stream) {
    events.push(event);
    react?.(event);
    if (event.type === 'done') break;
  }
  return events;
}

export const find = <T extends Event['type']>(events: readonly Event[], type: T) =>
  events.filter((event): event is EventOf<T> => event.type === type);
