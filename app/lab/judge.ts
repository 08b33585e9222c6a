/** `ada lab judge`: `{ command, cwd?, project?, mode? }` to the verdict of the mode, without anybody's rules. */
import { homedir } from 'node:os';
import { type CommandVerdict, judgeCommand } from '../../core/permission/judge-command.ts';
import { createPlaces, type Places } from '../../core/permission/paths.ts';
import type { Mode } from '../../core/types.ts';
import { optionalText, text } from '../lab-row.ts';

const placesOf = new Map<string, Places>();
const MODES: readonly string[] = ['ask', 'plan', 'auto'];

export async function judge(row: Record<string, unknown>): Promise<CommandVerdict> {
  const command = text(row, 'command');
  const cwd = optionalText(row, 'cwd') ?? process.cwd();
  const project = optionalText(row, 'project') ?? cwd;
  const mode = optionalText(row, 'mode') ?? 'ask';
  if (!MODES.includes(mode)) throw new Error(`mode must be one of ${MODES.join(', ')}`);
  const home = process.env.HOME || homedir();
  const options = { cwd, project, home, path: process.env.PATH, mode: mode as Mode };
  // As in a session: the folders of a project are looked up once.
  let places = placesOf.get(project);
  if (!places) placesOf.set(project, (places = createPlaces(options)));
  const { verdict, class: worst, readOnly, destructive, reasons } = await judgeCommand(command, options, places);
  return { verdict, class: worst, readOnly, destructive, reasons };
}
