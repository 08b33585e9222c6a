import { expect, test } from 'vitest';
import { MockBackendAdapter, type MockResponse } from '../../providers/backends/mock.ts';
import { AuthenticationError, ValidationError } from '../../providers/errors.ts';
import { type IRChatRequest, type JsonSchema, textOf } from '../../providers/ir.ts';
import { generateObject, StructuredOutputError } from '../../providers/structured-output.ts';

const person: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name', 'age'],
  additionalProperties: false,
};
const ann = { name: 'Ann', age: 30 };
const ask: IRChatRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Who?' },
  ],
  metadata: { requestId: 'r1', timestamp: 0 },
};

/** A backend that gives these answers in turn. */
function answering(...answers: (string | Error | Exclude<MockResponse, (...args: never) => unknown>)[]) {
  let turn = 0;
  return new MockBackendAdapter({ defaultResponse: () => answers[turn++]! });
}
const lastText = (backend: MockBackendAdapter, index: number) =>
  textOf(backend.requests[index]!.messages.at(-1)!.content);

test.each([
  ['the bare document', JSON.stringify(ann)],
  ['blanks around it', `\n  ${JSON.stringify(ann, null, 2)}\n`],
  ['a fence', `\`\`\`json\n${JSON.stringify(ann)}\n\`\`\``],
  ['one fence in prose', `Here it is:\n\n\`\`\`\n${JSON.stringify(ann)}\n\`\`\`\nAnything else?`],
])('reads %s', async (_, text) => {
  const backend = answering(text);
  const { object, response, responses } = await generateObject<typeof ann>({ backend, request: ask, schema: person });
  expect(object).toEqual(ann);
  expect(responses).toEqual([response]);
});

test('the schema is told both ways, and the conversation stays as it was', async () => {
  const backend = answering(JSON.stringify(ann));
  await generateObject({ backend, request: ask, schema: person, name: 'person' });
  const [sent] = backend.requests;
  expect(sent!.responseFormat).toEqual({ type: 'json_schema', name: 'person', schema: person });
  expect(sent!.messages[0]).toBe(ask.messages[0]);
  expect(sent!.messages).toHaveLength(2);
  expect(lastText(backend, 0)).toMatch(/^Who\?Answer with one JSON document/);
  expect(lastText(backend, 0)).toContain(JSON.stringify(person));
  expect(Object.keys(person)).toEqual(['type', 'properties', 'required', 'additionalProperties']);
});

test('only in the response format when the prompt is to be left alone', async () => {
  const backend = answering(JSON.stringify(ann));
  await generateObject({ backend, request: ask, schema: person, tell: false });
  expect(backend.requests[0]!.messages).toEqual(ask.messages);
});

test('tools of the conversation are offered but not called', async () => {
  const backend = answering('1');
  const tools = [{ name: 't', parameters: { type: 'object' } }];
  await generateObject({ backend, request: { ...ask, tools }, schema: {} });
  expect(backend.requests[0]).toMatchObject({ tools, toolChoice: 'none' });
});

test('a request without metadata gets some', async () => {
  const backend = answering('1');
  await generateObject({ backend, request: { messages: ask.messages }, schema: {} });
  expect(backend.requests[0]!.metadata.requestId).toMatch(/./);
});

test('one round of repair, told what is wrong', async () => {
  const wrong = '{"name":1,"age":-1,"x":0}';
  const backend = answering(wrong, JSON.stringify(ann));
  const { object, responses } = await generateObject({ backend, request: ask, schema: person });
  expect(object).toEqual(ann);
  expect(responses).toHaveLength(2);
  const [, second] = backend.requests;
  expect(second!.messages.slice(0, 2)).toEqual(backend.requests[0]!.messages);
  expect(second!.messages[2]).toEqual({ role: 'assistant', content: wrong });
  expect(second!.responseFormat).toBeDefined();
  for (const part of ['/name', '/age', '"x"', 'whole corrected JSON document'])
    expect(lastText(backend, 1)).toContain(part);
});

test('no JSON, and an empty answer, are asked for again too', async () => {
  for (const text of ['I cannot say.', '{"name":"Ann","age":3', '']) {
    const backend = answering({ text }, JSON.stringify(ann));
    expect((await generateObject({ backend, request: ask, schema: person })).object).toEqual(ann);
    expect(lastText(backend, 1)).toContain('not one JSON document');
  }
});

test('at the end a typed error tells what was wrong', async () => {
  const failure = (answers: string[], repair?: number) =>
    generateObject({ backend: answering(...answers), request: ask, schema: person, name: 'person', repair }).then(
      () => undefined,
      (error: unknown) => error,
    );
  const error = await failure(['no', '{"name":"Ann"}']);
  expect(error).toBeInstanceOf(StructuredOutputError);
  expect(error).toMatchObject({
    name: 'StructuredOutputError',
    code: 'CONVERSION_FAILED',
    message: 'no valid person: does not have required property "age".',
    text: '{"name":"Ann"}',
    validationDetails: [{ field: '', message: 'does not have required property "age".' }],
    responses: [{ finishReason: 'stop' }, { finishReason: 'stop' }],
  });
  expect(await failure(['no'], 0)).toMatchObject({ responses: [{}] });
  expect(await failure(['1', '2', '{"name":1,"age":1}'], 2)).toMatchObject({
    validationDetails: [{ field: '/name', message: expect.stringContaining('string') }],
  });
});

