import type { SlashCommand } from './command.ts';

export const help: SlashCommand = {
  name: 'help',
  help: 'this list',
  run(context) {
    const rows = context.commands.map(({ name, argument, aliases, help: text }) => {
      const also = aliases?.length ? ` (also ${aliases.map((alias) => `/${alias}`).join(', ')})` : '';
      return { call: `/${name}${argument ? ` ${argument}` : ''}`, text: text + also };
    });
    const width = Math.max(...rows.map(({ call }) => call.length));
    const text = rows.map((row) => `${row.call.padEnd(width)}  ${row.text}`).join('\n');
    const more = `A line that begins with / is a command, one with ! a shell command of yours (!! is not told to the model); everything else goes to the model. ${context.hint}`;
    context.show({ kind: 'text', title: 'Commands', text: `${text}\n\n${more}`, offset: 0, format: 'plain' });
  },
};
