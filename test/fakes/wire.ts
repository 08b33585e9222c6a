/** What the scripted server needs of a wire format: which requests are refused, and how an answer is written. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Script, ScriptedModel, ScriptedTurn, ScriptedUsage } from './script.ts';

export type Json = Record<string, any>;

/** An answer that is not a stream. `body` is sent as JSON, a string as it is. */
export interface Reply {
  status: number;
  body: Json | string;
  headers?: Record<string, string>;
  /** Written one after another in place of `body`, each as a line of JSON. */
  lines?: AsyncIterable<Json>;
  /** Of the lines only the last is sent, an error with its status. */
  whole?: boolean;
  /** How long the answer is waited for, in ms. */
  delayMs?: number;
}

/** A part of a stream: `piece` carries some of the answer and counts for faults, `end` is the terminal event. */
export interface Frame {
  kind: 'frame' | 'piece' | 'end';
  text: string;
}

/** What outlives a request: the models that are loaded, and the marks that were put on reasoning. */
export interface ServerState {
  loaded: Map<string, { contextTokens: number; readyAt?: number }>;
  signatures: Map<string, string>;
  /** Bytes of models that were pulled, in part or whole, by name. */
  pulled: Map<string, number>;
}

export interface Exchange {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: Json;
  script: Script;
  models: readonly ScriptedModel[];
  state: ServerState;
}

/** An exchange that gets a turn of the model. `id` is unique in the server and counts up. */
export interface Answer extends Exchange {
  turn: ScriptedTurn;
  usage: ScriptedUsage | null;
  id: number;
}

export interface Wire {
  name: 'ollama' | 'openai-chat' | 'anthropic';
  /** True for the request that asks the model for a message. */
  isChat(method: string, path: string): boolean;
  contentType: string;
  streams(body: Json): boolean;
  /** How many results of tools the conversation holds. */
  results(body: Json): number;
  /** The error that the real server gives to a request that it does not accept. */
  refuse(exchange: Exchange): Reply | undefined;
  error(status: number, message: string, code?: string): Json;
  /** An error inside a stream. */
  errorFrame(message: string): string;
  frames(answer: Answer): Iterable<Frame>;
  whole(answer: Answer): Json;
  /** Answers every other request; undefined when the path is not of this format. */
  other(exchange: Exchange): Reply | undefined;
}

export const findModel = (exchange: Exchange, name: unknown): ScriptedModel | undefined =>
  exchange.models.find((model) => model.name === name || model.name === `${name}:latest`);

/** The instant that every answer claims to come from: answers do not depend on the clock. */
export const madeAt = '2026-01-01T00:00:00.000Z';
export const madeAtSeconds = Date.parse(madeAt) / 1000;
