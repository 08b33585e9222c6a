/** Programs that open connections: the programs that they run for them, the files that they send and save. */
import { findOption, splitArguments } from './options.ts';
import { scanWords } from './scan-words.ts';
import { combine, type Judge, type Outcome, outcome, type Scene, touch } from './scene.ts';

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));
const reaches = (): Outcome => ({ ...outcome('network', 'reaches the network'), readOnly: false });

/** `-c` runs a shell in some netcats, and is a flag in others. */
const NC_VALUES = set(
  '-X -x -p -w -i -s -q -T -V -O -I -m -M -P -g -G -e -o --exec --sh-exec --lua-exec --output --hex-dump --source-port --source --idle-timeout --wait --delay --max-conns --proxy --proxy-type --proxy-auth --ssl-key --ssl-cert --ssl-trustfile --ssl-servername --ssl-alpn --ssl-ciphers --allow --allowfile --deny --denyfile',
);

export const judgeNetcat: Judge = (words, scene) => {
  const { options } = splitArguments(words, { values: NC_VALUES });
  const notes: Outcome[] = [];
  const runs = options.filter(({ name }) => /^(-e|-c|--exec|--sh-exec|--lua-exec|--sh|--lua|--exe)$/.test(name));
  if (runs.length > 0) {
    const at = words.findIndex((word) => /^-\w*c$/.test(word));
    const code = [...runs.flatMap(({ value = '' }) => value), at < 0 ? '' : (words[at + 1] ?? '')];
    notes.push({
      ...outcome('hidden', 'gives a connection to a program that it runs'),
      inner: code.filter((text) => text !== '').flatMap((text) => scene.code(text, scene)),
    });
  }
  return combine(reaches(), scanWords(words, scene), ...notes);
};

/** Kinds of addresses of socat that name a file. */
const SOCAT_FILES = /^(file|open|gopen|creat|create|pipe|fifo|unix(-\w+)*|abstract(-\w+)*|pty|readline)$/i;

export const judgeSocat: Judge = (words, scene) => {
  const notes: Outcome[] = [];
  const addresses = words.flatMap((word) => word.split('!!'));
  for (const address of addresses) {
    const [, kind = '', rest = ''] = /^([A-Za-z][\w-]*)(?:[:,](.*))?$/s.exec(address) ?? [];
    if (/^(exec|system|shell)$/i.test(kind)) {
      const code = rest.replace(/^["']|["'](?=,|$).*$/g, '');
      notes.push({ ...outcome('hidden', 'socat runs a command'), inner: code === '' ? [] : scene.code(code, scene) });
    } else if (SOCAT_FILES.test(kind)) notes.push(touch(scene, [rest.replace(/,.*$/s, '')], 'write'));
    for (const [, path] of address.matchAll(/,(?:cert|key|cafile|link|history|history-file|creat)=([^,]+)/g))
      notes.push(touch(scene, [path!], 'write'));
    if (/^[./~]/.test(address)) notes.push(touch(scene, [address.replace(/,.*$/s, '')], 'write'));
  }
  return combine(reaches(), scanWords(words, scene), ...notes);
};

const HTTP_VALUES = set(
  '-a -A -o -p -P -s -S --auth --auth-type --output --print --pretty --style --session --session-read-only --proxy --verify --cert --cert-key --cert-key-pass --ssl --ciphers --timeout --max-redirects --max-headers --format-options --response-charset --response-mime --boundary --raw -X --method -b --bearer --resolve --interface --http-version --default-scheme --unix-socket --generate',
);
/** `name=@file`, `name:=@file`, `name@file;type=…`, `name==@file`, `Header:@file`, `@file`. */
const ITEM_FILE = /^(?:[^=:@]|\\.)*(?:==|:=|=|:)?@([^;]*)/s;

/** httpie and xh: what they send, save and ask servers to do. */
export const judgeHttpie: Judge = (words, scene) => {
  const { options, operands } = splitArguments(words, { values: HTTP_VALUES });
  if (findOption(options, '--version', '--help')) return outcome('read');
  const value = (...names: string[]) =>
    options.filter(({ name }) => names.includes(name)).map((option) => option.value ?? '');
  const isMethod = /^[A-Za-z]+$/.test(operands[0] ?? '') && operands.length > 1;
  const url = operands[isMethod ? 1 : 0] ?? '';
  const items = operands.slice(isMethod ? 2 : 1);
  const method = (value('-X', '--method')[0] ?? (isMethod ? operands[0]! : '')).toUpperCase();
  const notes: Outcome[] = [
    touch(
      scene,
      operands.flatMap((item) => ITEM_FILE.exec(item)?.[1] ?? []),
      'read',
    ),
    touch(scene, [...value('--cert', '--cert-key'), ...value('--verify').filter((one) => /[/.]/.test(one))], 'read'),
    touch(
      scene,
      [...value('-o', '--output'), ...value('--session', '--session-read-only').filter((one) => /[/.]/.test(one))],
      'write',
    ),
  ];
  if (value('--unix-socket').length > 0 || /^https?\+unix:/i.test(url))
    notes.push(outcome('outside', 'talks to a service of this machine'));
  if (findOption(options, '-d', '--download', '-o', '--output')) notes.push(outcome('write', 'saves what it gets'));
  const isHere = /^(https?:\/\/)?(localhost|127\.\d+\.\d+\.\d+)?:?(3\d{3}|4\d{3}|5\d{3}|8\d{3})?(\/|$)/i.test(url);
  if (method === 'DELETE' && !isHere) notes.push(outcome('destructive', 'asks a server to delete something'));
  const asks = /^(GET|HEAD|OPTIONS|)$/.test(method) && !items.some((item) => /(^|[^=:])(=|:=|@)/.test(item));
  return combine({ ...outcome('network', 'reaches the network'), readOnly: asks && scene.stdin === 'none' }, ...notes);
};

/** Clients that take commands: in an option, from a file, or from standard input. */
export const judgeFtp: Judge = (words, scene) => {
  const notes: Outcome[] = [reaches(), scanWords(words, scene)];
  const batch = words.findIndex((word) => /^-(b|c|e|f)/.test(word) && !/^-c$/.test(word));
  if (words.some((word) => /^-(b|f)/.test(word)) || (batch >= 0 && words.some((word) => /!/.test(word))))
    notes.push(outcome('hidden', 'takes its commands from a file, or runs others'));
  for (const text of [...words.filter((word) => /\s/.test(word)), ...(scene.fed === undefined ? [] : [scene.fed])])
    for (const line of text.split(/[\n;]/)) notes.push(judgeLine(line, scene));
  if (scene.fed === undefined && scene.stdin !== 'none' && scene.stdin !== 'pipe')
    notes.push(outcome('hidden', 'is given commands that are not known'));
  return combine(...notes);
};

function judgeLine(line: string, scene: Scene): Outcome {
  const [command = '', ...words] = line.trim().split(/\s+/);
  if (/^!/.test(command)) return outcome('hidden', 'runs a command of this machine');
  if (/^(m?put|send|append|reput|mirror|mput|lcd|get|mget|reget|recv)$/i.test(command)) return scanWords(words, scene);
  if (/^(m?rm|m?delete|mdel|rmdir|dele|del|mrm|glob)$/i.test(command))
    return outcome('destructive', 'asks a server to delete something');
  return outcome('read');
}
