import type { EventOf } from '../../../core/types.ts';

/** What a call is about, in a few words; of one that could not be understood, the tool that it asked for. */
export function detailOf({ detail, input }: EventOf<'tool_call'>): string {
  return detail === '' && typeof input.name === 'string' ? input.name : detail;
}
