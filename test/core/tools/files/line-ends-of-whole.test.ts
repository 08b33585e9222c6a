import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testContext } from '../tool-context.ts';

it('a whole new content keeps CRLF line ends, and other ends than those before are told', async () => {
  const context = testContext();
  const file = join(context.project, 'f');
  const write = async (before: string, content: string) => {
    writeFileSync(file, before);
    context.memory.clear();
    const { output } = await context.call('write_file', { path: 'f', content });
    return [readFileSync(file, 'utf8'), output.replace(/^.*?\. It replaced .*?\./, '')];
  };
  expect(await write('a\r\n', 'b\nc\n')).toEqual(['b\r\nc\r\n', ' Its CRLF line ends were kept.']);
  expect(await write('a\n', 'b\r\nc\r\n')).toEqual(['b\r\nc\r\n', ' Its line ends were LF and now are CRLF.']);
  expect(await write('a\n', 'b\n')).toEqual(['b\n', '']);
});
