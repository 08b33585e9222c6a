import { isObject } from '../family.ts';
import { jsonBlock } from '../json-block.ts';
import { callOf, jsonCalls } from '../json-calls.ts';

/** Apertus: `[{"name": {arguments}}]`, one key an object. */
export const apertus = jsonBlock({
  name: 'apertus',
  openers: ['<|tools_prefix|>'],
  closers: ['<|tools_suffix|>'],
  callsOf(value) {
    const list = Array.isArray(value) ? value : [value];
    if (!list.length || !list.every((one) => isObject(one) && Object.values(one).every(isObject)))
      return jsonCalls(value);
    return list.flatMap((one) => Object.entries(one).map(([name, input]) => callOf(name, input)));
  },
});
