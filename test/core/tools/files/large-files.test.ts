import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../../core/tools/apply-patch.ts';
import { writeFile } from '../../../../core/tools/write-file.ts';
import { testContext } from '../tool-context.ts';

describe('a large file that is overwritten', () => {
  it('is not called created, and both answers say that it cannot be had again', async () => {
    const context = testContext();
    const file = join(context.cwd, 'big.bin');
    writeFileSync(file, '');
    truncateSync(file, 300 << 20);
    const input = { path: 'big.bin', content: 'small' };
    const preview = await writeFile.preview?.(input, context);
    expect(preview).toMatchObject({ kind: 'text' });
    const { text } = preview as { text: string };
    expect(text).toContain('(314572800 bytes) is too large to be kept: /rewind cannot bring it back.');
    expect(text).toContain('\nsmall');
    const { output } = await writeFile.run(input, context);
    expect(output).toBe(
      'Wrote big.bin (1 line, 5 bytes). It replaced 314572800 bytes, which you had not read. ' +
        'What it held was too large to be kept: /rewind cannot bring it back.',
    );
    expect(statSync(file).size).toBe(5);
  });

  it('is left alone where it was made or changed while somebody looked at the preview', async () => {
    const context = testContext();
    const file = join(context.cwd, 'big.bin');
    const input = { path: 'big.bin', content: 'small' };
    await writeFile.preview?.(input, context);
    writeFileSync(file, '');
    truncateSync(file, 300 << 20);
    expect((await writeFile.run(input, context)).output).toContain('was changed by something else');
    expect(statSync(file).size).toBe(300 << 20);
  });

  it('shows a diff where it can be read, with the remark in front', async () => {
    const context = testContext();
    writeFileSync(join(context.cwd, 'v.txt'), 'abc\n'.repeat(2_500_000));
    const { output, display } = await context.call('write_file', { path: 'v.txt', content: 'x\n' });
    expect(output).toContain('It replaced 2500000 lines, 10000000 bytes');
    expect(output).toContain('/rewind cannot bring it back');
    expect(display).toMatchObject({ kind: 'diff', added: 1, removed: 2_500_000 });
    expect((display as { patch: string }).patch.split('\n')[2]).toMatch(/^\\ What the file held before/);
  });

  it('is named by a patch that replaces or deletes it', async () => {
    const context = testContext([applyPatch]);
    for (const name of ['a', 'b']) writeFileSync(join(context.cwd, name), 'abc\n'.repeat(2_500_000));
    const patch = '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch\n';
    const { output } = await context.call('apply_patch', { patch });
    expect(output).toContain('(10000000 bytes), too large to be kept: /rewind cannot bring it back');
    expect(output).toContain('it held 10000000 bytes, too large to be kept');
  });

  it('says nothing of that for small ones', async () => {
    const context = testContext();
    await context.call('write_file', { path: 'a', content: 'one\n' });
    const { output } = await context.call('write_file', { path: 'a', content: 'two\n' });
    expect(output).not.toContain('rewind');
  });

  it('is edited everywhere at once without a limit on the number of places', async () => {
    const context = testContext();
    writeFileSync(join(context.cwd, 'many'), 'old\n'.repeat(130_000));
    const { output } = await context.call('edit_file', { path: 'many', old: 'old', new: 'new', all: true });
    expect(output).toContain('(+130000 -130000 near line 1)');
  });
});
