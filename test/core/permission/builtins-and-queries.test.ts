/** Built-ins that set variables, and programs of the system that are asked something, in the mode that asks for all else. */
import { describe, expect, test } from 'vitest';
import { judgeIn } from './judge-projects.ts';

const classOf = async (command: string) => (await judgeIn('env', command, 'ask')).class;

describe('built-ins', () => {
  test.each([
    'declare -A m=([a]=1 [b]=2); for k in "$' + '{!m[@]}"; do echo "$k"; done',
    'for i in "$' + '{!list[@]}"; do echo $i; done',
    'echo $' + '{!GIT_*}',
    "mapfile -t files < <(git ls-files '*.js'); echo $" + '{#files[@]}',
    'readarray -t lines < README.md; echo "$' + '{lines[0]}"',
    "printf -v y '%03d' 7; echo $y",
    'let x=1+1; echo $x',
    'x=1; let x=x+1 y=2; echo $x',
    'time cd src && cat ../README.md',
    'ls | tee /dev/stderr | wc -l',
    'ls | tee -a /dev/null',
    'help cd',
    'dirs -v',
  ])('%s reads', async (command) => {
    expect(await classOf(command)).toBe('read');
  });

  test.each([
    'echo $' + '{!x}',
    'echo $' + '{!x[0]}',
    "mapfile -C 'touch x' -c 1 lines < README.md",
    'mapfile -t PATH < README.md',
    'printf -v PATH /tmp/x; ls',
    'time printf -v PATH /tmp/x; ls',
    "printf -v 'a[$(touch x)]' 1",
    'printf -v y touch; $y x',
    'mapfile -t c < README.md; "$' + '{c[@]}"',
    "let 'a[$(touch x)]=1'",
    'let x=y',
    'x=$(cat README.md); let y=x',
    'let PATH=1',
  ])('%s is hidden', async (command) => {
    expect(await classOf(command)).toBe('hidden');
  });

  test.each([
    ['cd src && time cd .. && cat ../outside.txt', 'outside'],
    ['mapfile -t f < README.md; cat "$' + '{f[@]}"', 'outside'],
    ['printf -v f "%s" README.md; cat $f', 'outside'],
    ['ls | tee /dev/stderr out.txt', 'write'],
  ])('%s is %s', async (command, expected) => {
    expect(await classOf(command)).toBe(expected);
  });
});

describe('questions', () => {
  test.each([
    'git -c color.ui=never diff --stat',
    'git -c core.quotepath=off ls-files',
    'openssl version',
    'openssl x509 -in body.crt -noout -text',
    'openssl req -in body.csr -noout -subject',
    'openssl dgst -sha256 README.md',
    'openssl rand -hex 16',
    'ssh -V',
    'journalctl -n 20 -u web --no-pager',
    'dmesg -T',
    'nvidia-smi --query-gpu=name --format=csv',
    'apt-cache policy git',
    'iostat 1 2',
    'stty -a',
  ])('%s reads', async (command) => {
    expect(await classOf(command)).toBe('read');
  });

  test.each([
    ['git -c core.fsmonitor=./x status', 'hidden'],
    ['git -c color.ui=never push origin master', 'network'],
    ['openssl s_client -connect example.com:443', 'network'],
    ['openssl x509 -in body.crt -out x.crt', 'network'],
    ['openssl x509 -in ../body.crt -noout', 'outside'],
    ['openssl x509 -in .env -noout', 'outside'],
    ['ssh example.com uptime', 'network'],
    ['journalctl --vacuum-size=1M', 'unknown'],
    ['dmesg -c', 'unknown'],
    ['nvidia-smi --gpu-reset', 'unknown'],
    ['stty -echo', 'unknown'],
  ])('%s is %s', async (command, expected) => {
    expect(await classOf(command)).toBe(expected);
  });
});

describe('forms of the shell and of awk', () => {
  test.each([
    ['echo $[3+4]', 'read'],
    ['x=2; echo "$[x*2]" README.md', 'read'],
    ['echo $[a[$(touch x)]]', 'hidden'],
    ['x=$(cat README.md); echo $[x]', 'hidden'],
    ['time { ls; cat README.md; }', 'read'],
    ['time (cd src && ls)', 'read'],
    ['time -p { touch x; }', 'write'],
    ['time (rm -rf src; cat README.md | sh)', 'destructive'],
    ['ls -l | awk \'{print $5 | "sort -rn"}\'', 'read'],
    ['awk \'{printf "%s", $1; print $2 | "sort -u" } END { close("sort -u") }\' README.md', 'read'],
    ['awk \'{print $5 | "sh"}\' README.md', 'hidden'],
    ['awk \'{print $5 | "sort -o x"}\' README.md', 'write'],
    ['awk \'{print $5 | "sort " c}\' README.md', 'hidden'],
    ['awk \'{print | "xargs rm"}\' README.md', 'destructive'],
    ['awk \'{print | c; x = "sort"}\' README.md', 'hidden'],
    ['awk \'{x = "print | " c | "sort"}\' README.md', 'hidden'],
    ['awk \'"date" | getline d\' README.md', 'hidden'],
  ])('%s is %s', async (command, expected) => {
    expect(await classOf(command)).toBe(expected);
  });
});

describe('settings of the shell', () => {
  test.each([
    ['shopt -s nullglob; for f in src/*.js; do wc -l "$f"; done', 'read'],
    ['shopt -s nullglob; ls *.none; cat src/*.js', 'read'],
    ['shopt -s nullglob; for f in src/*.js; do mv "$f" lib/; done', 'write'],
    ['shopt -s globstar; ls **/*.js', 'read'],
    ['shopt -s failglob inherit_errexit; ls', 'read'],
    ['shopt -p nullglob', 'read'],
    ["shopt -s nullglob; bash *.none -c 'echo [a]'", 'hidden'],
    ["shopt -s nullglob; x='*.none'; bash $x -c 'echo [a]'", 'hidden'],
    ['shopt -s nullglob; *.none touch x', 'hidden'],
    ["f() { shopt -s nullglob; }; f; bash *.none -c 'echo [a]'", 'hidden'],
    ['shopt -s dotglob; cat *', 'hidden'],
    ['shopt -s extglob', 'hidden'],
    ['shopt -s expand_aliases', 'hidden'],
    ['shopt -s $x', 'hidden'],
    ['shopt -s globstar; cat **/*', 'outside'],
  ])('%s is %s', async (command, expected) => {
    expect(await classOf(command)).toBe(expected);
  });
});
