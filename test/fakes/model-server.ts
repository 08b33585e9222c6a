/** A scripted model server on loopback that speaks Ollama, OpenAI Chat Completions and Anthropic Messages at once. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropic } from './anthropic.ts';
import { cutToWindow } from './cut-to-window.ts';
import { loadWait, ollama, pulledModels } from './ollama.ts';
import { openaiChat } from './openai-chat.ts';
import { programReply } from './programs.ts';
import {
  argumentText,
  defaultModel,
  fullText,
  greeting,
  type Script,
  type ScriptedTurn,
  type ScriptedUsage,
  turnAt,
} from './script.ts';
import type { Answer, Exchange, Json, Reply, ServerState, Wire } from './wire.ts';

/** One request as it arrived, and what became of its answer. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Parsed JSON; an empty object when there was no body. */
  body: Json;
  /** The body as it was sent. */
  text: string;
  /** The wire format, when the request asked the model for a message. */
  wire?: Wire['name'];
  /** Which turn answered it, and the how-many-th request of that turn it was, from 1. */
  turn?: number;
  attempt?: number;
  /** ms since the epoch. */
  at: number;
  /** Status of the answer, once it has begun. */
  status?: number;
  /** True once the answer has been sent whole. */
  finished: boolean;
  /** When the client closed the connection before that, in ms since the epoch. */
  closedEarlyAt?: number;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Only those that asked the model for a message. */
  chats(): readonly RecordedRequest[];
  /** Plays another script from its start and forgets the requests so far. */
  set(script: Script): void;
  /** Ends every connection, also the silent ones. */
  close(): Promise<void>;
}

const wires: readonly Wire[] = [ollama, openaiChat, anthropic];
const html = '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Captive portal</h1></body></html>\n';

/** Four bytes a token, as good a rule as any that is the same everywhere. */
function countTokens(request: string, turn: ScriptedTurn): ScriptedUsage {
  let characters = fullText(turn).length + (turn.reasoning?.length ?? 0);
  for (const call of turn.calls ?? []) characters += call.name.length + argumentText(call).length;
  return { input: Math.ceil(Buffer.byteLength(request) / 4), output: Math.max(1, Math.ceil(characters / 4)) };
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.delayMs) await sleep(reply.delayMs);
  if (reply.lines && reply.whole) {
    let last: Json = {};
    for await (const line of reply.lines) last = line;
    return send(response, { status: last.error ? 500 : 200, body: last });
  }
  if (reply.lines) {
    response.writeHead(reply.status, { 'content-type': 'application/x-ndjson', ...reply.headers });
    for await (const line of reply.lines) if (!(await write(response, `${JSON.stringify(line)}\n`))) return;
    return void response.end();
  }
  const text = typeof reply.body === 'string';
  const type = text ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(reply.status, { 'content-type': type, ...reply.headers });
  response.end(text ? (reply.body as string) : JSON.stringify(reply.body));
}

/** Writes to the socket and waits for the client to keep up; false when it has gone. */
async function write(response: ServerResponse, data: string, size?: number): Promise<boolean> {
  if (!size) return push(response, data);
  const bytes = Buffer.from(data);
  for (let from = 0; from < bytes.length; from += size) {
    if (!(await push(response, bytes.subarray(from, from + size)))) return false;
    await sleep(0);
  }
  return true;
}

function push(response: ServerResponse, data: string | Buffer): Promise<boolean> | boolean {
  if (response.destroyed) return false;
  if (response.write(data)) return true;
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle);
      resolve(!response.destroyed);
    };
    response.on('drain', settle).on('close', settle);
  });
}

/** Connections that the server broke itself: their end is not the client's doing. */
const broken = new WeakSet<ServerResponse>();
function breakOff(response: ServerResponse): void {
  broken.add(response);
  response.destroy();
}

async function stream(response: ServerResponse, wire: Wire, answer: Answer, faulty: boolean): Promise<void> {
  const { turn } = answer;
  const fault = faulty ? turn.fault : undefined;
  response.writeHead(200, { 'content-type': wire.contentType });
  response.flushHeaders();
  let pieces = 0;
  let waiting = '';
  const flush = async (): Promise<boolean> => {
    const data = waiting;
    waiting = '';
    return data === '' ? !response.destroyed : write(response, data, turn.writeSize);
  };
  for (const frame of wire.frames(answer)) {
    if (fault && 'after' in fault && (frame.kind === 'end' || (frame.kind === 'piece' && pieces === fault.after))) {
      if (!(await flush())) return;
      if (fault.kind === 'stall') return;
      if (fault.kind === 'stream-error') return void response.end(wire.errorFrame(fault.message));
      // Let what was sent reach the client before the connection breaks.
      await sleep(5);
      return breakOff(response);
    }
    if (frame.kind === 'end' && fault?.kind === 'no-end') continue;
    waiting += frame.text;
    if (frame.kind === 'piece') pieces++;
    if (frame.kind === 'piece' && turn.delayMs) {
      if (!(await flush())) return;
      await sleep(turn.delayMs);
    } else if (waiting.length > 16_384 && !(await flush())) return;
  }
  if (await flush()) response.end();
}

