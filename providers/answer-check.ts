/** Whether an answer is JSON of a given form, and whether the form is one. Loaded late, and the validator with it. */
import { dereference, type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import type { ValidationErrorDetail } from './errors.ts';
import type { JsonSchema } from './ir.ts';

/** `json` is the document as it was written, unless something had to be left out of it. `field`: '' for the whole. */
export type CheckedAnswer = { value: unknown; json: string } | { problems: ValidationErrorDetail[] };

export type AnswerCheck = (text: string) => CheckedAnswer;

const MOST_PROBLEMS = 10;

/**
 * Reads answers by a schema of any draft from 4 to 2020-12. `fault`: the schema itself is wrong; its field is a path
 * such as `schema/items/type`. `isSchema`: it has at least one word of a schema, or is empty. Nulls in the place of optional properties are left out where the schema refuses them.
 */
export async function answerCheck(
  schema: JsonSchema,
): Promise<{ check: AnswerCheck; isSchema: boolean } | { fault: ValidationErrorDetail; cause?: unknown }> {
  let validator: Validator;
  try {
    const meta = new Validator(META, '2020-12', false).validate(schema);
    if (!meta.valid) {
      const faults = details(meta.errors);
      const { field, message } =
        faults.find((one) => !one.message.endsWith('does not match any subschemas.')) ?? faults[0]!;
      return { fault: { field: `schema${field}`, message } };
    }
    // The validator writes into the schema that it is given.
    const own = structuredClone(schema) as Schema;
    const lost = lostReference(own, dereference(own));
    if (lost) return { fault: lost };
    validator = new Validator(own, draftOf(schema), false);
  } catch (cause) {
    return { fault: { field: 'schema', message: (cause as Error).message }, cause };
  }
  return {
    isSchema: isEmpty(schema) || Object.keys(schema).some((key) => KEYWORDS.has(key)),
    check(text) {
      const found = readJson(text);
      if (!found) return { problems: [{ field: '', message: 'it is not one JSON document' }] };
      const { valid, errors } = validator.validate(found.value);
      if (valid) return found;
      const lighter = withoutNulls(found.value, errors);
      if (lighter !== undefined && validator.validate(lighter).valid)
        return { value: lighter, json: JSON.stringify(lighter) };
      return { problems: details(errors).slice(0, MOST_PROBLEMS) };
    },
  };
}

const isEmpty = (schema: JsonSchema): boolean => Object.keys(schema).length === 0;

const details = (errors: readonly OutputUnit[]): ValidationErrorDetail[] =>
  ownErrors(errors).map(({ instanceLocation, error }) => ({
    field: instanceLocation.replace(/^#/, ''),
    message: error.replace(/^Instance /, ''),
  }));

/** A reference that leads nowhere; `lookup` has every schema by its URI. */
function lostReference(root: Schema, lookup: Record<string, unknown>): ValidationErrorDetail | undefined {
  const visit = (one: unknown, field: string): ValidationErrorDetail | undefined => {
    if (typeof one !== 'object' || one === null) return undefined;
    const { $ref, __absolute_ref__ } = one as Schema;
    // Compared as the validator looks it up. Only schemas that it found are in its list: a property may be called $ref.
    if (typeof $ref === 'string' && lookup[__absolute_ref__ ?? $ref] === undefined)
      return { field, message: `$ref ${$ref} leads nowhere in it` };
    for (const [key, inner] of Object.entries(one)) {
      const found = DATA.has(key) ? undefined : visit(inner, `${field}/${key}`);
      if (found) return found;
    }
    return undefined;
  };
  return visit(root, 'schema');
}

/** What stands under these is no schema. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

/** A copy without the nulls that `errors` are about; undefined when there are none. */
function withoutNulls(value: unknown, errors: readonly OutputUnit[]): unknown {
  const copy = structuredClone(value);
  let found = false;
  for (const place of new Set(errors.map(({ instanceLocation }) => instanceLocation))) {
    const path = place.split('/').slice(1).map(decodePointer);
    const name = path.pop();
    let holder: any = copy;
    for (const step of path) holder = holder?.[step];
    if (name === undefined || typeof holder !== 'object' || holder === null || Array.isArray(holder)) continue;
    if (!Object.hasOwn(holder, name) || holder[name] !== null) continue;
    delete holder[name];
    found = true;
  }
  return found ? copy : undefined;
}

const decodePointer = (step: string): string => step.replace(/~1/g, '/').replace(/~0/g, '~');

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

function draftOf({ $schema }: JsonSchema): '4' | '7' | '2019-09' | '2020-12' {
  const said = String($schema ?? '');
  if (/draft-0?[34]\b/.test(said)) return '4';
  if (/draft-0?[67]\b/.test(said)) return '7';
  return said.includes('2019-09') ? '2019-09' : '2020-12';
}

/** The JSON of an answer: the whole of it or what is behind its thinking, or the one fenced block in that. */
function readJson(text: string): { value: unknown; json: string } | undefined {
  // Templates that open the tag themselves leave only its end in the answer.
  const said = text.replace(/^[\s\S]*<\/think>/, '');
  const fenced = [...said.matchAll(/^[ \t]*```[^\n]*\n([\s\S]*?)^[ \t]*```[ \t]*$/gm)];
  for (const candidate of [text, said, ...(fenced.length === 1 ? [fenced[0]![1]!] : [])]) {
    try {
      return { value: JSON.parse(candidate), json: candidate.trim() };
    } catch {
      // The next one may be.
    }
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

/** What makes an object a schema, and not any other. */
const KEYWORDS = new Set(Object.keys(META.properties!).filter((key) => !['title', 'description'].includes(key)));
