/** What a server needs of a frontend besides the conversions: errors and event streams as text. */
import type { FrontendAdapter } from '../adapter.ts';
import type { HttpErrorAnswer } from './http-error.ts';

/** A frontend that can stand behind an HTTP endpoint. */
export interface HttpFrontendAdapter<Request = any, Response = any, Chunk = any>
  extends FrontendAdapter<Request, Response, Chunk> {
  /** Status, headers and body of an error in the caller's format. */
  toError(error: unknown): HttpErrorAnswer;
  /** One chunk of `fromIRStream` as a frame of a server-sent event stream. */
  toFrame(chunk: Chunk): string;
  /** What follows the last frame; `failed` when that was an error. Empty where nothing follows. */
  toLastFrame(failed: boolean): string;
  /** True for the chunk that tells an error. */
  isError(chunk: Chunk): boolean;
}
