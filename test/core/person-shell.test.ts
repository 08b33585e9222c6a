/** Commands that the person types into the conversation. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLog } from '../../core/parse-log.ts';
import type { Session } from '../../core/session.ts';
import type { Command, Event } from '../../core/types.ts';
import { dir, find, start, turn } from './scripted-session.ts';

async function shell(session: Session, command: string, more: Partial<Command> = {}): Promise<Event[]> {
  const events: Event[] = [];
  const stream = session.events();
  expect(session.send({ type: 'shell', command, ...more } as Command)).toEqual({ ok: true });
  for await (const event of stream) {
    events.push(event);
    if (event.type === 'activity' && event.doing === null) break;
  }
  return events;
}
const textOf = (value: unknown) => JSON.stringify(value);

describe('a command of the person', () => {
  it('runs without asking in any mode, and the next request tells of it', async () => {
    const { session, requests } = start([{ text: 'I see.' }], { mode: 'plan' });
    const events = await shell(session, 'echo made > made.txt; cat a.txt');
    expect(readFileSync(join(dir, 'made.txt'), 'utf8')).toBe('made\n');
    expect(events.map(({ type }) => type)).not.toContain('approval_request');
    expect(find(events, 'tool_result')[0]).toMatchObject({ name: 'bash', output: 'alpha', isError: false });
    expect(session.state).toMatchObject({ running: false, mode: 'plan', openCalls: [] });
    await turn(session, 'What was that?');
    const { messages } = requests[0]!;
    expect(textOf(messages)).toContain('The person ran this command in');
    expect(textOf(messages)).toContain('alpha');
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
  });

  it('is kept from the model where the person wants that', async () => {
    const { session, requests } = start([{ text: 'Yes.' }]);
    const events = await shell(session, 'echo apart', { apart: true });
    expect(find(events, 'tool_result')[0]).toMatchObject({ output: 'apart' });
    await turn(session, 'Go on.');
    expect(textOf(requests)).not.toContain('apart');
  });

  it('moves the working directory, and says how it failed', async () => {
    const { session } = start([{ text: 'Yes.' }]);
    await shell(session, 'mkdir sub && cd sub');
    expect(session.state.cwd).toBe(join(dir, 'sub'));
    const events = await shell(session, 'false');
    expect(find(events, 'tool_result')[0]).toMatchObject({ isError: true });
    expect(find(events, 'note')[0]?.text).toContain('exit code 1');
  });

  it('hides secrets from the log and the model', async () => {
    const { session, requests } = start([{ text: 'Yes.' }]);
    const key = `sk-ant-api03-${'a1B2'.repeat(20)}`;
    await shell(session, `true ${key}`);
    await shell(session, `echo ${key.slice(0, 20)}''${key.slice(20)}`);
    await turn(session, 'Go on.');
    expect(readFileSync(session.file, 'utf8')).not.toContain(key);
    expect(textOf(requests)).not.toContain(key);
  });

  it('waits for the running turn, and is ended by an interruption', async () => {
    const { session } = start([{ hang: true }]);
    session.send({ type: 'prompt', text: 'Work.' });
    expect(session.send({ type: 'shell', command: 'echo no' })).toEqual({ ok: false, reason: 'busy' });
    expect(session.send({ type: 'shell', command: ' ' })).toMatchObject({ ok: false });
    session.send({ type: 'abort' });
    for await (const event of session.events(undefined, 1)) if (event.type === 'done') break;

    const running = shell(session, 'sleep 60; echo late > late.txt');
    for await (const event of session.events(undefined, 1)) {
      if (event.type === 'tool_call') break;
    }
    session.send({ type: 'abort' });
    const events = await running;
    expect(find(events, 'tool_result')[0]?.output).toMatch(/interrupted by the user/i);
    expect(existsSync(join(dir, 'late.txt'))).toBe(false);
  });

  it('that died with its process is ended when the session is opened again', async () => {
    const { session } = start([{ text: 'Yes.' }]);
    await turn(session, 'Hi.');
    await session.close();
    const { events } = readLog(session.file);
    const call = { type: 'tool_call', id: 'person_9', name: 'bash', detail: 'make', input: { command: 'make' } };
    appendFileSync(session.file, `${JSON.stringify({ ...call, seq: events.at(-1)!.seq + 1, time: 1 })}\n`);
    const again = start([{ text: 'Yes.' }]).session;
    expect(again.state.openCalls).toEqual([]);
    expect(readLog(session.file).events.at(-1)).toMatchObject({ type: 'tool_result', id: 'person_9', isError: true });
  });
});
