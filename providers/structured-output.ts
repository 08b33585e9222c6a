/** Answers that are JSON of a given form. */
import type { OutputUnit, Schema } from '@cfworker/json-schema';
import type { BackendAdapter } from './adapter.ts';
import { AdapterError, type AdapterErrorOptions, ValidationError, type ValidationErrorDetail } from './errors.ts';
import {
  type IRChatRequest,
  type IRChatResponse,
  type IRMessage,
  type IRMetadata,
  type JsonSchema,
  partsOf,
  textOf,
} from './ir.ts';

export interface GenerateObjectOptions {
  /** A backend or a router. */
  backend: Pick<BackendAdapter, 'execute'>;
  /** What is asked. Its tools are not called; `responseFormat` and `toolChoice` are set here. */
  request: Omit<IRChatRequest, 'metadata'> & { metadata?: IRMetadata };
  /** Any draft from 4 to 2020-12; 2020-12 unless `$schema` says otherwise. */
  schema: JsonSchema;
  /** What the object is called where the format has a name for it. */
  name?: string;
  /** How often the model may correct itself, told what is wrong; once unless given. */
  repair?: number;
  /**
   * False: the schema goes only into `responseFormat`, for backends that surely enforce it. It is also told in the
   * prompt unless given: many servers take the field and ignore it.
   */
  tell?: boolean;
  signal?: AbortSignal;
}

export interface GenerateObjectResult<T> {
  object: T;
  /** The answer that held it. */
  response: IRChatResponse;
  /** Every answer that was given, the last one too. */
  responses: readonly IRChatResponse[];
}

/** The model gave no valid object, and its corrections were none either. */
export class StructuredOutputError extends AdapterError {
  /** What was wrong with the last answer. `field` is a JSON pointer, '' for the whole. */
  readonly validationDetails: readonly ValidationErrorDetail[];
  /** The text of the last answer. */
  readonly text: string;
  readonly responses: readonly IRChatResponse[];

  constructor(
    options: AdapterErrorOptions & {
      validationDetails: readonly ValidationErrorDetail[];
      text: string;
      responses: readonly IRChatResponse[];
    },
  ) {
    super(options, { code: 'CONVERSION_FAILED', category: 'conversion', isRetryable: false });
    this.validationDetails = options.validationDetails;
    this.text = options.text;
    this.responses = options.responses;
  }
}

/**
 * Asks for an object that is valid against `schema`. An answer that is not is sent back with what is wrong. A backend
 * that refuses the schema as response format (400, 422) is asked again without it. Nulls in the place of optional
 * properties are left out where the schema refuses them: vendors that require every property make models write them.
 * Throws the backend's errors, ValidationError before any call when the schema itself is wrong, and
 * StructuredOutputError when the last answer is still not valid.
 */
export async function generateObject<T = unknown>(options: GenerateObjectOptions): Promise<GenerateObjectResult<T>> {
  const { backend, schema, name = 'answer', repair = 1, tell = true, signal } = options;
  const check = await answerCheck(schema);
  const metadata = options.request.metadata ?? { requestId: crypto.randomUUID(), timestamp: Date.now() };
  let request: IRChatRequest = {
    ...options.request,
    messages: tell ? withAtEnd(options.request.messages, instruction(schema)) : options.request.messages,
    ...(options.request.tools?.length && { toolChoice: 'none' }),
    responseFormat: { type: 'json_schema', name, schema },
    metadata,
  };
  const responses: IRChatResponse[] = [];
  for (let left = repair; ; left--) {
    const response = await backend.execute(request, signal).catch((error: unknown) => {
      if (!isRefused(error)) throw error;
      const { responseFormat: _, ...plain } = request;
      request = tell ? plain : { ...plain, messages: withAtEnd(plain.messages, instruction(schema)) };
      return backend.execute(request, signal);
    });
    responses.push(response);
    const text = textOf(response.message.content);
    const unfinished = UNFINISHED[response.finishReason];
    const checked = unfinished ? { problems: [{ field: '', message: unfinished }] } : check(text);
    if ('value' in checked) return { object: checked.value as T, response, responses };
    const { problems } = checked;
    // What was cut off or withheld would be so again.
    if (left <= 0 || unfinished) {
      const first = problems[0]!;
      const message = `no valid ${name}: ${first.field ? `${first.field}: ` : ''}${first.message}`;
      throw new StructuredOutputError({ message, validationDetails: problems, text, responses });
    }
    const answered: IRMessage[] = text ? [{ role: 'assistant', content: text }] : [];
    request = { ...request, messages: withAtEnd([...request.messages, ...answered], correction(problems)) };
  }
}

const UNFINISHED: Partial<Record<IRChatResponse['finishReason'], string>> = {
  length: 'the answer was cut off at its length limit',
  filter: 'the answer was withheld by a filter',
};

/** A vendor that does not know a keyword of the schema refuses the whole request. */
const isRefused = (error: unknown): boolean =>
  error instanceof AdapterError && error.code === 'INVALID_REQUEST' && (error.status === 400 || error.status === 422);

