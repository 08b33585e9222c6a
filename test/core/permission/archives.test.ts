/** Programs that print what an archive or a packed file holds: one rule for all of them. */
import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';
import { makeSmallProject } from './small-project.ts';

const { project, home } = makeSmallProject();
const judge = (command: string) => judgeCommand(command, { cwd: project, project, home, mode: 'plan' });

describe('the content of an archive of the project is read', () => {
  test.each([
    'unzip -p a.zip',
    'unzip -p a.zip src/a.ts',
    'unzip -qc a.zip',
    'unzip -l a.zip',
    'tar xOf a.tar',
    'tar -xzOf a.tar.gz src/a.ts',
    'tar --extract --to-stdout --file=a.tar src',
    'cat a.tar | tar xO',
    'bsdtar -xOf a.tar',
    '7z x -so a.7z',
    '7z l a.7z',
    'unrar p -inul a.rar',
    'ar p a.a',
    'ar tv a.a',
    'cpio -t < a.cpio',
    'cpio -i --to-stdout -F a.cpio',
    'zcat a.gz',
    'gzip -dc a.gz',
    'gunzip -kc a.gz',
    'gzip -l a.gz',
    'bzip2 -dc a.bz2',
    'xz -dc a.xz',
    'xz -T0 -dc a.xz',
    'zstd -dc a.zst',
    'lz4 -dc a.lz4',
    'brotli -dc a.br',
    'pigz -dc a.gz',
    'gzip -d < a.gz',
    'cat a.gz | gunzip',
    'zcat a.gz | head -5',
  ])('%s', async (command) => expect(await judge(command)).toMatchObject({ class: 'read', readOnly: true }));
});

describe('what lies elsewhere, is a secret, or changes something', () => {
  test.each([
    ['unzip -p /etc/a.zip', 'outside'],
    ['tar xOf ../a.tar', 'outside'],
    ['7z x -so /srv/a.7z', 'outside'],
    ['zcat /var/log/a.gz', 'outside'],
    ['zcat .env.gz', 'outside'],
    ['unzip -p a.zip .env', 'outside'],
    ['tar xOf a.tar app/.env', 'outside'],
    ['tar xOf a.tar ../x', 'outside'],
    ['7z x -so a.7z id_rsa', 'outside'],
    ['ar p a.a server.key', 'outside'],
    // Whole folders, and files that a list names.
    ['gzip -cr .', 'outside'],
    ['zcat -fr .', 'outside'],
    ['zstd -c -r .', 'outside'],
    ['xz -dc --files=list', 'outside'],
    ['zstd -dc --filelist list', 'outside'],
    ['7z x -so a.7z @list', 'outside'],
    // They write.
    ['zstd -dc -o x a.zst', 'write'],
    ['zstd -dc --rm a.zst', 'write'],
    ['gzip -d a.gz', 'write'],
    ['gzip a', 'write'],
    ['unzip a.zip', 'write'],
    ['unzip -p -d out a.zip', 'write'],
    ['tar xf a.tar', 'write'],
    ['tar xOf a.tar > x', 'write'],
    ['tar xOf a.tar --index-file=x', 'write'],
    ['7z x a.7z', 'unknown'],
    ['ar x a.a', 'unknown'],
    ['ar r a.a x.o', 'unknown'],
    ['cpio -i < a.cpio', 'unknown'],
    // They run what they are given, or reach elsewhere.
    ['tar xOf a.tar --to-command=sh', 'hidden'],
    ['tar xOf a.tar -I ./x', 'hidden'],
    ['tar xOf host:a.tar', 'unknown'],
    ['unzip -p a.zip | sh', 'hidden'],
  ])('%s is %s', async (command, expected) => {
    expect(await judge(command)).toMatchObject({ class: expected, verdict: 'deny' });
  });
});
