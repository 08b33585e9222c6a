import type { SlashCommand } from './command.ts';

const FILE = /^--- .*\n\+\+\+ /gm;

export const diff: SlashCommand = {
  name: 'diff',
  help: 'every change of a file in this session',
  run(context) {
    const { changes } = context;
    if (changes.length === 0) return context.say('info', 'nothing was changed in this session');
    const sum = (side: 'added' | 'removed') => changes.reduce((total, change) => total + change[side], 0);
    // A patch may change several files.
    const files = changes.reduce((total, { patch }) => total + Math.max(1, patch.match(FILE)?.length ?? 0), 0);
    const title = `${files} change${files === 1 ? '' : 's'}, +${sum('added')} −${sum('removed')}`;
    const text = changes.map(({ patch }) => patch.trimEnd()).join('\n');
    context.show({ kind: 'text', title, text, offset: 0, format: 'diff' });
  },
};
