import type { SlashCommand } from './command.ts';

export const model: SlashCommand = {
  name: 'model',
  help: 'switch the model',
  argument: '[ID]',
  async run(context, argument) {
    const id = argument.trim();
    if (id !== '' && id === context.session?.state.model) return context.say('info', `the model is ${id} already`);
    if (id) return void context.send({ type: 'set', model: id });
    const models = (await context.listModels()).filter(({ embedding, tools }) => !embedding && tools !== false);
    if (models.length === 0) return context.say('error', 'no model can be reached');
    const items = models.map(({ id: value, local, contextTokens }) => ({
      label: value,
      detail: `${local ? '● local' : '○ hosted'}${contextTokens === null ? '' : `, ${Math.round(contextTokens / 1024)}k`}`,
      value,
    }));
    const selected = Math.max(
      0,
      items.findIndex(({ value }) => value === context.session?.state.model),
    );
    context.show({ kind: 'pick', title: 'Model', items, filter: '', selected, command: 'model' });
  },
};
