/** Answers that are JSON of a given form. */
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
  const { answerCheck } = await import('./answer-check.ts');
  const opened = await answerCheck(schema);
  if ('fault' in opened) throw wrongSchema(opened.fault, opened.cause);
  const { check } = opened;
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

const wrongSchema = (fault: ValidationErrorDetail, cause?: unknown): ValidationError =>
  new ValidationError({
    message: `The schema is wrong: ${fault.field}: ${fault.message}`,
    validationDetails: [fault],
    cause,
  });

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
