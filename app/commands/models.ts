/** `ada models`: what can be reached now, and what is known of it. */
import type { ModelInfo } from '../../providers/adapter.ts';
import { listModels } from '../compose.ts';
import { workingDirectory } from '../compose-options.ts';
import type { Parsed } from '../flags.ts';
import { openStandardOutput } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { StartError } from '../start-error.ts';

export async function run({ flags, rest }: Parsed): Promise<number> {
  const [action = 'list', ...more] = rest;
  if (action !== 'list') throw new StartError(`unknown action ${action}; ada models knows list`);
  if (more.length) throw new StartError('ada models list takes no argument');
  const models = await listModels(process.env, workingDirectory(flags), flags.offline);
  if (models.length === 0 && !flags.json) {
    throw new StartError('no model can be reached: neither Ollama, nor a remote backend, nor a vendor with a key', 3);
  }
  const output = openStandardOutput();
  output.write(flags.json ? `${JSON.stringify({ models })}\n` : table(models));
  await output.flush();
  return models.length === 0 ? 3 : 0;
}

/** Columns: id, where it runs, window, abilities, price; what nobody reported is a dash. */
export function table(models: readonly ModelInfo[]): string {
  const rows = models.map((model) => [
    oneLine(model.id),
    `${model.local ? 'local' : 'hosted'} ${oneLine(model.provider)}`,
    model.contextTokens === null ? '-' : `${Math.round(model.contextTokens / 1024)}k`,
    abilities(model),
    model.local ? 'free' : model.price ? `$${model.price.input} / $${model.price.output}` : '-',
  ]);
  const all = [['MODEL', 'WHERE', 'WINDOW', 'ABILITIES', 'PRICE PER MILLION (IN / OUT)'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function abilities({ tools, vision, reasoning, embedding }: ModelInfo): string {
  const known = [tools && 'tools', vision && 'images', reasoning && 'reasoning', embedding && 'embedding'];
  return known.filter(Boolean).join(', ') || '-';
}