test('what was cut off is not asked for again', async () => {
  const backend = answering({ text: '{"name":', finishReason: 'length' });
  await expect(generateObject({ backend, request: ask, schema: person })).rejects.toThrow(
    'cut off at its length limit',
  );
  expect(backend.requests).toHaveLength(1);
});

test('a backend that refuses the schema is asked without it', async () => {
  const refusal = new ValidationError({ message: 'minimum is not supported', status: 400 });
  for (const tell of [true, false]) {
    const backend = answering(refusal, JSON.stringify({ name: 'Ann' }), JSON.stringify(ann));
    expect((await generateObject({ backend, request: ask, schema: person, tell })).object).toEqual(ann);
    expect(backend.requests.map((sent) => sent.responseFormat !== undefined)).toEqual([true, false, false]);
    expect(lastText(backend, 1).split('JSON Schema')).toHaveLength(2);
  }
});

test('other errors are the backend’s own', async () => {
  const backend = answering(new AuthenticationError({ message: 'who are you?', status: 401 }));
  await expect(generateObject({ backend, request: ask, schema: person })).rejects.toThrow('who are you?');
  expect(backend.requests).toHaveLength(1);
});

test('an abort ends it', async () => {
  const controller = new AbortController();
  const backend = new MockBackendAdapter({ defaultResponse: { text: 'x', delayMs: 10_000 } });
  const object = generateObject({ backend, request: ask, schema: person, signal: controller.signal });
  setTimeout(() => controller.abort(), 5);
  await expect(object).rejects.toMatchObject({ code: 'ABORTED' });
});

test.each<[string, JsonSchema, string, boolean]>([
  ['references', { $defs: { a: { type: 'string' } }, items: { $ref: '#/$defs/a' } }, '["x"]', true],
  ['references', { $defs: { a: { type: 'string' } }, items: { $ref: '#/$defs/a' } }, '[1]', false],
  ['draft 7', { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'null' }] }, '[1]', false],
  ['2020-12', { prefixItems: [{ type: 'null' }] }, '[1]', false],
  ['alternatives', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'null', true],
  ['formats', { format: 'date' }, '"2024-13-01"', false],
])('schemas: %s', async (_, schema, text, valid) => {
  const before = JSON.stringify(schema);
  const object = generateObject({ backend: answering(text), request: ask, schema, repair: 0 });
  if (valid) expect((await object).object).toEqual(JSON.parse(text));
  else await expect(object).rejects.toBeInstanceOf(StructuredOutputError);
  expect(JSON.stringify(schema)).toBe(before);
});

test.each([
  ['thinking', `<think>\nA {"name":1}?\n</think>\n\n${JSON.stringify(ann)}`],
  ['thinking whose beginning is missing', `Ann, I think.</think>${JSON.stringify(ann)}`],
  ['thinking before a fence', `<think>\n\`\`\`\n{}\n\`\`\`\n</think>\n\`\`\`json\n${JSON.stringify(ann)}\n\`\`\``],
])('reads the document behind %s', async (_, text) => {
  expect((await generateObject({ backend: answering(text), request: ask, schema: person, repair: 0 })).object).toEqual(
    ann,
  );
});

test('a tag within the document is text', async () => {
  const text = JSON.stringify('a</think>"b"');
  expect((await generateObject({ backend: answering(text), request: ask, schema: { type: 'string' } })).object).toBe(
    'a</think>"b"',
  );
});

test('nulls that the schema refuses are left out, others stay', async () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      nick: { type: 'string' },
      born: { type: ['integer', 'null'] },
      'a/b': { type: 'array', items: { type: 'object', properties: { x: { enum: ['y'] } } } },
    },
    required: ['name'],
  };
  const answer = (text: string) => generateObject({ backend: answering(text), request: ask, schema, repair: 0 });
  const { object } = await answer('{"name":"Ann","nick":null,"born":null,"a/b":[{"x":null},{"x":"y"}]}');
  expect(object).toEqual({ name: 'Ann', born: null, 'a/b': [{}, { x: 'y' }] });
  await expect(answer('{"name":null}')).rejects.toMatchObject({ validationDetails: [{ field: '/name' }] });
});

test.each<[string, JsonSchema, string]>([
  ['a reference that leads nowhere', { properties: { a: { $ref: '#/$defs/no' } } }, 'schema/properties/a'],
  ['a reference to elsewhere', { $ref: 'other.json' }, 'schema'],
  ['a reference that is no URL', { $ref: 'http://[' }, 'schema'],
  [
    'a type that there is not',
    { properties: { a: { anyOf: [{ type: 'strin' }] } } },
    'schema/properties/a/anyOf/0/type',
  ],
  ['a list of types', { type: ['string', 'any'] }, 'schema/type'],
  ['a pattern that does not compile', { items: { pattern: '(' } }, 'schema/items/pattern'],
])('%s is told before any call', async (_, schema, field) => {
  const backend = answering('1');
  const error = await generateObject({ backend, request: ask, schema }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ValidationError);
  expect(error).toMatchObject({ code: 'INVALID_REQUEST', validationDetails: [{ field }] });
  expect(backend.requests).toHaveLength(0);
});

test('words of other languages in a schema are no fault', async () => {
  const schema: JsonSchema = {
    type: 'object',
    example: { type: 'cat' },
    default: { $ref: 'x' },
    enum: [{ type: 'dog' }],
  };
  expect((await generateObject({ backend: answering('{"type":"dog"}'), request: ask, schema })).object).toEqual({
    type: 'dog',
  });
});
