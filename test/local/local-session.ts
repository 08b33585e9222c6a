/** A session composed as a door composes it, in a folder of its own, on a scripted server of local models. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type ComposeOptions, type Composition, compose } from '../../app/compose.ts';
import type { Event, EventOf } from '../../core/types.ts';
import { type WireName, wireEnv } from '../e2e/ada.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import { defaultModel } from '../fakes/script.ts';

const NOWHERE = 'http://127.0.0.1:9';

export let server: ModelServer;
/** Folder of the project. */
export let project: string;
let root: string;
const open: Composition[] = [];

beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ada-local-'));
  project = join(root, 'project');
  mkdirSync(join(root, 'home'));
  mkdirSync(join(project, '.git'), { recursive: true });
  write('a.txt', 'alpha\n');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ session }) => session.close()));
  rmSync(root, { recursive: true, force: true });
});

/** Writes a file of the project. */
export function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

export interface StartOptions extends Partial<ComposeOptions> {
  /** How the server is spoken to; `lmstudio`: as another local server would be. */
  wire?: WireName | 'lmstudio';
  /** Of the person. */
  settings?: object;
}

/** A session in auto mode, unless told otherwise, with nobody to ask. */
export async function start({ wire = 'ollama', settings = {}, ...more }: StartOptions = {}): Promise<Composition> {
  writeFileSync(join(root, 'home/settings.json'), JSON.stringify(settings));
  const { ADA_MODEL: model, ...address } =
    wire === 'lmstudio'
      ? { LMSTUDIO_BASE_URL: `${server.url}/v1`, ADA_MODEL: `lmstudio/${defaultModel.name}`, OLLAMA_HOST: NOWHERE }
      : wireEnv(wire, server.url);
  const composition = await compose({
    cwd: project,
    env: { HOME: root, ADA_HOME: join(root, 'home'), PATH: process.env.PATH, ...address },
    model,
    mode: 'auto',
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
}

/** Sends a prompt and gives what happens up to `done`; `react` may act on the way. */
export async function turn(
  { session }: Composition,
  text = 'Do it.',
  react?: (event: Event) => void,
): Promise<Event[]> {
  const events: Event[] = [];
  const stream = session.events();
  expect(session.send({ type: 'prompt', text })).toEqual({ ok: true });
  for await (const event of stream) {
    events.push(event);
    react?.(event);
    if (event.type === 'done') break;
  }
  return events;
}

export const find = <T extends Event['type']>(events: readonly Event[], type: T) =>
  events.filter((event): event is EventOf<T> => event.type === type);

/** Names and inputs of the calls that were made. */
export const callsOf = (events: readonly Event[]) => find(events, 'tool_call').map(({ name, input }) => [name, input]);

/** All that a person sees of the answers. */
export const shown = (events: readonly Event[]): string =>
  [...find(events, 'text'), ...find(events, 'reasoning')].map(({ delta }) => delta).join('');

export const doneOf = (events: readonly Event[]) => find(events, 'done')[0]!;
