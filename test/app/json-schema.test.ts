/** `--json-schema`: the built program with a recorded model, and the reading of schemas. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAnswerSchema } from '../../app/answer-schema.ts';
import { parseFlags } from '../../app/flags.ts';
import { StartError } from '../../app/start-error.ts';
import { ada, makePlace, type Place, parseLines, typesOf } from '../e2e/ada.ts';

const SCHEMA = { type: 'object', properties: { lines: { type: 'integer' } }, required: ['lines'] };

let place: Place;
beforeEach(() => {
  place = makePlace({ 'schema.json': JSON.stringify(SCHEMA), 'notes.txt': 'one\ntwo\n' });
});
afterEach(() => place.dispose());

function run(turns: readonly object[], ...more: string[]) {
  writeFileSync(join(place.project, 'model.jsonl'), turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  const args = ['-p', '-m', 'replay:model.jsonl', '--json-schema', 'schema.json', ...more, 'count the lines'];
  return ada(args, { place });
}

describe('the answer', () => {
  test('is the JSON alone, after the tools have run', async () => {
    const reads = { text: 'Reading it.', toolCalls: [{ name: 'read_file', input: { path: 'notes.txt' } }] };
    const end = await run([reads, { text: 'So:\n```json\n{ "lines": 2 }\n```\n' }]);
    expect(end).toMatchObject({ code: 0, stdout: '{ "lines": 2 }\n', stderr: '' });
    const log = place.log();
    expect(typesOf(log)).toContain('tool_result');
    const user = log.find((event) => event.type === 'user');
    expect(user).toMatchObject({ text: expect.stringMatching(/^count the lines\n\n/) });
    expect(user).toMatchObject({ text: expect.stringContaining(JSON.stringify(SCHEMA)) });
  });

  test('is corrected once, in the same session', async () => {
    const end = await run([{ text: '{"lines":"two"}' }, { text: '{"lines":2}' }]);
    expect(end).toMatchObject({ code: 0, stdout: '{"lines":2}\n', stderr: '' });
    const prompts = place.log().filter((event) => event.type === 'user');
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toMatchObject({ text: expect.stringMatching(/- \/lines: type "string" is invalid/) });
  });

  test('that stays wrong is a failure with one line', async () => {
    const end = await run([{ text: 'two' }, { text: '{}' }]);
    expect(end).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'ada: the answer is not valid against the schema: the whole: does not have required property "lines"\n',
    });
  });

  test('is one result in JSON, whatever it took', async () => {
    const good = await run([{ text: 'two' }, { text: ' {"lines":2}' }], '--json');
    expect(good.code).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({ text: '{"lines":2}', isError: false, error: null, turns: 2 });
    const bad = await run([{ text: 'two' }, { text: '2' }], '--json');
    expect(bad.code).toBe(1);
    expect(parseLines(bad.stdout)).toMatchObject([
      { text: '2', finish: 'stop', isError: true, error: { code: 'validation' }, turns: 2 },
    ]);
  });

  test('has both turns in the stream of events', async () => {
    const end = await run([{ text: 'two' }, { text: '{"lines":2}' }], '--output-format', 'stream-json');
    expect(end.code).toBe(0);
    const types = typesOf(parseLines(end.stdout));
    expect(types.filter((type) => ['session', 'user', 'done'].includes(type))).toEqual([
      ...['session', 'user', 'done', 'user', 'done'],
    ]);
  });

  test('of a turn that failed or met a limit is not asked for again', async () => {
    const failed = await run([{ error: { status: 400, message: 'no' } }, { text: '{"lines":2}' }]);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    const calls = { toolCalls: [{ name: 'read_file', input: { path: 'notes.txt' } }] };
    const limited = await run([calls, { text: '{"lines":2}' }], '--max-turns', '1');
    expect(limited.code).toBe(4);
  });

  test('is told of in a session that goes on', async () => {
    await run([{ text: '{"lines":2}' }]);
    const end = await run([{ text: '{"lines":3}' }], '-c');
    expect(end).toMatchObject({ code: 0, stdout: '{"lines":3}\n' });
    expect(place.log().filter((event) => event.type === 'user')).toHaveLength(2);
  });
});

test('a file that is none ends it before anything is written', async () => {
  const end = await ada(['-p', '-m', 'replay:x', '--json-schema', 'none.json', 'hi'], { place });
  expect(end).toMatchObject({ code: 2, stdout: '', stderr: 'ada: --json-schema none.json: no such file\n' });
  expect(existsSync(join(place.project, '.ada'))).toBe(false);
});

test('the flag implies --print', () => {
  expect(parseFlags(['--json-schema', 's.json', 'hi there'])).toMatchObject({ flags: { print: true } });
});

describe('a schema', () => {
  const open = (text: string) => {
    writeFileSync(join(place.project, 't.json'), text);
    return openAnswerSchema('t.json', place.project);
  };

  test.each<[string, string]>([
    ['{', 'not JSON'],
    ['[]', 'is an object'],
    ['true', 'is an object'],
    ['{"name":"x","version":"1"}', 'none of its keywords'],
    ['{"type":"objekt"}', '/type: does not match any of ["array"'],
    ['{"properties":{"a":{"type":"sting"}}}', '/properties/a/type'],
    ['{"required":"a"}', '/required'],
    ['{"pattern":"("}', '/pattern'],
    ['{"items":{"$ref":"#/$defs/none"}}', '$ref #/$defs/none leads nowhere'],
    ['{"$ref":"https://example.com/other.json"}', 'leads nowhere'],
  ])('%s is refused: %s', async (text, why) => {
    const refused = open(text);
    await expect(refused).rejects.toBeInstanceOf(StartError);
    await expect(refused).rejects.toThrow(/^--json-schema t\.json: [^\n]*$/);
    await expect(refused).rejects.toThrow(why);
  });

  test.each<[string, string, boolean]>([
    ['{}', '[1, "x", null]', true],
    ['{"const":null}', 'null', true],
    ['{"$defs":{"a":{"type":"string"}},"items":{"$ref":"#/$defs/a"}}', '["x"]', true],
    ['{"$defs":{"a":{"type":"string"}},"items":{"$ref":"#/$defs/a"}}', '[1]', false],
    ['{"properties":{"next":{"$ref":"#"}},"additionalProperties":false}', '{"next":{"next":{}}}', true],
    ['{"properties":{"next":{"$ref":"#"}},"additionalProperties":false}', '{"next":{"x":{}}}', false],
    ['{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"null"}]}', '[1]', false],
    ['\ufeff{"type":"string","format":"date"}', '"2024-02-30T"', false],
    ['{"anyOf":[{"type":"string"},{"type":"null"}]}', '"x" and more', false],
  ])('%s and %s: %s', async (text, answer, valid) => {
    expect('json' in (await open(text)).check(answer)).toBe(valid);
  });

  test('each fault is one line', async () => {
    const schema = await open(
      '{"properties":{"a":{"type":"string"},"b":{"maxLength":1}},"additionalProperties":false}',
    );
    expect(schema.check('{"a":1,"b":"xx","c":0}')).toEqual({
      problems: [
        '/a: type "number" is invalid. Expected "string"',
        '/b: String is too long (2 > 1)',
        'the whole: Property "c" does not match additional properties schema',
      ],
    });
  });
});
