/** `--json-schema FILE`: what the model is told of it, and whether its answer is valid. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openAnswerCheck } from './compose.ts';
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
  const opened = await openAnswerCheck(schema);
  if ('fault' in opened) return refuse(`no JSON schema: ${lineOf(opened.fault)}`);
  if (!opened.isSchema) return refuse('no JSON schema: it has none of its keywords');
  return {
    instruction:
      'When all is done, your last message must be one JSON document and nothing else: no text around it, no code ' +
      `fence. It must be valid against this JSON Schema:\n${JSON.stringify(schema)}`,
    check(answer) {
      const checked = opened.check(answer);
      return 'json' in checked ? { json: checked.json } : { problems: checked.problems.map(lineOf) };
    },
    correction: (problems) =>
      `Your last message is not valid against the JSON Schema:\n${problems.map((line) => `- ${line}`).join('\n')}\n` +
      'Answer again with the whole corrected JSON document and nothing else.',
  };
}

const lineOf = ({ field, message }: { field: string; message: string }): string =>
  field === '' && message === NO_DOCUMENT
    ? message
    : `${field.replace(/^schema/, '') || 'the whole'}: ${message.replace(/\.$/, '')}`;

const NO_DOCUMENT = 'it is not one JSON document';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
