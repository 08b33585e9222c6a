/** `curl` and `wget`: what they send, save and ask servers to do. */
import { isSecretVariable } from '../sensitive-names.ts';
import { curlFiles } from './curl-files.ts';
import { writtenOut } from './long-options.ts';
import { findOption, splitArguments } from './options.ts';
import { combine, type Judge, type Outcome, outcome, touch } from './scene.ts';
import { sendsVariable } from './sent-secrets.ts';

const set = (names: string) => new Set(names.split(' '));

const CURL_VALUES = set(
  '-A -b -c -C -d -D -e -E -F -H -K -m -o -P -Q -r -t -T -u -U -w -x -X -y -Y -z --output --data --data-raw --data-binary --data-urlencode --data-ascii --json --header --form --form-string --request --user --user-agent --upload-file --cookie --cookie-jar --config --max-time --connect-timeout --retry --retry-delay --url --proxy --cacert --cert --key --referer --write-out --range --resolve --dump-header --output-dir --interface --limit-rate --max-redirs --netrc-file --trace --trace-ascii --stderr --unix-socket --etag-save --etag-compare --hsts --alt-svc --engine --ciphers --noproxy --url-query --variable --libcurl --speed-limit --speed-time --dns-servers --connect-to --capath --crlfile --pubkey --rate --proto --tls-max --time-cond --request-target --expand-url --expand-data --oauth2-bearer --aws-sigv4 --expand-json --expand-header --expand-form --expand-data-urlencode --expand-url-query --expand-write-out --proxy-header --proxy-cert --proxy-key --proxy-cacert --proxy-capath --proxy-crlfile --proxy-user --preproxy --socks4 --socks4a --socks5 --socks5-hostname --doh-url --ssl-sessions --egd-file --random-file --knownhosts --hostpubmd5 --hostpubsha256 --quote --continue-at --max-filesize --mail-from --mail-rcpt --mail-auth --local-port --keepalive-time --happy-eyeballs-timeout-ms --retry-max-time --login-options --krb --ftp-port --telnet-option --pinnedpubkey --pass --cert-type --key-type --proto-default --proto-redir --tls13-ciphers --curves --create-file-mode --abstract-unix-socket --dns-interface --dns-ipv4-addr --ipfs-gateway --ip-tos --vlan-priority --service-name --delegation --expect100-timeout --parallel-max --request-target --haproxy-clientip --sasl-authzid --trace-config --ech',
);

/** Options without a value that others begin with. */
const CURL_FLAGS = set('--head --netrc --parallel --ssl --crlf --proxy-http2 --form-escape --http2');

const ELSEWHERE =
  /^(-x|-K|--(proxy|preproxy|socks\w*|config|resolve|connect-to|url|next|location|url-query|unix-socket|abstract-unix-socket))$/;

/**
 * Ports of servers under development, and those that are given out by chance. On others databases, search services and
 * control planes may answer: what they hold is no test data.
 */
const DEVELOPED = new Set('80 1337 3000 3001 3002 3003 4000 4200 4321 5000 5001 5173 5174 8000 8080 8888'.split(' '));
const FIRST_BY_CHANCE = 32_768;

