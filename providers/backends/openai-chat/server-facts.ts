/** What LM Studio and llama.cpp's server tell of their models outside of OpenAI's format: window as served, abilities. */
import type { ModelInfo } from '../../adapter.ts';
import { countOf, type Fields, fieldsOf, includesOf, isFields, rowsOf, textOf } from '../../wire/answer-fields.ts';

export type Program = 'lmstudio' | 'llamacpp';

/** Which program serves: as it names itself in its list of models, else as the vendor of the address says. */
export function program(provider: string, rows: readonly Fields[]): Program | undefined {
  const owner = rows[0]?.owned_by;
  if (owner === 'llamacpp' || provider === 'llamacpp') return 'llamacpp';
  if (owner === 'organization_owner' || provider === 'lmstudio') return 'lmstudio';
  return undefined;
}

/** The models with what the program tells of them; as they are where it does not. `ask` gives the answer at a path. */
export async function serverFacts(
  kind: Program,
  models: readonly ModelInfo[],
  ask: (path: string) => Promise<unknown>,
): Promise<ModelInfo[]> {
  const answer = await ask(kind === 'lmstudio' ? '/api/v0/models' : '/props').catch(() => undefined);
  if (!isFields(answer)) return [...models];
  if (kind === 'llamacpp') {
    // What it says is of the model that it was started with; a server of several is asked for none.
    return models.length === 1 ? [{ ...models[0]!, ...llamaFacts(answer) }] : [...models];
  }
  const rows = new Map(rowsOf(answer.data).map((row) => [row.id, row]));
  return models.map((model) => ({ ...model, ...studioFacts(fieldsOf(rows.get(model.id)), model) }));
}

/**
 * LM Studio, "REST API v0": `type` is llm, vlm or embeddings. A model that is not loaded is served with a window that the
 * program decides then: until that the longest is all that is known.
 */
function studioFacts(row: Fields, model: ModelInfo): Partial<ModelInfo> {
  const { type, state } = row;
  const loaded = typeof state === 'string' ? state === 'loaded' : undefined;
  const served = loaded === false ? null : countOf(row.loaded_context_length);
  const longest = countOf(row.max_context_length);
  const kind = type === 'llm' || type === 'vlm' || type === 'embeddings' ? type : undefined;
  return {
    contextTokens: served ?? longest ?? model.contextTokens,
    ...(longest !== null && { trainedTokens: longest }),
    // Without the list nothing is known: older versions do not have it.
    tools: kind === 'embeddings' ? false : (includesOf(row.capabilities, 'tool_use') ?? model.tools),
    vision: kind === undefined ? model.vision : kind === 'vlm',
    ...(kind === 'embeddings' && { embedding: true }),
    ...(loaded !== undefined && { loaded }),
    quantization: textOf(row.quantization) ?? model.quantization,
  };
}

/** llama.cpp, tools/server/README.md, "GET /props". A template that does not speak of tools says nothing of them. */
function llamaFacts(props: Fields): Partial<ModelInfo> {
  const window = countOf(fieldsOf(props.default_generation_settings).n_ctx) ?? countOf(props.n_ctx);
  const { vision } = fieldsOf(props.modalities);
  return {
    ...(window !== null && { contextTokens: window }),
    ...(/\btools\b/.test(textOf(props.chat_template) ?? '') && { tools: true }),
    ...(typeof vision === 'boolean' && { vision }),
  };
}
