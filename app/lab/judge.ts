/** `ada lab judge`: `{ command, cwd?, project?, mode? }` to the verdict of the mode, without anybody's rules. */
import { homedir } from 'node:os';
import { type CommandVerdict, judgeCommand } from '../../core/permission/judge-command.ts';
import type { Mode } from '../../core/types.ts';
import { optionalText, text } from '../lab-row.ts';

const MODES: readonly string[] = ['ask', 'plan', 'auto'];

export async function judge(row: Record<string, unknown>): Promise<CommandVerdict> {
  const command = text(row, 'command');
  const cwd = optionalText(row, 'cwd') ?? process.cwd();
  const project = optionalText(row, 'project') ?? cwd;
  const mode = optionalText(row, 'mode') ?? 'ask';
  if (!MODES.includes(mode)) throw new Error(`mode must be one of ${MODES.join(', ')}`);
  const home = process.env.HOME || homedir();
  const {
    verdict,
    class: worst,
    readOnly,
    destructive,
    reasons,
  } = await judgeCommand(command, { cwd, project, home, path: process.env.PATH, mode: mode as Mode });
  return { verdict, class: worst, readOnly, destructive, reasons };
}
