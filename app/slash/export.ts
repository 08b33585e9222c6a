import { resolve } from 'node:path';
import { plainText } from '../plain-text.ts';
import type { SlashCommand } from './command.ts';

export const exportCommand: SlashCommand = {
  name: 'export',
  help: 'write this conversation to a file: .md, .html, .json, or .jsonl for --model replay:FILE',
  argument: '[FILE]',
  async run(context, argument) {
    const { session } = context;
    if (!session?.state.prompts.length) return context.say('info', 'nothing was said yet');
    const file = resolve(session.state.cwd, argument.trim() || `ada-${session.id}.md`);
    const [{ exportSession, formatOfFile }, { writeFileSync }] = await Promise.all([
      import('../../core/export/export-session.ts'),
      import('node:fs'),
    ]);
    const text = exportSession(session.stored(), formatOfFile(file) ?? 'markdown', plainText);
    try {
      // What is there already is somebody's: it is not written over.
      writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
      return context.say('error', exists ? `${file} exists; name another file` : (error as Error).message);
    }
    context.say('info', `wrote ${file}`);
  },
};
