/** Lets programs speak OpenAI Chat Completions to us. */
import type { AdapterMetadata } from '../adapter.ts';
import type { IRChatRequest, IRChatResponse, IRChatStream } from '../ir.ts';
import { type HttpErrorAnswer, refuseFaults } from './http-error.ts';
import type { HttpFrontendAdapter } from './http-frontend.ts';
import { toOpenAIError } from './openai-chat/error.ts';
import { readOpenAIChat } from './openai-chat/request.ts';
import { type OpenAIChatResponse, toOpenAIChatResponse } from './openai-chat/response.ts';
import { type OpenAIChatChunk, toOpenAIChatStream } from './openai-chat/stream.ts';

export type OpenAIChatRequest = Record<string, any>;
export type { OpenAIChatResponse } from './openai-chat/response.ts';
export type { OpenAIChatChunk } from './openai-chat/stream.ts';

/** One chunk as a frame of the event stream. */
export const openAIChatFrame = (chunk: OpenAIChatChunk): string => `data: ${JSON.stringify(chunk)}\n\n`;

/**
 * Reads chat completion requests, writes completions and chunks. `toIR` takes what `validate` lets pass; what cannot be
 * passed on is in the IR's `metadata.warnings`.
 */
export class OpenAIFrontendAdapter
  implements HttpFrontendAdapter<OpenAIChatRequest, OpenAIChatResponse, OpenAIChatChunk>
{
  readonly metadata: AdapterMetadata = {
    name: 'openai',
    version: '1',
    provider: 'openai',
    capabilities: {
      streaming: true,
      multiModal: true,
      tools: true,
      reasoning: true,
      systemMessageStrategy: 'in-messages',
      supportsMultipleSystemMessages: true,
      contextTokens: null,
      outputTokens: null,
    },
  };

  /** Throws ValidationError; its details name the fields, for example `messages[2].content`. */
  async validate(request: OpenAIChatRequest): Promise<void> {
    // Loaded with the first request: who imports the library may never need it.
    const { faultsOfOpenAIChat } = await import('./openai-chat/validate.ts');
    refuseFaults('chat completion', faultsOfOpenAIChat(request));
  }

  async toIR(request: OpenAIChatRequest): Promise<IRChatRequest> {
    return readOpenAIChat(request);
  }

  async fromIR(response: IRChatResponse): Promise<OpenAIChatResponse> {
    return toOpenAIChatResponse(response);
  }

  /** Throws what happens before the first piece; what happens later ends the stream with `{ error }`. */
  fromIRStream(stream: IRChatStream): AsyncGenerator<OpenAIChatChunk, void, undefined> {
    return toOpenAIChatStream(stream);
  }

  toError(error: unknown): HttpErrorAnswer {
    return toOpenAIError(error);
  }

  toFrame(chunk: OpenAIChatChunk): string {
    return openAIChatFrame(chunk);
  }

  toLastFrame(failed: boolean): string {
    return failed ? '' : 'data: [DONE]\n\n';
  }

  isError(chunk: OpenAIChatChunk): boolean {
    return chunk.error !== undefined;
  }
}
