/** What an approval asks, in words, and which answers it offers. */
import type { Approval, State } from './types.ts';

type Request = Approval['request'];

/** The answers that make sense; `yes`, `plan` and `no` always do. */
export interface Choices {
  /** `a`: not where it would change nothing, and never for what destroys. */
  auto: boolean;
  /** `r`: the rule it saves; null where none can be. */
  always: string | null;
  /** What that rule allows, where its own text does not say it to everybody. */
  meaning: string;
}

export function choicesOf({ request }: Approval, mode: State['mode']): Choices {
  const isDangerous = request.danger !== undefined;
  const always = isDangerous ? null : (request.rule?.split('\n').join(' and ') ?? null);
  const isWide = always !== null && (always.includes('*') || !always.includes('('));
  return { auto: !isDangerous && mode !== 'auto', always, meaning: isWide ? (request.ruleInWords ?? '') : '' };
}

/** Why `a` answers nothing where it is not offered. */
export const noAuto = ({ danger }: Request): string =>
  danger === undefined
    ? 'a does nothing here: auto mode is on already, and this is asked for in it too'
    : 'a does nothing here: what destroys is asked for every time, in auto mode too; y allows it once';

/** Why `r` answers nothing where it is not offered. */
export const noAlways = ({ danger }: Request): string =>
  danger === undefined
    ? 'r does nothing here: no rule can be saved for this; y allows it once'
    : 'r does nothing here: what destroys is asked for every time; y allows it once';

/** The first line: `ada wants to …`. Raw: what it names comes from the model. */
export function wantOf({ name, input, preview }: Request): string {
  if (name === 'bash') return 'ada wants to run a shell command';
  if (name === 'edit_file' || name === 'write_file' || name === 'apply_patch') {
    const file = preview?.kind === 'diff' ? preview.path : textOf(input.path);
    return file ? `ada wants to edit ${file}` : 'ada wants to edit files';
  }
  const path = textOf(input.path);
  if (name === 'read_file' && path) return `ada wants to read ${path}`;
  if (name === 'ls' && path) return `ada wants to list ${path}`;
  if ((name === 'grep' || name === 'glob') && path) return `ada wants to search ${path}`;
  if (name === 'web_fetch') return `ada wants to fetch ${hostOf(textOf(input.url))}`;
  return `ada wants to use ${name}`;
}

/** Why it asks: what stands behind the call's own title in the summary; the whole summary where that is not known. */
export function whyOf(request: Request, title: string | undefined): string {
  const { summary } = request;
  if (title !== undefined && summary === title) return '';
  if (title !== undefined && summary.startsWith(`${title} (`) && summary.endsWith(')')) {
    return summary.slice(title.length + 2, -1);
  }
  return summary;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function hostOf(url: string): string {
  try {
    return new URL(url).host || url;
  } catch {
    return url;
  }
}
