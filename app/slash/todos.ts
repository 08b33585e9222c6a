import type { SlashCommand } from './command.ts';

const SIGNS = { pending: '[ ]', active: '[>]', done: '[x]' } as const;

export const todos: SlashCommand = {
  name: 'todos',
  help: 'the list of steps that the model keeps',
  run(context) {
    if (context.todos.length === 0) return context.say('info', 'no todos yet');
    const text = context.todos.map((todo) => `${SIGNS[todo.status]} ${todo.text}`).join('\n');
    context.show({ kind: 'text', title: 'Todos', text, offset: 0, format: 'plain' });
  },
};
