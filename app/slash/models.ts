import type { SlashCommand } from './command.ts';

export const models: SlashCommand = {
  name: 'models',
  help: 'what can be reached now: window, abilities, price',
  async run(context) {
    const found = await context.listModels();
    if (found.length === 0) return context.say('error', 'no model can be reached');
    const { table } = await import('../commands/models.ts');
    context.show({
      kind: 'text',
      title: 'Models (/model ID switches)',
      text: table(found),
      offset: 0,
      format: 'plain',
    });
  },
};
