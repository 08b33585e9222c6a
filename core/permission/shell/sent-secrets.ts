/**
 * Variables that hold a secret, in the words of programs that send: a key may go in a header to the service that gave it
 * out, over an encrypted connection, and nowhere else.
 */
import { isSecretVariable } from '../sensitive-names.ts';
import { type Option, splitArguments } from './options.ts';
import type { Scene } from './scene.ts';
import type { Shell } from './shell-state.ts';
import { ANY_TEXT, ANY_WORDS, type Atom, type SimpleCommand, type Word } from './syntax.ts';

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Programs whose words go to another machine, or to people. */
const SENDERS = set(
  'curl wget wget2 http https xh xhs curlie httpie aria2c axel nc ncat netcat socat telnet ftp sftp lftp tftp ncftp scp ssh rsync mosh openssl dig nslookup host ping ping6 traceroute whois websocat wscat grpcurl w3m lynx links mail mailx mutt sendmail msmtp swaks hurl mosquitto_pub kcat gh glab hub',
);
const SHOWS = set('echo printf');

/** Who gives out keys of such names, and the hosts that may have them back. */
const VENDORS: readonly (readonly [RegExp, string])[] = [
  [/^OPENAI_/, 'openai.com'],
  [/^(ANTHROPIC|CLAUDE)_/, 'anthropic.com'],
  [/^(GITHUB|GH)_/, 'github.com'],
  [/^(GITLAB|GL)_/, 'gitlab.com'],
  [/^(HF|HUGGING_?FACE)_/, 'huggingface.co'],
  [/^(GEMINI|GOOGLE)_/, 'generativelanguage.googleapis.com'],
  [/^GROQ_/, 'groq.com'],
  [/^MISTRAL_/, 'mistral.ai'],
  [/^OPENROUTER_/, 'openrouter.ai'],
  [/^DEEPSEEK_/, 'deepseek.com'],
  [/^XAI_/, 'x.ai'],
  [/^COHERE_/, 'cohere.com'],
  [/^STRIPE_/, 'stripe.com'],
  [/^SLACK_/, 'slack.com'],
  [/^LINEAR_/, 'linear.app'],
  [/^SENTRY_/, 'sentry.io'],
  [/^(CLOUDFLARE|CF)_/, 'cloudflare.com'],
  [/^DIGITALOCEAN_/, 'digitalocean.com'],
  [/^CIRCLE(CI)?_/, 'circleci.com'],
];

/** Options of curl that lead nowhere else, and neither show nor keep what was sent. */
const PLAIN =
  /^(-[sSfLigXGoHudOmAIwN#46F]|--(silent|show-error|fail|fail-with-body|location|include|request|get|output|header|user|oauth2-bearer|data|data-raw|data-binary|json|form|max-time|connect-timeout|retry|retry-delay|compressed|user-agent|head|write-out|globoff|no-progress-meter|no-buffer|http1\.1|http2|tlsv1\.[23]))$/;
const KEPT = /^(-H|--header|-u|--user|--oauth2-bearer)$/;
const CURL_VALUES = set(
  '-A -b -d -e -F -H -m -o -T -u -w -X -x -K -D -c -E --header --user --oauth2-bearer --data --data-raw --data-binary --json --request --output --max-time --connect-timeout --retry --user-agent --write-out --form --url --proxy --resolve --connect-to --config --upload-file --data-urlencode',
);

export const sendsVariable = (program: string, name: string): string =>
  `${program} sends the variable ${name}, which may be a secret`;

/** The variables with secrets in the words of a command and in those of the commands around it; notes those it is put into. */
export function namedSecrets({ words, assignments, redirects }: SimpleCommand, scene: Scene): readonly string[] {
  const { shell } = scene;
  for (const { name, value } of assignments) noteSecret(name, 'items' in value ? value.items : [value], shell);
  const found = [...(scene.secrets ?? [])];
  for (const word of words) {
    const own = secretsIn(word, shell);
    const declared =
      own.length > 0 && word[0]?.kind === 'text' ? /^([A-Za-z_]\w*)\+?=/.exec(word[0].text)?.[1] : undefined;
    if (declared !== undefined) shell.tainted.add(declared);
    found.push(...own);
  }
  for (const { op, target } of redirects) if (op === '<<' || op === '<<<') found.push(...secretsIn(target, shell));
  return found;
}

/** A variable that is set to a secret is one as well, whatever its name. */
export function noteSecret(name: string, values: readonly Word[], shell: Shell): void {
  if (values.some((word) => secretsIn(word, shell).length > 0)) shell.tainted.add(name);
}

function secretsIn(word: Word, shell: Shell): readonly string[] {
  return word.flatMap((atom: Atom): readonly string[] => {
    if (atom.kind !== 'variable') return [];
    const inner = atom.fallback ? secretsIn(atom.fallback.word, shell) : [];
    if (atom.fallback?.how === '+') return inner;
    const isSecret = shell.tainted.has(atom.name) || (isSecretVariable(atom.name) && !shell.variables.has(atom.name));
    return isSecret ? [atom.name, ...inner] : inner;
  });
}

/** Why a program may give a secret of its words away; undefined when it does not. */
export function sentSecret(program: string, args: readonly string[], { secrets = [] }: Scene): string | undefined {
  const [first] = secrets;
  if (first === undefined) return undefined;
  if (SHOWS.has(program)) return `prints the variable ${first}, which may be a secret`;
  if (!SENDERS.has(program)) return undefined;
  const name = secrets.find((one) => !(program === 'curl' && isHome(one, args)));
  return name === undefined ? undefined : sendsVariable(program, name);
}

/** Only in a header, and only to the service that the key is for. */
function isHome(name: string, args: readonly string[]): boolean {
  const host = VENDORS.find(([pattern]) => pattern.test(name))?.[1];
  if (host === undefined) return false;
  const { options, operands } = splitArguments(args, { values: CURL_VALUES });
  const isOpen = (text: string | undefined) =>
    text !== undefined && (text.includes(ANY_TEXT) || text.includes(ANY_WORDS));
  const follows = options.some((option) => option.name === '-L' || option.name === '--location');
  const isKept = ({ name: option, value }: Option) =>
    !isOpen(value) ||
    (KEPT.test(option) && (!follows || !/^-(H|-header)$/.test(option) || /^Authorization:/i.test(value!)));
  return (
    operands.length > 0 &&
    operands.every((url) => !isOpen(url) && isHost(url, host)) &&
    options.every((option) => PLAIN.test(option.name) && !/^trace$/i.test(option.value ?? '') && isKept(option))
  );
}

function isHost(url: string, host: string): boolean {
  const found = /^https:\/\/([\w.-]+)(?::443)?(?:[/?#][^\s{}[\]\\]*)?$/i.exec(url)?.[1]?.toLowerCase();
  return found !== undefined && (found === host || found.endsWith(`.${host}`));
}
