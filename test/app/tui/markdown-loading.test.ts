import { expect, it } from 'vitest';
import { allLines, blockLines } from '../../../app/tui/blocks.ts';
import { loadMarkdown, markdownReady, renderMarkdown } from '../../../app/tui/markdown.ts';
import type { Block } from '../../../app/tui/types.ts';

// One test in a file of its own: the lexer stays loaded for the rest of a process.
it('shows Markdown as plain text until the lexer is there, and then as Markdown', async () => {
  const block: Block = {
    kind: 'answer',
    settled: ['Some `code`.\n\n'.repeat(20)],
    tail: '- **a**\n\x1b[2J',
    streaming: true,
  };
  const last = () => allLines(blockLines(block, 40, 'dark', 0)).at(-1);

  expect(renderMarkdown('Prose needs no lexer,\n\n\nand has no effect on it.', 30, 'dark')).toEqual([
    ...['Prose needs no lexer,', '', 'and has no effect on it.'],
  ]);
  expect(markdownReady()).toBe(false);
  expect(last()).toBe('- **a**');

  await loadMarkdown();
  expect(markdownReady()).toBe(true);
  expect(last()).toBe('\x1b[96m• \x1b[0m\x1b[1ma\x1b[0m');
  expect(allLines(blockLines(block, 40, 'dark', 0))[1]).toContain('\x1b[36mcode\x1b[0m');
});
