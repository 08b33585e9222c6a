/** Whether a project's own settings are used: asked once, before the first session, where there are any. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distrust, trust, trustOf } from '../../core/project.ts';
import { projectPlace } from './project-place.ts';
import type { Overlay } from './types.ts';

/** Name under which the answer comes back; no slash command has it. */
export const TRUST = 'trust-project';
export type TrustAnswer = 'yes' | 'no' | 'show' | 'later';

export interface TrustQuestion {
  project: string;
  adaHome: string;
  /** Path of the settings, and what stands there. */
  file: string;
  text: string;
}

/** What to ask; undefined where there is nothing to trust, or it is known. */
export function trustQuestion(cwd: string, env: NodeJS.ProcessEnv): TrustQuestion | undefined {
  const { home, adaHome, project } = projectPlace(cwd, env);
  const file = join(project, '.ada', 'settings.json');
  if (project === home) return undefined;
  const text = settingsIn(file);
  if (text === undefined || trustOf(adaHome, project) !== undefined) return undefined;
  return { project, adaHome, file, text };
}

/** The text of settings that set something. */
function settingsIn(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && Object.keys(value).length > 0 ? text : undefined;
  } catch {
    // What cannot be read cannot be used either.
    return undefined;
  }
}

/** Keeps a yes or a no. Throws when the disk refuses. */
export function keepTrust({ adaHome, project }: TrustQuestion, isYes: boolean): void {
  if (isYes) trust(adaHome, project);
  else distrust(adaHome, project);
}

/** What a person should know before answering. */
export const trustText = ({ project, file }: TrustQuestion): string =>
  [
    `${project} brings settings of its own (${file.slice(project.length + 1)}).`,
    'They may allow commands without asking, choose the model and add folders; its skills come with them.',
    'Use them only if you trust who wrote them.',
  ].join('\n');

export function trustMenu(question: TrustQuestion, now: number): Overlay {
  const items: { label: string; detail: string; value: TrustAnswer }[] = [
    { label: 'Yes, trust this folder', detail: 'its settings and skills are used from now on', value: 'yes' },
    { label: 'No', detail: 'they stay unused; nobody asks again', value: 'no' },
    { label: 'Show them', detail: 'then decide', value: 'show' },
  ];
  return {
    kind: 'pick',
    title: 'Trust this folder?',
    text: trustText(question),
    items,
    filter: '',
    selected: 0,
    command: TRUST,
    unchosen: 'later',
    shownAt: now,
  };
}
