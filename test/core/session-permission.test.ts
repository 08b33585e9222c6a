import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPermissions } from '../../core/permission/permission.ts';
import { coreTools, lateTools } from '../../core/tools/index.ts';
import { dir, find, type Said, start, turn } from './scripted-session.ts';

describe('what a session asks and remembers', () => {
  it('asks in ask mode and does what the answer says', async () => {
    const write: Said = { calls: [['write_file', { path: 'new.txt', content: 'x\n' }]] };
    const { session } = start([write, { text: 'no then' }, write, { text: 'done' }], { mode: 'ask' });
    const no = await turn(session, 'go', (event) => {
      if (event.type !== 'approval_request') return;
      expect(session.state.waiting).toHaveLength(1);
      expect(session.send({ type: 'approve', id: event.id, decision: 'no', reason: 'use another name' }).ok).toBe(true);
    });
    expect(find(no, 'tool_result')[0]).toMatchObject({
      isError: true,
      output: expect.stringContaining('use another name'),
    });
    expect(find(no, 'done')[0]!.denials).toMatchObject([{ name: 'write_file', reason: 'use another name' }]);
    const all = await turn(session, 'again', (event) => {
      if (event.type === 'approval_request') session.send({ type: 'approve', id: event.id, decision: 'all' });
    });
    expect(readFileSync(join(dir, 'new.txt'), 'utf8')).toBe('x\n');
    expect(find(all, 'mode')).toMatchObject([{ value: 'auto' }]);
    expect(session.send({ type: 'approve', id: 'nobody', decision: 'yes' })).toEqual({
      ok: false,
      reason: 'unknown_id',
    });
  });

  it('asks nobody when headless: what would ask is denied and listed', async () => {
    const { session } = start([{ calls: [['write_file', { path: 'new.txt', content: 'x' }]] }, { text: 'ok' }], {
      mode: 'ask',
      headless: true,
    });
    const events = await turn(session, 'go');
    expect(find(events, 'approval')).toMatchObject([{ decision: 'no', by: 'headless' }]);
    expect(find(events, 'done')[0]!.denials).toHaveLength(1);
  });

  it('changes nothing in plan mode', async () => {
    const { session } = start([{ calls: [['write_file', { path: 'new.txt', content: 'x' }]] }, { text: 'a plan' }], {
      mode: 'plan',
    });
    const events = await turn(session, 'go');
    expect(find(events, 'approval')).toMatchObject([{ decision: 'no', by: 'mode' }]);
    expect(find(events, 'approval_request')).toEqual([]);
  });

  it('remembers a rule for the session across a restart', async () => {
    const write = (path: string): Said => ({ calls: [['write_file', { path, content: 'x' }]] });
    const first = start([write('n.txt'), { text: 'ok' }], { mode: 'ask' });
    const events = await turn(first.session, 'go', (event) => {
      if (event.type === 'approval_request')
        first.session.send({ type: 'approve', id: event.id, decision: 'yes', remember: 'session' });
    });
    expect(find(events, 'approval')).toMatchObject([{ decision: 'yes', scope: 'session', rule: expect.any(String) }]);
    await first.session.close();
    const second = start([write('n.txt'), { text: 'ok' }], { mode: 'ask' });
    expect(find(await turn(second.session, 'go'), 'approval_request')).toEqual([]);
  });

  it('forgets a rule for good when it is taken back', async () => {
    const write: Said = { calls: [['write_file', { path: 'n.txt', content: 'x' }]] };
    const first = start([write, { text: 'ok' }], { mode: 'ask' });
    await turn(first.session, 'go', (event) => {
      if (event.type === 'approval_request')
        first.session.send({ type: 'approve', id: event.id, decision: 'yes', remember: 'session' });
    });
    const [rule] = first.session.state.rules;
    expect(first.session.send({ type: 'forget', rule: 'bash(no such)' })).toEqual({ ok: false, reason: 'unknown_id' });
    expect(first.session.send({ type: 'forget', rule: rule! })).toEqual({ ok: true });
    expect(first.session.state.rules).toEqual([]);
    await first.session.close();
    const second = start([write, { text: 'ok' }], { mode: 'ask' });
    const events = await turn(second.session, 'go', (event) => {
      if (event.type === 'approval_request') second.session.send({ type: 'approve', id: event.id, decision: 'no' });
    });
    expect(find(events, 'approval_request')).toHaveLength(1);
  });

  it('asks nobody about a write or a patch that cannot be made', async () => {
    const patch = '*** Begin Patch\n*** Update File: none.txt\n@@\n-a\n+b\n*** End Patch';
    const calls: Said['calls'] = [
      ['write_file', { path: 'sub', content: 'x' }],
      ['apply_patch', { patch }],
    ];
    mkdirSync(join(dir, 'sub'));
    const { session } = start([{ calls }, { text: 'ok' }], { mode: 'ask', tools: [...coreTools(), ...lateTools({})] });
    const events = await turn(session, 'go');
    expect(find(events, 'approval_request')).toEqual([]);
    const results = find(events, 'tool_result');
    expect(results.map(({ output }) => output)).toEqual([
      'sub was not written: it is a directory.',
      expect.stringContaining('none.txt does not exist'),
    ]);
  });

  it('asks nobody about an edit that cannot be made', async () => {
    const edits: Said = {
      calls: [
        ['edit_file', { path: 'a.txt', old: 'no such text', new: 'x' }],
        ['edit_file', { path: 'a.txt', new: 'x' }],
        ['edit_file', { path: 'a.txt', old: 'alpha', new: 'beta' }],
      ],
    };
    const { session } = start([edits, { text: 'ok' }], { mode: 'ask' });
    const events = await turn(session, 'go', (event) => {
      if (event.type === 'approval_request') session.send({ type: 'approve', id: event.id, decision: 'yes' });
    });
    expect(find(events, 'approval_request').map(({ input }) => input.old)).toEqual(['alpha']);
    expect(find(events, 'tool_result').map(({ isError }) => isError)).toEqual([true, true, false]);
  });

  it('takes back for this session what cannot be taken back for good', async () => {
    const adaHome = join(dir, 'rules');
    const rules = { allow: [], ask: [], deny: [] };
    const permissions = createPermissions({ project: dir, directories: [], ...rules, home: '/nonexistent', adaHome });
    permissions.remember('bash(touch *)', 'project');
    // A folder in the place of the file that is written first.
    const folder = join(adaHome, 'permissions');
    const [name] = readdirSync(folder);
    mkdirSync(join(folder, `${name}.${process.pid}.tmp`));
    const { session } = start([{ text: 'ok' }], { permissions, mode: 'ask' });
    expect(session.send({ type: 'forget', rule: 'bash(touch *)' })).toEqual({ ok: true });
    expect(permissions.listRemembered().map(({ rule }) => rule)).not.toContain('bash(touch *)');
    expect(session.send({ type: 'forget', rule: 'bash(touch *)' })).toEqual({ ok: false, reason: 'unknown_id' });
    const notices = find([...session.stored()], 'notice').map(({ text }) => text);
    expect(notices).toEqual([expect.stringMatching(/^that rule is taken back for this session alone/)]);
  });

  it('takes an always that cannot be saved for this session', async () => {
    const taken = join(dir, 'taken');
    writeFileSync(taken, '');
    const rules = { allow: [], ask: [], deny: [] };
    const permissions = createPermissions({
      project: dir,
      directories: [],
      ...rules,
      home: '/nonexistent',
      adaHome: taken,
    });
    const write: Said = { calls: [['bash', { command: 'touch made.txt' }]] };
    const { session } = start([write, write, { text: 'ok' }], { permissions, mode: 'ask' });
    const events = await turn(session, 'go', (event) => {
      if (event.type === 'approval_request')
        session.send({ type: 'approve', id: event.id, decision: 'yes', remember: 'project' });
    });
    expect(find(events, 'approval_request')).toHaveLength(1);
    expect(find(events, 'notice').map(({ text }) => text)).toEqual([
      expect.stringMatching(/this session alone.*cannot be saved/),
    ]);
    expect(find(events, 'tool_result').map(({ isError }) => isError)).toEqual([false, false]);
  });
});
