/** `--json-schema FILE`: what the model is told of it, and whether its answer is valid. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OutputUnit, Schema, Validator } from '@cfworker/json-schema';
import { StartError } from './start-error.ts';

export interface AnswerSchema {
  /** Stands behind the prompt. */
  instruction: string;
  /** The JSON of an answer, as the model wrote it, or one line for each thing that is wrong. */
  check(text: string): { json: string } | { problems: readonly string[] };
  /** The prompt of the one round in which the model may correct itself. */
  correction(problems: readonly string[]): string;
}

/** Reads a schema of any draft from 4 to 2020-12. StartError when the file cannot be read or holds no schema. */
export async function openAnswerSchema(path: string, cwd: string): Promise<AnswerSchema> {
  const refuse = (why: string): never => {
    throw new StartError(`--json-schema ${path}: ${why}`);
  };
  let schema: unknown;
  try {
    schema = JSON.parse(readFileSync(resolve(cwd, path), 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return refuse(code === 'ENOENT' ? 'no such file' : code ? message : `not JSON (${message})`);
  }
  if (!isObject(schema)) return refuse('a JSON schema is an object');
  const library = await import('@cfworker/json-schema');
  const faults = problemsOf(new library.Validator(META, '2020-12', false), schema);
  const text = JSON.stringify(schema);
  const fault = faults.find((line) => !line.endsWith('does not match any subschemas')) ?? faults[0];
  if (fault !== undefined) return refuse(`no JSON schema: ${fault}`);
  if (!Object.keys(schema).some((key) => KEYWORDS.has(key)) && text !== '{}')
    return refuse('no JSON schema: it has none of its keywords');
  let validator: Validator;
  try {
    validator = new library.Validator(schema as Schema, draftOf(schema), false);
    const missing = missingReference(library.dereference(schema as Schema));
    if (missing !== undefined) return refuse(`no JSON schema: $ref ${missing} leads nowhere in it`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    return refuse(`no JSON schema: ${(error as Error).message}`);
  }
  return {
    instruction:
      'When all is done, your last message must be one JSON document and nothing else: no text around it, no code ' +
      `fence. It must be valid against this JSON Schema:\n${text}`,
    check(answer) {
      const found = readJson(answer);
      if (!found) return { problems: ['it is not one JSON document'] };
      const problems = problemsOf(validator, found.value);
      return problems.length ? { problems } : { json: found.json };
    },
    correction: (problems) =>
      `Your last message is not valid against the JSON Schema:\n${problems.map((line) => `- ${line}`).join('\n')}\n` +
      'Answer again with the whole corrected JSON document and nothing else.',
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MOST_PROBLEMS = 10;
/**
 * What is really wrong: not the errors that only say that there are others further in, nor those that call a property
 * unknown because its value is wrong.
 */
function ownErrors(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const inner = errors.filter(({ keyword, error }) => keyword !== 'false' && !WRAPPING.test(error));
  const wrong = new Set(inner.map(({ instanceLocation }) => instanceLocation));
  const own = inner.filter(({ instanceLocation, error }) => {
    const unknown = /^Property "(.*)" does not match (additional|unevaluated) properties schema/.exec(error);
    return !(unknown && [...wrong].some((at) => `${at}/`.startsWith(`${instanceLocation}/${unknown[1]}/`)));
  });
  return own.length ? own : errors;
}

const WRAPPING = /^(A subschema had errors|Property "[^"]*" does not match schema|Items did not match schema)/;

function problemsOf(validator: Validator, value: unknown): string[] {
  const { valid, errors } = validator.validate(value);
  if (valid) return [];
  return ownErrors(errors)
    .slice(0, MOST_PROBLEMS)
    .map(({ instanceLocation, error }) => {
      const what = error.replace(/^Instance /, '').replace(/\.$/, '');
      return `${instanceLocation === '#' ? 'the whole' : instanceLocation.slice(1)}: ${what}`;
    });
}

/** The JSON of an answer: the whole of it, or its one fenced block. */
function readJson(answer: string): { value: unknown; json: string } | undefined {
  const fenced = [...answer.matchAll(/^[ \t]*```[^\n]*\n([\s\S]*?)^[ \t]*```[ \t]*$/gm)];
  for (const candidate of [answer, ...(fenced.length === 1 ? [fenced[0]![1]!] : [])]) {
    try {
      return { value: JSON.parse(candidate), json: candidate.trim() };
    } catch {
      // The next one may be.
    }
  }
  return undefined;
}

function draftOf({ $schema }: Record<string, unknown>): '4' | '7' | '2019-09' | '2020-12' {
  const said = String($schema ?? '');
  if (/draft-0?[34]\b/.test(said)) return '4';
  if (/draft-0?[67]\b/.test(said)) return '7';
  return said.includes('2019-09') ? '2019-09' : '2020-12';
}

function missingReference(lookup: Readonly<Record<string, Schema | boolean>>): string | undefined {
  for (const one of Object.values(lookup)) {
    const target = typeof one === 'object' ? one.__absolute_ref__ : undefined;
    if (target !== undefined && lookup[target] === undefined) return (one as Schema).$ref;
  }
  return undefined;
}

const SELF = { $ref: '#' };
const SELVES: Schema = { type: 'array', items: SELF };
const NAMED: Schema = { type: 'object', additionalProperties: SELF };
const COUNT: Schema = { type: 'integer', minimum: 0 };
const TYPE: Schema = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };
const each = (keys: string, schema: Schema): Record<string, Schema> =>
  Object.fromEntries(keys.split(' ').map((key) => [key, schema]));

/** The form of a schema, as far as a mistake in it would make every answer wrong, or none. */
const META: Schema = {
  type: ['object', 'boolean'],
  properties: {
    type: { anyOf: [TYPE, { type: 'array', items: TYPE, minItems: 1 }] },
    enum: { type: 'array' },
    required: { type: 'array', items: { type: 'string' } },
    pattern: { type: 'string', format: 'regex' },
    items: { anyOf: [SELF, SELVES] },
    const: true as unknown as Schema,
    ...each('properties patternProperties $defs definitions dependentSchemas', NAMED),
    ...each('allOf anyOf oneOf prefixItems', SELVES),
    ...each('not if then else contains propertyNames additionalProperties unevaluatedProperties additionalItems', SELF),
    ...each('minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains', COUNT),
    ...each('minimum maximum multipleOf', { type: 'number' }),
    ...each('$ref $id $schema $anchor format title description', { type: 'string' }),
  },
};

const KEYWORDS = new Set(Object.keys(META.properties!).filter((key) => !['title', 'description'].includes(key)));
