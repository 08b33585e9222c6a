/** Builds the parts of a message from its streamed pieces. */
import type { IRStreamChunk, MessageContent, ReasoningContent, ToolUseContent } from '../ir.ts';

export interface MessageFold {
  /** Takes any chunk; those that carry no piece of the message change nothing. */
  add(chunk: IRStreamChunk): void;
  /** The parts so far, in the order in which they began. `model` becomes the owner of the reasoning. */
  parts(model?: string): MessageContent[];
}

export function createMessageFold(): MessageFold {
  let parts: MessageContent[] = [];
  let calls = new Map<string, ToolUseContent>();
  let block: { part: ReasoningContent; index: number | undefined } | undefined;

  return {
    add(chunk) {
      if (chunk.type === 'content') {
        const last = parts.at(-1);
        if (last?.type === 'text') last.text += chunk.delta;
        else parts.push({ type: 'text', text: chunk.delta });
      } else if (chunk.type === 'reasoning') {
        if (!block || block.index !== chunk.index || parts.at(-1) !== block.part) {
          block = { part: { type: 'reasoning', text: '' }, index: chunk.index };
          parts.push(block.part);
        }
        block.part.text += chunk.delta;
        if (chunk.signature !== undefined) block.part.signature = chunk.signature;
        if (chunk.redacted) block.part.redacted = true;
      } else if (chunk.type === 'tool_use_start') {
        const call: ToolUseContent = { type: 'tool_use', id: chunk.id, name: chunk.name, input: {} };
        calls.set(chunk.id, call);
        parts.push(call);
      } else if (chunk.type === 'tool_use_end') {
        const call = calls.get(chunk.id);
        if (!call) return;
        call.input = chunk.input;
        if (chunk.raw !== undefined) call.raw = chunk.raw;
        if (chunk.invalid !== undefined) call.invalid = chunk.invalid;
      } else if (chunk.type === 'retry' && chunk.discard) {
        parts = [];
        calls = new Map();
        block = undefined;
      }
    },
    parts: (model) =>
      parts.map((part) => (part.type === 'reasoning' && model !== undefined ? { ...part, model } : part)),
  };
}
