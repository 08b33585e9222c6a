/** Signs in code of other languages: that it shows secrets of the environment, names a secret in pieces, ends processes. */
import type { AccessClass } from '../../types.ts';
import { isSecretName, isSecretVariable } from '../sensitive-names.ts';

const PRINTS =
  /\b(console\W\w+|print(ln|f)?|puts|pp|echo|say|(stdout|stderr)\.write|die|var_dump|print_r|raise|throw)\b|(^|[;\s])p\s/;
const VARIABLE =
  /\b(?:process|Bun)\.env(?:\?)?\.(\w+)|\b(?:process\.env|environ|environb|ENV)\s*\[\s*[bru]*['"](\w+)['"]|\b(?:environ|ENV|env)\.(?:get|fetch|dig)\s*\(?\s*['"](\w+)['"]|\bgetenv\s*\(\s*['"](\w+)['"]|\$ENV\{\s*['"]?(\w+)|\$_(?:ENV|SERVER)\s*\[\s*['"](\w+)['"]/g;
/** What reads a file of settings into the environment, and gives its content. */
const LOADS = /\bdotenv\b|\bload_dotenv\b|\bdotenv_values\b|\bDotenv\b|\bloadEnvFile\b|\benviron\.Env\b/;
const LOADED =
  /\bdotenv_values\b|\bDotenv\.parse\b|=\s*(require\s*\(\s*['"]dotenv['"]\s*\)|dotenv)\.(config|parse)\b|(console\W\w+|print\w*|puts|echo|p|write)\b[^;\n]*(dotenv|\.parsed\b|environ\b|process\.env|\bENV\b|getenv)/i;

/** Why code shows a secret of the environment; undefined when it does not. */
export function shownByCode(code: string): string | undefined {
  if (/\bfrom\s+os\s+import\b[^;\n]*\benvironb?\s+as\b/.test(code)) return 'gives the environment another name';
  // What an expression of PowerShell comes to is shown.
  const shown = [...code.matchAll(/\$\{?env:(\w+)/gi)].find((match) => isSecretVariable(match[1]!))?.[1];
  if (shown !== undefined) return `prints the variable ${shown}, which may be a secret`;
  if (!PRINTS.test(code)) return undefined;
  if (LOADS.test(code) && LOADED.test(code)) return 'prints what a file of secrets holds';
  for (const match of code.matchAll(VARIABLE)) {
    const name = match.slice(1).find((one) => one !== undefined);
    if (name !== undefined && isSecretVariable(name)) return `prints the variable ${name}, which may be a secret`;
  }
  return undefined;
}

const MAX_PIECES = 24;

/** Whether short texts of the code, one behind the other or one inside the other, make the name of a secret. */
export function assemblesSecret(code: string): boolean {
  const pieces = [
    ...new Set([...code.matchAll(/(['"`])((?:(?!\1)[^\\\n/\s]){1,12})\1/g)].map((match) => match[2]!)),
  ].slice(0, MAX_PIECES);
  if (pieces.length < 2 || !/\bopen|read|cat\b|fopen|file_get_contents|slurp|Path\(/i.test(code)) return false;
  return pieces.some((first) =>
    pieces.some(
      (second) =>
        first !== second &&
        !isSecretName(first) &&
        !isSecretName(second) &&
        (/^\.?[\w.]*$/.test(first) && /^[\w.]+$/.test(second) && first.startsWith('.') && isSecretName(first + second)
          ? true
          : /%s|\{\}|\{0\}/.test(first) && isSecretName(first.replace(/%s|\{0?\}/, second))),
    ),
  );
}

/** The class of code that ends processes; undefined when it does not. */
export function endsProcess(name: string, code: string): AccessClass | undefined {
  const calls = [
    ...code.matchAll(/\b(?:os\.killpg|os\.kill|process\.kill|posix_kill|Deno\.kill)\s*\(\s*([^,)]*)/g),
  ].map((match) => match[1]!.trim());
  if (/^(ruby|perl)/.test(name))
    for (const match of code.matchAll(/\bkill\b\s*\(?\s*(?:['":]?-?\w+['"]?)\s*(?:,|=>)\s*([^;)\n]*)/g))
      calls.push(match[1]!.trim());
  const others = calls.filter((target) => !/^(process\.pid|os\.getpid\(|\$\$|Process\.pid)/.test(target));
  if (others.length === 0) return undefined;
  return others.some((target) => /^(-?1|0)$/.test(target)) ? 'destructive' : 'outside';
}
