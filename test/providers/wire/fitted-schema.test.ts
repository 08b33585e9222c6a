import { describe, expect, it } from 'vitest';
import type { IRWarning, JsonSchema } from '../../../providers/ir.ts';
import { anthropicSchema, formatName, strictSchema } from '../../../providers/wire/fitted-schema.ts';

function fit<T>(by: (schema: JsonSchema, field: string, warnings: IRWarning[]) => T, schema: JsonSchema) {
  const before = JSON.stringify(schema);
  const warnings: IRWarning[] = [];
  const fitted = by(schema, 'f', warnings);
  expect(JSON.stringify(schema)).toBe(before);
  return { fitted, warnings: warnings.map(({ kind, field, message }) => `${kind} ${field}: ${message}`) };
}
const text = { type: 'string' };
const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

describe('strictSchema', () => {
  const strict = (schema: JsonSchema) => fit(strictSchema, schema);

  it('gives what is strict already as it is, without a word', () => {
    const schema = object({
      a: text,
      b: { type: ['integer', 'null'] },
      c: object({}),
      d: { enum: ['x', 'y'], type: 'string' },
    });
    expect(strict(schema)).toEqual({ fitted: schema, warnings: [] });
  });

  it('closes objects and requires everything, nullable where it was optional, and says so', () => {
    const { fitted, warnings } = strict({
      type: 'object',
      properties: {
        a: { type: 'string', default: 'x' },
        b: { type: 'array', items: { type: 'object', properties: {} } },
      },
      required: ['b'],
      additionalProperties: true,
    });
    expect(fitted).toEqual({
      type: 'object',
      properties: {
        a: { type: ['string', 'null'] },
        b: { type: 'array', items: { type: 'object', properties: {}, required: [], additionalProperties: false } },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    });
    expect(warnings).toEqual([
      'dropped f.a: default is not part of a strict schema',
      'approximated f.b.items: further properties are not allowed',
      'approximated f: further properties are not allowed',
      'approximated f: optional properties are required and may be null: a',
    ]);
  });

  it.each<[string, JsonSchema, JsonSchema, RegExp]>([
    ['a format that is not known', { type: 'string', format: 'uri' }, text, /dropped f\.a: the format “uri”/],
    ['a length', { type: 'string', minLength: 1 }, text, /dropped f\.a: minLength/],
    ['allOf', { allOf: [text, { description: 'A.' }] }, { ...text, description: 'A.' }, /approximated f\.a: allOf/],
    ['oneOf', { oneOf: [text, { type: 'null' }] }, { anyOf: [text, { type: 'null' }] }, /approximated f\.a: oneOf/],
    [
      'words beside a reference',
      { $ref: '#/$defs/t', description: 'A.' },
      { $ref: '#/$defs/t' },
      /dropped f\.a: description/,
    ],
  ])('adapts %s with a warning', (_, a, expected, warning) => {
    const { fitted, warnings } = strict(object({ a }, { $defs: { t: text } }));
    expect((fitted!.properties as JsonSchema).a).toEqual(expected);
    expect(warnings.join('\n')).toMatch(warning);
  });

  it('merges objects of allOf, also those behind references', () => {
    const { fitted } = strict({
      $defs: { base: object({ a: text }) },
      allOf: [{ $ref: '#/$defs/base' }, { properties: { b: text }, required: ['b'] }],
    });
    expect(fitted).toMatchObject(object({ a: text, b: text }));
    expect(fitted).not.toHaveProperty('allOf');
  });

  it('says types that are implied', () => {
    const a = { enum: ['x', 1] };
    const { fitted } = strict({
      properties: { a, b: { const: true } },
      required: ['a', 'b'],
      additionalProperties: false,
    });
    expect(fitted).toEqual(object({ a: { ...a, type: ['string', 'integer'] }, b: { const: true, type: 'boolean' } }));
  });

  it.each<[string, JsonSchema]>([
    ['a list at the top', { type: 'array', items: text }],
    ['alternatives at the top', { anyOf: [object({}), object({ a: text })] }],
    ['items without a type', object({ a: { type: 'array', items: {} } })],
    ['no items', object({ a: { type: 'array' } })],
    ['a map', object({ a: { type: 'object', additionalProperties: text } })],
    ['a property of any kind', object({ a: {} })],
    ['a property that may be anything', object({ a: true })],
  ])('has no form for %s, and says so', (_, schema) => {
    const { fitted, warnings } = strict(schema);
    expect(fitted).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(/^downgraded f: the schema is sent without strict: ./)]);
  });
});

it('anthropicSchema closes objects and leaves out what the format does not know, with warnings', () => {
  const { fitted, warnings } = fit(anthropicSchema, {
    type: 'object',
    properties: {
      a: { type: 'string', minLength: 2, format: 'uri' },
      b: { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 3 },
      c: { allOf: [{ $ref: '#/$defs/c' }] },
    },
    required: ['a'],
    $defs: { c: object({ d: { type: 'string', format: 'iri' } }) },
  });
  expect(fitted).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string', format: 'uri' },
      b: { type: 'array', items: { type: 'integer' } },
      c: object({ d: text }),
    },
    required: ['a'],
    $defs: { c: object({ d: text }) },
    additionalProperties: false,
  });
  for (const word of ['minLength', 'minimum', 'minItems', 'allOf', 'iri', 'further properties'])
    expect(warnings.join('\n')).toContain(word);
});

it('names of formats', () => {
  const warnings: IRWarning[] = [];
  expect(formatName('my-answer_1', warnings)).toBe('my-answer_1');
  expect(warnings).toEqual([]);
  expect(formatName('my answer!', warnings)).toBe('my_answer_');
  expect(formatName('x'.repeat(80), warnings)).toHaveLength(64);
  expect(formatName('', warnings)).toBe('answer');
  expect(warnings.map(({ kind }) => kind)).toEqual(['renamed', 'renamed', 'renamed']);
});
