/** `update_todos`: the whole list of what is to be done. */
import * as z from 'zod/mini';
import type { Todo } from '../types.ts';
import { defineTool } from './call/define-tool.ts';

export const updateTodos = defineTool({
  name: 'update_todos',
  description: 'Replace the todo list; for work of several steps.',
  input: z.object({
    items: z.array(z.object({ text: z.string(), status: z.enum(['pending', 'active', 'done']) })),
  }),
  kind: 'think',
  gate: () => ({ kind: 'none' }),
  title: ({ items }) => `${items.filter(({ status }) => status === 'done').length} of ${items.length} done`,
  run: async ({ items }) => {
    const todos: Todo[] = items.map(({ text, status }) => ({ text: text.trim(), status }));
    const counts = (['done', 'active', 'pending'] as const).map(
      (status) => `${todos.filter((todo) => todo.status === status).length} ${status}`,
    );
    return {
      output: todos.length === 0 ? 'The list is empty.' : `${todos.length} items: ${counts.join(', ')}.`,
      display: { kind: 'todos', items: todos },
      events: [{ type: 'todos', items: todos }],
    };
  },
});
