import { expect, it } from 'vitest';
import { isOffline } from '../../app/offline.ts';
import { isSwitchedOn, saysYes } from '../../core/environment-switch.ts';
import { loadSettings } from '../../core/settings.ts';

it.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  [' ', false],
  ['0', false],
  ['false', false],
  ['No', false],
  ['OFF', false],
  ['1', true],
  ['true', true],
  ['TRUE', true],
  ['yes', true],
  [' on ', true],
  ['2', true],
  ['please', true],
])('what closes, as %j, is %s', (value, on) => {
  expect(isSwitchedOn(value)).toBe(on);
  expect(isOffline(false, { ADA_OFFLINE: value })).toBe(on);
  expect(isOffline(true, { ADA_OFFLINE: value })).toBe(true);
});

it('what allows needs a clear yes', () => {
  expect(['1', 'true', 'Yes', 'ON'].map(saysYes)).toEqual([true, true, true, true]);
  expect([undefined, '', '0', 'false', 'no', 'off'].map(saysYes)).toEqual([false, false, false, false, false, false]);
  expect(['2', 'nope'].map(saysYes)).toEqual([undefined, undefined]);
});

it('ADA_AUTO_APPROVE is auto mode, and a word that is neither yes nor no is named', () => {
  const load = (value: string) =>
    loadSettings({ adaHome: '/nowhere', project: '/nowhere', trusted: false, env: { ADA_AUTO_APPROVE: value } });
  expect(load('true').settings.mode).toBe('auto');
  expect(load('off')).toMatchObject({ problems: [] });
  expect(load('maybe').settings.mode).not.toBe('auto');
  expect(load('maybe').problems).toEqual([expect.stringContaining('ADA_AUTO_APPROVE=maybe')]);
});
