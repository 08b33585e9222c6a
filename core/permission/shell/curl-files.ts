/** The files that curl reads, sends and writes, by its options. Source: the manual page of curl 8. */
import type { Option } from './options.ts';

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Options whose value is a file that is read. */
const READS = set(
  '-T --upload-file -K --config --netrc-file --cacert --capath --key --pubkey --crlfile --proxy-cacert --proxy-capath --proxy-key --proxy-crlfile --doh-cacert --etag-compare --hsts --alt-svc --ssl-sessions --egd-file --random-file --knownhosts -z --time-cond',
);
const WRITES = set(
  '-o --output -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --output-dir --etag-save --hsts --alt-svc --ssl-sessions --libcurl',
);
/** Options of which a value that begins with `@` names a file. */
const AT = set(
  '-d --data --data-binary --data-ascii --json --expand-data --expand-json -H --header --expand-header --proxy-header -w --write-out --expand-write-out --url --expand-url',
);
/** Options of which a file may stand behind the name of a field: `name@file`. */
const NAMED_AT = set('--data-urlencode --expand-data-urlencode --url-query --expand-url-query --variable');
/** Certificates, with a password behind them. */
const CERTIFICATES = set('-E --cert --proxy-cert');
const ADDRESSES = set('--url --expand-url');

export interface CurlFiles {
  reads: readonly string[];
  /** Those of `reads` whose content goes out. */
  sends: boolean;
  writes: readonly string[];
}

/** What curl does with files; `urls` are its operands. */
export function curlFiles(options: readonly Option[], urls: readonly string[]): CurlFiles {
  const reads: string[] = [];
  const writes: string[] = [];
  const addresses = [...urls];
  let sends = false;
  const send = (...paths: readonly string[]) => {
    if (paths.length > 0) sends = true;
    reads.push(...paths);
  };
  for (const { name, value = '' } of options) {
    if (name === '-T' || name === '--upload-file') send(...alternatives(value));
    else if (READS.has(name)) reads.push(value.replace(/^[-+=](?=.)/, ''));
    if (WRITES.has(name)) writes.push(value);
    if (AT.has(name) && value.startsWith('@')) send(value.slice(1));
    if (NAMED_AT.has(name)) send(...(/^[^=]*?@(.*)$/s.exec(value)?.slice(1) ?? []));
    if (name === '-F' || name === '--form' || name === '--expand-form') send(...formFiles(value));
    if ((name === '-b' || name === '--cookie') && !value.includes('=')) send(value);
    if (CERTIFICATES.has(name)) reads.push(value, value.replace(/:[^:]*$/, ''));
    if (name === '-w' || name === '--write-out')
      writes.push(...[...value.matchAll(/%output\{(?:>>)?([^}]*)\}/g)].map((match) => match[1]!));
    if (ADDRESSES.has(name)) addresses.push(value);
  }
  for (const address of addresses) reads.push(...fileOf(address));
  return { reads: reads.filter((path) => path !== ''), sends, writes: writes.filter((path) => path !== '-') };
}

/** The file of a `file:` address. */
function fileOf(address: string): readonly string[] {
  const path = /^\W?file:\/*(?:localhost(?=\/))?(.*)$/is.exec(address)?.[1];
  if (path === undefined) return [];
  const plain = alternatives(`/${path.replace(/^\//, '')}`);
  return plain.map((one) => {
    try {
      return decodeURIComponent(one);
    } catch {
      return one;
    }
  });
}

/** `{a,b}` stands for each, `[1-3]` for any text: curl works them out itself. */
function alternatives(text: string): readonly string[] {
  const [whole, before = '', list = '', after = ''] = /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(text) ?? [];
  if (whole === undefined) return [text.replace(/\[[^\]]*\]/g, '*')];
  return list
    .split(',')
    .slice(0, 40)
    .flatMap((one) => alternatives(before + one + after));
}

/** `name=@a,b;headers=@c`, `name=<d`, with quotes around names; a word without `@` or `<` names no file. */
function formFiles(text: string): readonly string[] {
  if (!/[=;,(]\s*["']?[@<]|^[@<]/.test(text)) return [];
  return text
    .split(/[;,]/)
    .filter((piece) => !/^\s*(type|filename|encoder)=/.test(piece))
    .map((piece) =>
      piece
        .replace(/^[^=@<]*=\(?/, '')
        .trim()
        .replace(/^["']?[@<]\s*/, '')
        .replace(/^["']|["']$/g, ''),
    )
    .filter((piece) => piece !== '');
}