/** Only servers under development of this very machine, and nothing that leads elsewhere. */
function isLoopback(urls: readonly string[], options: readonly { name: string }[]): boolean {
  const isOwn = (url: string) => {
    const found = /^(?:https?:\/\/)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::(\d+))?(?:[/?#][^\s{}]*)?$/i.exec(url);
    const port = found?.[1] ?? '80';
    return found !== null && (DEVELOPED.has(port) || Number(port) >= FIRST_BY_CHANCE);
  };
  return urls.length > 0 && urls.every(isOwn) && !options.some(({ name }) => ELSEWHERE.test(name) || name === '-L');
}

/** Requests that end something on a mail or file server. */
const ENDS = /^[-+*]?\s*(DELE|RMD|XRMD|rm|rmdir|DELETE|EXPUNGE)\b/i;

export const judgeCurl: Judge = (words, scene) => {
  const { options, operands } = splitArguments(writtenOut(words, CURL_VALUES, CURL_FLAGS), { values: CURL_VALUES });
  if (findOption(options, '-V', '--version', '-h', '--help', '-M', '--manual')) return outcome('read');
  const value = (...names: string[]) =>
    options.filter(({ name }) => names.includes(name)).map((option) => option.value ?? '');
  const method = value('-X', '--request').at(-1)?.toUpperCase();
  const notes: Outcome[] = [];
  const files = curlFiles(options, operands);
  if (files.writes.length > 0) notes.push(outcome('write', 'saves what it gets'), touch(scene, files.writes, 'write'));
  if (findOption(options, '-O', '--remote-name', '--remote-name-all', '-J', '--remote-header-name'))
    notes.push(outcome('write', 'saves what it gets'));
  notes.push(touch(scene, files.reads, 'read'));
  const data = value(
    '-d',
    '--data',
    '--data-binary',
    '--data-urlencode',
    '--data-ascii',
    '--json',
    '-F',
    '--form',
    '--expand-data',
    '--expand-json',
    '--expand-data-urlencode',
    '--expand-form',
  );
  if (findOption(options, '-K', '--config')) notes.push(outcome('hidden', 'curl reads its options from a file'));
  if (value('--engine').some((engine) => engine !== 'list'))
    notes.push(outcome('hidden', 'curl loads a program that it is given'));
  if (findOption(options, '-n', '--netrc', '--netrc-optional', '--netrc-file'))
    notes.push(outcome('outside', 'curl sends stored passwords'));
  const sockets = value('--unix-socket', '--abstract-unix-socket');
  if (sockets.length > 0)
    notes.push(outcome('outside', 'talks to a service of this machine'), touch(scene, sockets, 'write'));
  if (operands.some((url) => /^(gopher|dict|telnet):/i.test(url)))
    notes.push(outcome('outside', 'may give commands to a service of this machine'));
  const imported = value('--variable').filter((text) => text.startsWith('%'));
  const secret = imported.find((text) => isSecretVariable(text.slice(1).replace(/[=@].*$/s, '')));
  if (secret !== undefined)
    notes.push(outcome('outside', sendsVariable('curl', secret.slice(1).replace(/[=@].*$/s, ''))));
  if (value('-Q', '--quote', '-X', '--request').some((text) => ENDS.test(text) && !/^DELETE$/i.test(text)))
    notes.push(outcome('destructive', 'asks a server to delete something'));
  const changes =
    (method !== undefined && method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') ||
    data.length > 0 ||
    files.sends ||
    value('--data-raw', '--form-string').length > 0;
  const deletes =
    method === 'DELETE' ||
    (changes &&
      operands.some((url) =>
        /(^|[/_-]|do)(delete|destroy|purge|drop|wipe|remove)([A-Z?/_-]|$)/i.test(url.replace(/^[a-z]+:\/\/[^/]*/i, '')),
      ));
  if (deletes && !isLoopback(operands, options))
    notes.push(outcome('destructive', 'asks a server to delete something'));
  return combine(
    { ...outcome('network', 'reaches the network'), readOnly: !changes && !findOption(options, '-Q', '--quote') },
    ...notes,
  );
};

export const judgeWget: Judge = (words, scene) => {
  const values = set(
    '-O -o -a -P -i -t -T -w -e -U -A -R -D -l -Q --output-document --output-file --append-output --directory-prefix --input-file --tries --timeout --wait --execute --user-agent --header --post-data --post-file --body-data --body-file --method --user --password --load-cookies --save-cookies --config --use-askpass --ca-certificate --certificate --private-key --ca-directory --crl-file --hsts-file --warc-file --rejected-log --limit-rate --quota --domains --accept --reject --level --bind-address --referer --exclude-directories --include-directories --cut-dirs --http-user --http-password --ftp-user --ftp-password --egd-file --random-file --pinnedpubkey --progress --compression --base',
  );
  const { options, operands } = splitArguments(writtenOut(words, values), { values });
  if (findOption(options, '--version', '-V', '--help', '-h')) return outcome('read');
  const value = (...names: string[]) =>
    options.filter(({ name }) => names.includes(name)).map((option) => option.value ?? '');
  const notes: Outcome[] = [];
  if (findOption(options, '-e', '--execute', '--use-askpass', '--config'))
    notes.push(outcome('hidden', 'wget is given settings that may run programs'));
  notes.push(
    touch(
      scene,
      value(
        '--post-file',
        '--body-file',
        '-i',
        '--input-file',
        '--load-cookies',
        '--certificate',
        '--private-key',
        '--ca-certificate',
        '--ca-directory',
        '--crl-file',
        '--hsts-file',
      ).concat(operands.flatMap((url) => /^file:\/*(.*)$/i.exec(url)?.[1] ?? []).map((path) => `/${path}`)),
      'read',
    ),
  );
  const sends =
    findOption(options, '--post-data', '--post-file', '--body-data', '--body-file', '--method') !== undefined;
  if (value('--method').some((method) => method.toUpperCase() === 'DELETE'))
    notes.push(outcome('destructive', 'asks a server to delete something'));
  const saved = value(
    '-O',
    '--output-document',
    '-o',
    '--output-file',
    '-a',
    '--append-output',
    '-P',
    '--directory-prefix',
    '--save-cookies',
    '--hsts-file',
    '--warc-file',
    '--rejected-log',
  );
  const quiet =
    findOption(options, '--spider') !== undefined ||
    (saved.length > 0 && saved.every((path) => path === '-' || path === '/dev/null'));
  notes.push(quiet ? outcome('read') : outcome('write', 'saves what it gets'), touch(scene, saved, 'write'));
  return combine({ ...outcome('network', 'reaches the network'), readOnly: !sends }, ...notes);
};
