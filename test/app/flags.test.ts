import { describe, expect, test } from 'vitest';
import { type Flags, parseFlags } from '../../app/flags.ts';

function check(
  line: string | readonly string[],
  expected: { command?: string; flags?: Flags; rest?: readonly string[] },
) {
  const argv = typeof line === 'string' ? line.split(' ').filter(Boolean) : line;
  expect(parseFlags(argv)).toEqual({ command: 'chat', flags: {}, rest: [], ...expected });
}

function refused(line: string | readonly string[], ...parts: readonly string[]) {
  const argv = typeof line === 'string' ? line.split(' ').filter(Boolean) : line;
  const parsed = parseFlags(argv);
  expect(parsed).toHaveProperty('usage');
  const { usage } = parsed as { usage: string };
  for (const part of parts) expect(usage).toContain(part);
  expect(usage).not.toContain('\n');
}

describe('prompts', () => {
  test('the prompt is what is not a flag, wherever it stands', () => {
    check(['-p', 'say hi'], { flags: { print: true }, rest: ['say hi'] });
    check(['say hi', '-p', '-m', 'x'], { flags: { print: true, model: 'x' }, rest: ['say hi'] });
    check(['--print', '--mode', 'plan', 'a b'], { flags: { print: true, mode: 'plan' }, rest: ['a b'] });
    check(['--print=say hi'], { flags: { print: true }, rest: ['say hi'] });
    check('', {});
  });
  test('-- ends the flags, and the commands', () => {
    check(['-p', '--', '--mode', '-x'], { flags: { print: true }, rest: ['--mode', '-x'] });
    check(['--', 'sessions'], { rest: ['sessions'] });
  });
  test('text that only begins like a flag is a prompt', () => {
    check(['-p', '- first item'], { flags: { print: true }, rest: ['- first item'] });
    check(['-p', '--why does this fail?'], { flags: { print: true }, rest: ['--why does this fail?'] });
  });
  test('a lone - is standard input', () => check('-p -', { flags: { print: true } }));
  test('a word after --print is a prompt, whatever it is', () => {
    check('-p sessions', { flags: { print: true }, rest: ['sessions'] });
    check('-p sesions', { flags: { print: true }, rest: ['sesions'] });
  });
});

describe('values', () => {
  test.each<[string, Flags]>([
    ['--model a', { model: 'a' }],
    ['--model=a', { model: 'a' }],
    ['-m a', { model: 'a' }],
    ['-ma', { model: 'a' }],
    ['-m=a', { model: 'a' }],
    ['--model=a=b', { model: 'a=b' }],
    ['-pc', { print: true, continue: true }],
    ['-pm a', { print: true, model: 'a' }],
    ['--max-turns 3', { 'max-turns': 3 }],
    ['--max-cost 0.5', { 'max-cost': 0.5 }],
    ['--timeout=1.5', { timeout: 1.5 }],
    ['--allow bash(ls) --allow read_file', { allow: ['bash(ls)', 'read_file'] }],
    ['--allowed-tools a,b --allowed-tools c', { 'allowed-tools': ['a', 'b', 'c'] }],
    ['--yolo', { yolo: true, mode: 'auto' }],
    ['-y --mode auto', { yolo: true, mode: 'auto' }],
    ['--json', { json: true, 'output-format': 'json' }],
    ['--output-format stream-json', { 'output-format': 'stream-json' }],
    ['--reasoning high', { reasoning: 'high' }],
    ['-c --fork', { continue: true, fork: true }],
    ['-r abc', { resume: 'abc' }],
    ['-r', { resume: '' }],
    ['-r -p', { resume: '', print: true }],
    ['--append-system-prompt -x', { 'append-system-prompt': '-x' }],
  ])('%s', (line, flags) => check(line, { flags }));

  test('a list is split outside parentheses', () => {
    check(['--allowed-tools', 'read_file bash(git diff *), ls'], {
      flags: { 'allowed-tools': ['read_file', 'bash(git diff *)', 'ls'] },
    });
  });
  test('an id has no blanks, a prompt has', () => {
    check(['-p', '-r', 'go on then'], { flags: { print: true, resume: '' }, rest: ['go on then'] });
    check(['-p', '-r', 'abc', 'go on then'], { flags: { print: true, resume: 'abc' }, rest: ['go on then'] });
  });
});

describe('commands', () => {
  test('the first word names one', () => {
    check('sessions show abc', { command: 'sessions', rest: ['show', 'abc'] });
    check('demo --print', { command: 'demo', flags: { print: true } });
    check('-C /tmp models --json', { command: 'models', flags: { cwd: '/tmp', json: true, 'output-format': 'json' } });
    check('skills --help', { command: 'skills', flags: { help: true } });
  });
  test('only the first word does', () => check('fix sessions please', { rest: ['fix', 'sessions', 'please'] }));
  test('flags of another command are refused', () => {
    refused('demo --max-turns 3', '--max-turns', 'ada demo');
    refused('--mode plan sessions', '--mode', 'ada sessions');
  });
  test.each([
    ['sesions', 'sessions'],
    ['sesions list', 'sessions'],
    ['modles', 'models'],
    ['skill', 'skills'],
    ['demoo', 'demo'],
    ['serve', 'demo'],
  ])('%s is a mistake for a command', (line, near) => refused(line, `unknown command ${line.split(' ')[0]}`, near));
  test.each(['hello', 'hi', 'why', 'refactor', 'model the data', 'explain'])('%s is a prompt', (line) => {
    check(line, { rest: line.split(' ') });
  });
});

describe('mistakes are named in one line', () => {
  test.each<[string, ...string[]]>([
    ['--no-such-flag', 'unknown flag --no-such-flag', '--no-'],
    ['--modle x', '--modle', '--model '],
    ['--max-turn=3', '--max-turn;', '--max-turns'],
    ['-x', 'unknown flag -x'],
    ['--model', '--model needs a value: ID'],
    ['--model --mode plan', '--model needs a value'],
    ['--model=', '--model needs a value'],
    ['--mode fast', 'ask, plan, auto', 'fast'],
    ['--max-turns 0', '--max-turns'],
    ['--max-turns 1.5', '--max-turns'],
    ['--max-cost free', '--max-cost', 'free'],
    ['--timeout=', '--timeout'],
    ['--yolo=yes', '--yolo takes no value'],
    ['--yolo --mode plan', '--yolo', '--mode plan'],
    ['--json --output-format text', '--json'],
    ['-c -r x', '--continue'],
    ['--fork', '--fork'],
    ['-c --session-id x', '--session-id'],
  ])('%s', (line, ...parts) => refused(line, ...parts));
});