const instruction = (schema: JsonSchema): string =>
  'Answer with one JSON document and nothing else: no text around it, no code fence. ' +
  `It must be valid against this JSON Schema:\n${JSON.stringify(schema)}`;

const correction = (problems: readonly ValidationErrorDetail[]): string =>
  `That answer is not valid:\n${problems.map(({ field, message }) => `- ${field || 'the whole'}: ${message}`).join('\n')}\n` +
  'Answer again with the whole corrected JSON document and nothing else.';

/** The text behind the last message: in it where that is the user's, so that turns still alternate. */
function withAtEnd(messages: readonly IRMessage[], text: string): IRMessage[] {
  const last = messages.at(-1);
  const part = { type: 'text', text } as const;
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [part] }];
  return [...messages.slice(0, -1), { ...last, content: [...partsOf(last.content), part] }];
}

type Checked = { value: unknown } | { problems: ValidationErrorDetail[] };

const MOST_PROBLEMS = 10;

/** Reads answers by a schema; the validator is loaded only here. Throws ValidationError for a schema that is none. */
async function answerCheck(schema: JsonSchema): Promise<(text: string) => Checked> {
  const library = await import('@cfworker/json-schema');
  let validator: InstanceType<typeof library.Validator>;
  try {
    // The validator writes into the schema that it is given.
    const own = structuredClone(schema) as Schema;
    const faults = schemaFaults(own, library.dereference(own), library);
    if (faults.length) throw wrongSchema(faults);
    validator = new library.Validator(own, draftOf(schema), false);
  } catch (error) {
    if (error instanceof ValidationError) throw error;
    throw wrongSchema([{ field: 'schema', message: (error as Error).message }], error);
  }
  return (text) => {
    const value = readJson(text);
    if (value === undefined) return { problems: [{ field: '', message: 'it is not one JSON document' }] };
    const { valid, errors } = validator.validate(value);
    if (valid) return { value };
    const lighter = withoutNulls(value, errors);
    if (lighter !== undefined && validator.validate(lighter).valid) return { value: lighter };
    const problems = ownErrors(errors).map(({ instanceLocation, error }) => ({
      field: instanceLocation.replace(/^#/, ''),
      message: error.replace(/^Instance /, ''),
    }));
    return { problems: problems.slice(0, MOST_PROBLEMS) };
  };
}

const wrongSchema = (validationDetails: ValidationErrorDetail[], cause?: unknown): ValidationError => {
  const [{ field, message }] = validationDetails as [ValidationErrorDetail];
  return new ValidationError({ message: `The schema is wrong: ${field}: ${message}`, validationDetails, cause });
};

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Where schemas stand within a schema. */
type Places = Record<'schemaKeyword' | 'schemaArrayKeyword' | 'schemaMapKeyword', Record<string, boolean>>;

/** What would break, or count for nothing, only when an answer is there. `lookup` has every schema by its URI. */
function schemaFaults(root: Schema, lookup: Record<string, unknown>, places: Places): ValidationErrorDetail[] {
  const faults: ValidationErrorDetail[] = [];
  const visit = (one: unknown, field: string): void => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return;
    const { $ref, __absolute_ref__, type, pattern } = one as Schema;
    // Compared as the validator looks it up.
    if ($ref !== undefined && lookup[__absolute_ref__ ?? $ref] === undefined)
      faults.push({ field, message: `the reference “${$ref}” leads nowhere` });
    for (const word of type === undefined ? [] : [type].flat())
      if (!TYPES.includes(word)) faults.push({ field, message: `“${word}” is no type` });
    if (pattern !== undefined && !isPattern(pattern))
      faults.push({ field, message: `the pattern “${pattern}” does not compile` });
    for (const [key, inner] of Object.entries(one)) {
      if (Array.isArray(inner) && places.schemaArrayKeyword[key])
        inner.forEach((item, index) => {
          visit(item, `${field}/${key}/${index}`);
        });
      else if (places.schemaMapKeyword[key])
        for (const [name, item] of Object.entries(inner ?? {})) visit(item, `${field}/${key}/${name}`);
      else if (places.schemaKeyword[key]) visit(inner, `${field}/${key}`);
    }
  };
  visit(root, 'schema');
  return faults;
}

function isPattern(pattern: string): boolean {
  try {
    return Boolean(new RegExp(pattern, 'u'));
  } catch {
    return false;
  }
}

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
function readJson(text: string): unknown {
  // Templates that open the tag themselves leave only its end in the answer.
  const said = text.replace(/^[\s\S]*<\/think>/, '');
  const fenced = [...said.matchAll(/^[ \t]*```[^\n]*\n([\s\S]*?)^[ \t]*```[ \t]*$/gm)];
  for (const candidate of [text, said, ...(fenced.length === 1 ? [fenced[0]![1]!] : [])]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // The next one may be.
    }
  }
  return undefined;
}