/** An answer without a stream: a cut leaves half of it, a stall none, an error in the stream becomes a status. */
async function sendWhole(response: ServerResponse, wire: Wire, answer: Answer, faulty: boolean): Promise<void> {
  const fault = faulty ? answer.turn.fault : undefined;
  if (fault?.kind === 'stall') return;
  if (fault?.kind === 'stream-error') return send(response, { status: 500, body: wire.error(500, fault.message) });
  const body = wire.whole(answer);
  if (fault?.kind !== 'cut') return send(response, { status: 200, body });
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  await push(response, text.slice(0, text.length / 2));
  await sleep(5);
  breakOff(response);
}

/** Commits a fault that needs no stream; false when the turn is to be played. */
function misbehave(response: ServerResponse, wire: Wire, turn: ScriptedTurn): boolean {
  const { fault } = turn;
  if (fault?.kind === 'status') {
    const headers: Record<string, string> =
      fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
    const body = wire.error(fault.status, fault.message ?? `Scripted failure with status ${fault.status}.`, fault.code);
    void send(response, { status: fault.status, body, headers });
  } else if (fault?.kind === 'html') {
    response.writeHead(fault.status ?? 200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  } else if (fault?.kind === 'hangup') breakOff(response);
  else if (fault?.kind !== 'silence') return false;
  return true;
}

/** Starts the server on a free port of 127.0.0.1; it greets until it gets another script. */
export async function startModelServer(script: Script = greeting, port = 0): Promise<ModelServer> {
  let playing = script;
  let requests: RecordedRequest[] = [];
  let attempts = new Map<number, number>();
  let state: ServerState = { loaded: new Map(), signatures: new Map(), pulled: new Map() };
  let nextId = 0;
  const open = new Set<ServerResponse>();

  async function answer(
    response: ServerResponse,
    wire: Wire,
    exchange: Exchange,
    record: RecordedRequest,
  ): Promise<void> {
    const { index, turn: written } = turnAt(playing, wire.results(exchange.body));
    const turn = wire.streams(exchange.body) && written.streamed ? { ...written, ...written.streamed } : written;
    const attempt = (attempts.get(index) ?? 0) + 1;
    attempts.set(index, attempt);
    Object.assign(record, { turn: index, attempt });
    const faulty = turn.fault !== undefined && attempt <= (turn.faultTimes ?? 1);
    if (wire === ollama && playing.loadMs) await sleep(loadWait(exchange));
    if (turn.firstByteMs) await sleep(turn.firstByteMs);
    if (faulty && misbehave(response, wire, turn)) return;
    let counted = turn.usage === undefined ? countTokens(record.text, turn) : turn.usage;
    if (playing.cutsLongPrompts && counted) {
      const { cutsLongPrompts: cuts } = playing;
      const cut = cutToWindow(exchange.body, counted.input, cuts === true ? undefined : cuts.window);
      if ('refusal' in cut) return send(response, { status: cut.status, body: wire.error(cut.status, cut.refusal) });
      counted = { ...counted, input: cut.tokens };
    }
    const usage = counted;
    const whole: Answer = { ...exchange, turn, usage, id: ++nextId };
    if (wire.streams(exchange.body)) await stream(response, wire, whole, faulty);
    else await sendWhole(response, wire, whole, faulty);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const method = request.method ?? 'GET';
    const record: RecordedRequest = {
      method,
      path,
      headers: request.headers,
      body: {},
      text,
      at: Date.now(),
      finished: false,
    };
    requests.push(record);
    response.on('finish', () => (record.finished = true));
    open.add(response);
    response.on('close', () => {
      open.delete(response);
      if (response.headersSent) record.status = response.statusCode;
      if (!record.finished && !broken.has(response)) record.closedEarlyAt = Date.now();
    });
    if (text) record.body = JSON.parse(text);
    const models = [...(playing.models ?? [defaultModel]), ...pulledModels(playing, state)];
    const exchange: Exchange = {
      path,
      method,
      headers: request.headers,
      body: record.body,
      script: playing,
      models,
      state,
    };
    const own = programReply(exchange, requests.length - 1);
    const wire = wires.find((candidate) => candidate.isChat(method, path));
    if (own && wire) record.wire = wire.name;
    if (own) return send(response, own);
    if (wire) {
      const refusal = wire.refuse(exchange);
      // Ollama loads a model with a chat that holds no message: not a question, and answered at once.
      if (refusal?.status !== 200) record.wire = wire.name;
      if (refusal) await send(response, refusal);
      else await answer(response, wire, exchange, record);
      return;
    }
    // Anthropic before OpenAI: both have /v1/models, and only Anthropic's clients send a version.
    for (const candidate of [ollama, anthropic, openaiChat]) {
      const reply = candidate.other(exchange);
      if (reply) return send(response, reply);
    }
    return send(response, { status: 404, body: '404 page not found' });
  }

  const server = createServer((request, response) => {
    request.socket.setNoDelay(true);
    handle(request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy();
      else
        void send(response, { status: 400, body: { error: `The scripted server could not answer: ${error.message}` } });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    chats: () => requests.filter((request) => request.wire !== undefined),
    set(next) {
      playing = next;
      requests = [];
      attempts = new Map();
      state = { loaded: new Map(), signatures: state.signatures, pulled: new Map() };
    },
    close: () =>
      new Promise((resolve) => {
        for (const response of open) broken.add(response);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
