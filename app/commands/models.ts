/** `ada models`: what can be reached now, what is known of it, and getting more. */
import type { ModelInfo } from '../../providers/adapter.ts';
import { modelsAt } from '../compose.ts';
import { workingDirectory } from '../compose-options.ts';
import type { Parsed } from '../flags.ts';
import { placeName } from '../models/where.ts';
import type { ShownModel } from '../models-api.ts';
import { complain, openStandardOutput } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { bytesText } from '../pull-progress.ts';
import { StartError } from '../start-error.ts';

/** What answers when none is named. */
interface Preferred {
  id: string;
  reason: string;
}

export async function run({ flags, rest }: Parsed): Promise<number> {
  const [action = 'list', name, ...more] = rest;
  const { models, named } = modelsAt(process.env, workingDirectory(flags), flags.offline);
  for (const problem of models.problems) complain(`ada: ${oneLine(problem, 400)}`);
  try {
    switch (action) {
      case 'list':
        if (name !== undefined) throw new StartError('ada models list takes no argument');
        return await list();
      case 'show':
        return await show(wanted(action, name, more));
      case 'pull': {
        const { pullOnTerminal } = await import('../pull-command.ts');
        return await pullOnTerminal(models, wanted(action, name, more), flags);
      }
      default:
        throw new StartError(`unknown action ${action}; ada models knows list, show and pull`);
    }
  } finally {
    models.close();
  }

  async function list(): Promise<number> {
    const silent: string[] = [];
    const found = await models.list((line) => silent.push(line));
    // Says what was looked for, unless a hosted model that nobody lists would answer.
    if (found.length === 0 && !flags.json) await models.choose(undefined);
    for (const line of silent) complain(`ada: ${oneLine(line, 400)}`);
    const chosen: Preferred | undefined = named
      ? { id: named, reason: 'named by the settings or ADA_MODEL' }
      : await models.preferred();
    await print(flags.json ? `${JSON.stringify({ models: found, default: chosen ?? null })}\n` : table(found, chosen));
    return found.length === 0 && chosen === undefined ? 3 : 0;
  }

  async function show(id: string): Promise<number> {
    const shown = await models.show(id);
    await print(flags.json ? `${JSON.stringify(shown)}\n` : facts(shown));
    return 0;
  }
}

function wanted(action: string, name: string | undefined, more: readonly string[]): string {
  if (name === undefined || name.trim() === '' || more.length > 0)
    throw new StartError(`ada models ${action} takes one name`);
  return name;
}

async function print(text: string): Promise<void> {
  const output = openStandardOutput();
  output.write(text);
  await output.flush();
}

/** The host is named where it is not this machine, or there are several. */
function whereIn(models: readonly ModelInfo[]): (model: ModelInfo) => string {
  const hosts = new Set(models.flatMap(({ server, provider }) => (server ? [`${provider} ${server.host}`] : [])));
  return ({ local, provider, server, cloud, loaded }) => {
    const rivals = [...hosts].filter((host) => host.startsWith(`${provider} `)).length > 1;
    const at = server && (rivals || server.locality !== 'machine') ? ` at ${server.host}` : '';
    const on = cloud ? ', passed on' : loaded ? ', loaded' : '';
    return `${local ? 'local' : 'hosted'} ${oneLine(provider + at)}${on}`;
  };
}

/**
 * Columns: id, where it runs, window, abilities, price; what nobody reported is a dash. The chosen one is marked, with
 * the reason below.
 */
export function table(models: readonly ModelInfo[], chosen?: Preferred): string {
  const isChosen = ({ id }: ModelInfo): boolean => id === chosen?.id || `ollama/${id}` === chosen?.id;
  const where = whereIn(models);
  const rows = models.map((model) => [
    oneLine(model.id) + (isChosen(model) ? ' *' : ''),
    where(model),
    windowText(model.contextTokens),
    abilities(model),
    priceText(model, ' / '),
  ]);
  const all = [['MODEL', 'WHERE', 'WINDOW', 'ABILITIES', 'PRICE PER MILLION (IN / OUT)'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const lines = all.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
  if (chosen) {
    const mark = models.some(isChosen) ? '* answers' : `${oneLine(chosen.id)} answers`;
    lines.push('', `${mark} when no model is named: ${oneLine(chosen.reason)}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** One fact a line; what nobody reported is left out, but for what matters most. */
export function facts(model: ShownModel): string {
  const { window, longestTokens, size, parameters, quantization, family, loaded, loadedTokens } = model;
  const inMemory = loadedTokens === null ? 'yes' : `yes, with ${tokensText(loadedTokens)}`;
  const rows: [string, string | null | undefined][] = [
    ['model', model.id],
    ['where', placeText(model)],
    [
      'window',
      window.tokens === null
        ? `unknown: ${window.reason}`
        : `${tokensText(window.tokens)} as served here: ${window.reason}`,
    ],
    ['longest', longestTokens === null ? null : `${tokensText(longestTokens)}, what it was made for`],
    ['abilities', abilities(model)],
    ['parameters', parameters],
    ['quantisation', quantization],
    ['family', family],
    ['size', size === null ? null : bytesText(size)],
    ['loaded', loaded === undefined ? null : loaded ? inMemory : 'no'],
    ['price', model.local || model.price ? priceText(model, ' in, ') : 'unknown'],
  ];
  const known = rows.flatMap(([name, value]) => (value ? [`${name.padEnd(13)} ${oneLine(value, 400)}\n`] : []));
  const remedy = model.tools === false ? '\nIt cannot call tools: it can talk, but hardly read or change files.\n' : '';
  return known.join('') + remedy;
}

function placeText({ local, provider, url, server, cloud }: ShownModel): string {
  const kind = local ? 'local' : 'hosted';
  const place = server ? `, ${placeName(server)}` : '';
  return `${kind}, ${provider} at ${url}${place}${cloud ? ', which passes it on to a hosted service' : ''}`;
}

const windowText = (tokens: number | null): string => (tokens === null ? '-' : `${Math.round(tokens / 1024)}k`);
const tokensText = (tokens: number): string => `${tokens.toLocaleString('en-US')} tokens`;

function priceText({ local, price }: ModelInfo, between: string): string {
  if (local) return 'free';
  if (!price) return '-';
  const out = between === ' / ' ? '' : ' out, US dollars a million tokens';
  return `$${price.input}${between}$${price.output}${out}`;
}

function abilities({ tools, vision, reasoning, embedding }: ModelInfo): string {
  const known = [tools && 'tools', vision && 'images', reasoning && 'reasoning', embedding && 'embedding'];
  return known.filter(Boolean).join(', ') || '-';
}
