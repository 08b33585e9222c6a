import { type Family, isBeginning, MORE, NO, nameAt, type RawCall, type Reading, skipSpace } from '../family.ts';
import { readGlmArguments } from '../glm-arguments.ts';
import { readJsonBody } from '../json-block.ts';
import { plainName } from '../json-calls.ts';
import { readFunction } from '../xml-parameters.ts';

const OPENERS = ['<tool_call>', '<seed:tool_call>'];
const CLOSERS = ['</tool_call>', '</seed:tool_call>'];
const FUNCTION = '<function';

/**
 * `<tool_call>` of Hermes, Qwen, Reka and many others. Inside stands JSON, `<function=…>` (Qwen3-Coder, Nemotron 3,
 * StepFun, Seed-OSS) or a name with `<arg_key>` (GLM).
 */
export const hermes: Family = {
  name: 'hermes',
  openers: OPENERS,
  closers: [...CLOSERS, ...OPENERS, '</function>'],
  read(text, ended) {
    const start = text.indexOf('>') + 1;
    const at = skipSpace(text, start);
    if (at >= text.length) return ended ? NO : MORE;
    if (text[at] !== '<') {
      if (!'{[`'.includes(text[at]!)) return readGlm(text, at, ended);
      return readJsonBody(text, start, { openers: OPENERS, closers: CLOSERS, ended });
    }
    if (!text.startsWith(FUNCTION, at)) return isBeginning([FUNCTION], text, at) && !ended ? MORE : NO;
    const calls: RawCall[] = [];
    for (let next = at; ; ) {
      const reading = readFunction(text, next, ended);
      if (reading.state !== 'done') return reading;
      calls.push(...reading.calls);
      next = skipSpace(text, reading.end);
      const closer = CLOSERS.find((one) => text.startsWith(one, next));
      if (closer) return { state: 'done', end: next + closer.length, calls };
      if (!ended && isBeginning([...CLOSERS, FUNCTION], text, next)) return MORE;
      if (!text.startsWith(FUNCTION, next)) return { state: 'done', end: reading.end, calls };
    }
  },
};

function readGlm(text: string, at: number, ended: boolean): Reading {
  const name = nameAt(text, at);
  if (!name) return NO;
  return readGlmArguments(text, at + name.length, plainName(name), ended);
}
