import { expect, it } from 'vitest';
import { toMarkdown } from '../../../core/export/markdown.ts';
import { outlineOf } from '../../../core/export/outline.ts';
import type { StoredEvent } from '../../../core/types.ts';

const written = (...events: object[]) => {
  const log = events as StoredEvent[];
  const outline = outlineOf(log, (event) => event);
  return [...toMarkdown(log, outline, (text) => text)].join('');
};
const exported = (text: string) => written({ type: 'user', text, seq: 1, time: 0 }).split('## You\n\n')[1]!;

it.each([
  ['a script', 'say <script>alert(1)</script>', 'say &lt;script>alert(1)&lt;/script>\n'],
  ['a comment', 'a <!-- b --> c', 'a &lt;!-- b --> c\n'],
  ['no tag', 'if a < b and 1 <2', 'if a < b and 1 <2\n'],
  ['a span of code', 'use `<b>` and ``a ` <i>`` here <b>', 'use `<b>` and ``a ` <i>`` here &lt;b>\n'],
  ['a fence', '```html\n<b>\n```\n<b>', '```html\n<b>\n```\n&lt;b>\n'],
  ['a longer fence', '````\n```\n<b>\n````\n<b>', '````\n```\n<b>\n````\n&lt;b>\n'],
  ['a fence that stays open', '```\n<b>', '```\n<b>\n```\n'],
  ['other fences', '~~~\n```\n<b>\n~~~\n<b>', '~~~\n```\n<b>\n~~~\n&lt;b>\n'],
  ['an entity', 'a &lt;b&gt; & c; `&lt;`', 'a &amp;lt;b&amp;gt; & c; `&lt;`\n'],
  ['backticks that stand for themselves', '\\`<b>\\`', '\\`&lt;b>\\`\n'],
  ['a sign that stands for itself', '\\<b>', '\\<b>\n'],
  ['a span that an earlier line began', 'a ` b\n` <b> `\n\n`<b>`', 'a ` b\n` &lt;b> `\n\n`<b>`\n'],
  ['a fence in a list', '- ```\n  <b>\n  ```\n<b>', '- ```\n  <b>\n  ```\n&lt;b>\n'],
  ['a fence that ends with its list', '1. a\n   ```\n   <b>\n<b>', '1. a\n   ```\n   <b>\n   ```\n&lt;b>\n'],
])('shows HTML of a prompt as it was written: %s', (_what, text, markdown) => {
  expect(exported(text)).toBe(markdown);
});

it('shows what a command hides', () => {
  const call = {
    type: 'tool_call',
    id: 'a',
    name: 'bash',
    detail: 'rm -rf x\recho hi\x1b[2K',
    input: {},
    seq: 1,
    time: 0,
  };
  expect(written(call)).toContain('### `bash rm -rf x␍echo hi␛[2K`');
});
