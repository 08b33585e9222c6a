/** Lets programs speak Anthropic Messages to us. */
import type { AdapterMetadata } from '../adapter.ts';
import type { IRChatRequest, IRChatResponse, IRChatStream } from '../ir.ts';
import { toAnthropicError } from './anthropic/error.ts';
import { readAnthropic } from './anthropic/request.ts';
import { type AnthropicResponse, toAnthropicResponse } from './anthropic/response.ts';
import { type AnthropicEvent, toAnthropicStream } from './anthropic/stream.ts';
import { type HttpErrorAnswer, refuseFaults } from './http-error.ts';
import type { HttpFrontendAdapter } from './http-frontend.ts';

export type AnthropicRequest = Record<string, any>;
export type { AnthropicResponse } from './anthropic/response.ts';
export type { AnthropicEvent } from './anthropic/stream.ts';

/** One event as a frame of the event stream. */
export const anthropicFrame = (event: AnthropicEvent): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/**
 * Reads Messages requests, writes messages and events. `toIR` takes what `validate` lets pass; what cannot be passed on
 * is in the IR's `metadata.warnings`.
 */
export class AnthropicFrontendAdapter
  implements HttpFrontendAdapter<AnthropicRequest, AnthropicResponse, AnthropicEvent>
{
  readonly metadata: AdapterMetadata = {
    name: 'anthropic',
    version: '1',
    provider: 'anthropic',
    capabilities: {
      streaming: true,
      multiModal: true,
      tools: true,
      reasoning: true,
      systemMessageStrategy: 'separate-parameter',
      supportsMultipleSystemMessages: true,
      contextTokens: null,
      outputTokens: null,
    },
  };

  /** Throws ValidationError; its details name the fields, for example `messages[2].content[0].input`. */
  async validate(request: AnthropicRequest): Promise<void> {
    // Loaded with the first request: who imports the library may never need it.
    const { faultsOfAnthropic } = await import('./anthropic/validate.ts');
    refuseFaults('Messages', faultsOfAnthropic(request));
  }

  async toIR(request: AnthropicRequest): Promise<IRChatRequest> {
    return readAnthropic(request);
  }

  async fromIR(response: IRChatResponse): Promise<AnthropicResponse> {
    return toAnthropicResponse(response);
  }

  /** Throws what happens before the first piece; what happens later ends the stream with an `error` event. */
  fromIRStream(stream: IRChatStream): AsyncGenerator<AnthropicEvent, void, undefined> {
    return toAnthropicStream(stream);
  }

  toError(error: unknown): HttpErrorAnswer {
    return toAnthropicError(error);
  }

  toFrame(event: AnthropicEvent): string {
    return anthropicFrame(event);
  }

  toLastFrame(): string {
    return '';
  }

  isError(event: AnthropicEvent): boolean {
    return event.type === 'error';
  }
}
