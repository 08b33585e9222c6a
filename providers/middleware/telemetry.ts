import type { Attributes, Histogram, Span } from '@opentelemetry/api';
import type { Middleware, MiddlewareContext } from '../adapter.ts';
import type { AdapterError } from '../errors.ts';
import { type IRMetadata, type IRStreamChunk, type IRUsage, partsOf, resolveServedModel } from '../ir.ts';

export interface TelemetryOptions {
  /** True: prompts and answers go into the span too. They are private; left out unless asked for. */
  content?: boolean;
  /** Added to every span and metric. */
  attributes?: Readonly<Record<string, string | number | boolean>>;
}

type Api = typeof import('@opentelemetry/api');

const SCOPE = 'ada-agent/providers';

/**
 * One OpenTelemetry client span for each request, and histograms of its tokens and seconds, to whatever providers the
 * program has registered; without any it does nothing. Names: OpenTelemetry semantic conventions, "GenAI". Whatever
 * lies further in runs inside the span.
 */
export function createTelemetryMiddleware(options: TelemetryOptions = {}): Middleware {
  let loaded: Promise<ReturnType<typeof instruments>> | undefined;
  return async function* telemetry(context, next) {
    loaded ??= import('@opentelemetry/api').then(instruments);
    const { api, seconds, tokens } = await loaded;
    const began = performance.now();
    const about = { ...options.attributes, ...aboutRequest(context) };
    const span = api.trace.getTracer(SCOPE).startSpan(`chat ${about['gen_ai.request.model'] ?? ''}`.trim(), {
      kind: api.SpanKind.CLIENT,
      attributes: { ...about, ...requestParameters(context), ...(options.content && { ...prompts(context) }) },
    });
    const inside = api.trace.setSpan(api.context.active(), span);
    const metered: Attributes = { ...about };
    let text = '';
    let failure: unknown;
    let over = false;
    try {
      const stream = api.context.with(inside, () => next()[Symbol.asyncIterator]());
      try {
        for (;;) {
          const { value: chunk, done } = await api.context.with(inside, () => stream.next());
          if (done) break;
          if (chunk.type === 'content' && options.content) text += chunk.delta;
          else if (chunk.type === 'retry') {
            if (chunk.discard) text = '';
            span.addEvent('retry', { reason: chunk.reason, attempt: chunk.attempt, delay_ms: chunk.delayMs });
          } else if (chunk.type === 'done') {
            over = true;
            Object.assign(metered, aboutAnswer(chunk.metadata));
            span.setAttributes({ ...metered, ...answerFacts(chunk) });
            count(tokens, chunk.usage, metered);
          } else if (chunk.type === 'error') {
            over = true;
            failure = chunk.error;
          }
          yield chunk;
        }
      } finally {
        await stream.return?.();
      }
    } catch (error) {
      over = true;
      failure = error;
      throw error;
    } finally {
      if (failure !== undefined) metered['error.type'] = fail(api, span, failure);
      else if (!over) span.addEvent('left');
      if (text) span.setAttribute('gen_ai.output.messages', JSON.stringify([said('assistant', text)]));
      seconds.record((performance.now() - began) / 1000, metered);
      span.end();
    }
  };
}

/** Made once: the API hands on to the provider that is registered when something is recorded. */
function instruments(api: Api) {
  const meter = api.metrics.getMeter(SCOPE);
  return {
    api,
    seconds: meter.createHistogram('gen_ai.client.operation.duration', { unit: 's' }),
    tokens: meter.createHistogram('gen_ai.client.token.usage', { unit: '{token}' }),
  };
}

/** What spans and metrics both carry; nothing that tells one request from another. */
function aboutRequest({ request, backend, backendName }: MiddlewareContext): Attributes {
  const provider = backend?.metadata.provider ?? backendName;
  const model = request.parameters?.model;
  return {
    'gen_ai.operation.name': 'chat',
    ...(provider !== undefined && { 'gen_ai.provider.name': provider }),
    ...(model !== undefined && { 'gen_ai.request.model': model }),
  };
}

function requestParameters({ request }: MiddlewareContext): Attributes {
  const { temperature, topP, topK, maxTokens, stopSequences, seed, frequencyPenalty, presencePenalty } =
    request.parameters ?? {};
  const format = request.responseFormat?.type;
  return defined({
    'gen_ai.request.temperature': temperature,
    'gen_ai.request.top_p': topP,
    'gen_ai.request.top_k': topK,
    'gen_ai.request.max_tokens': maxTokens,
    'gen_ai.request.stop_sequences': stopSequences && [...stopSequences],
    'gen_ai.request.seed': seed,
    'gen_ai.request.frequency_penalty': frequencyPenalty,
    'gen_ai.request.presence_penalty': presencePenalty,
    'gen_ai.output.type': format && (format === 'text' ? 'text' : 'json'),
  });
}

/** Behind a router only the answer knows which provider it was. */
function aboutAnswer({ provenance }: IRMetadata): Attributes {
  return defined({
    'gen_ai.provider.name': provenance?.backend,
    'gen_ai.response.model': resolveServedModel(provenance),
  });
}

function answerFacts({ finishReason, usage, metadata }: Extract<IRStreamChunk, { type: 'done' }>): Attributes {
  return defined({
    'gen_ai.response.id': metadata.providerResponseId,
    'gen_ai.response.finish_reasons': [finishReason],
    'gen_ai.usage.input_tokens': usage?.promptTokens ?? undefined,
    'gen_ai.usage.output_tokens': usage?.completionTokens ?? undefined,
    'gen_ai.usage.cache_read.input_tokens': usage?.cacheReadTokens ?? undefined,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWriteTokens ?? undefined,
  });
}

function count(tokens: Histogram, usage: IRUsage | undefined, about: Attributes): void {
  const { promptTokens = null, completionTokens = null } = usage ?? {};
  if (promptTokens !== null) tokens.record(promptTokens, { ...about, 'gen_ai.token.type': 'input' });
  if (completionTokens !== null) tokens.record(completionTokens, { ...about, 'gen_ai.token.type': 'output' });
}

/** Marks the span as failed; the code of the error. */
function fail(api: Api, span: Span, failure: unknown): string {
  const error = failure instanceof Error ? failure : new Error(String(failure));
  const type = (error as Partial<AdapterError>).code ?? error.name;
  span.recordException(error);
  span.setAttribute('error.type', type);
  span.setStatus({ code: api.SpanStatusCode.ERROR, message: error.message });
  return type;
}

function prompts({ request }: MiddlewareContext): Attributes {
  const texts = request.messages.map(({ role, content }) =>
    said(role, ...partsOf(content).map((part) => ('text' in part ? part.text : `[${part.type}]`))),
  );
  return { 'gen_ai.input.messages': JSON.stringify(texts) };
}

const said = (role: string, ...texts: string[]) => ({
  role,
  parts: texts.map((content) => ({ type: 'text', content })),
});

const defined = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
