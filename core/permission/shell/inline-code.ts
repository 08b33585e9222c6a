/**
 * Code of other languages, which is only searched: for what destroys, what runs other code, what reaches the network, and
 * what it names. Texts that are put together from plain pieces are joined first; what stays computed where the name of a
 * function, a module or a file belongs is hidden.
 */
import { existsSync } from 'node:fs';
import type { AccessClass } from '../../types.ts';
import { absolute } from '../paths.ts';
import { assemblesSecret, endsProcess, shownByCode } from './code-signs.ts';
import { ENVIRONMENT_CODE } from './environment.ts';
import { combine, isNotableName, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { isComputed, SOME_NAME } from './syntax.ts';

const DESTRUCTIVE_CODE =
  /\brmtree\b|\brm(dir)?Sync\b|\bunlink(Sync)?\b|\bos\.(remove|removedirs|rmdir)\b|\bfs(\/promises'\)|Promises)?\.(rm|rmdir)\b|\bpromises\.(rm|rmdir)\b|\brimraf\b|FileUtils\.(rm|remove)|\brm_(rf|r|f)\b|remove_tree|\bFile\.delete\b|\bDir\.(rmdir|delete|unlink)\b|\.(rm|rmdir)(Sync)?\s*\(|\btruncate\b|\brm\s+-\w*[rf]|Remove-Item|\bDROP\s+(TABLE|DATABASE|SCHEMA|INDEX|VIEW|USER|ROLE|COLUMN)\b|\bTRUNCATE\b|\bDELETE\s+FROM\b|\bfile\s+delete\b|\bdropDatabase\b|\.drop\(|deleteMany\(|\bUPDATE\s+\S+\s+SET\b(?![\s\S]*\bWHERE\b)/i;
const RUNS_CODE =
  /\bsystem\s*\(|\bsystem\s+["']|\bpopen\b|\bsubprocess\b|child_process|\bspawn\w*\b|\beval\b|__import__|\bimportlib\b|\bgetattr\b|base64|b64decode|fromhex|unhexlify|\batob\b|fromCharCode|\bchr\s*\(|\bcompile\s*\(|\bmarshal\b|\bpickle\b|\bctypes\b|\bos\.exec|\bpty\b|\bnew\s+Function\b|process\.(binding|dlopen)|\bqx\b|\bshell_exec\b|\bpassthru\b|\bproc_open\b|\bexec\s*\(?\s*["'(]|\\x[0-9a-f]{2}|\\u00[0-9a-f]{2}|\\!|\bdo shell script\b|\bopen\b[^;]*\|/i;
const NETWORK_CODE =
  /\burllib|\brequests\b|\bhttpx?\b|https?:\/\/|\bsocket\b|\bfetch\s*\(|\baxios\b|\bnet\.connect|\bsmtplib|\bftplib|\bLWP\b|Net::HTTP|open-uri/;

const SQLITE_SHELL =
  /^\s*\.(system|shell|sys|sh)\b|^\s*\.(once|output|read|import|open|log|trace)\s+['"]?\||\bload_extension\b|\bedit\s*\(/m;

/** Functions that delete, by the language, where their name says it only there. */
const DELETES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(node|nodejs|bun|deno|tsx|ts-node)$/,
    /\{[^{}]*\b(rm|rmdir|unlink|truncate|rimraf)\b[^{}]*\}\s*(=|from\b)|\bDeno\.(remove|truncate)|\bfs\b[^\n;]{0,40}\.(rm|rmdir|unlink|truncate)\b/,
  ],
  [
    /^(python|pypy)/i,
    /\bfrom\s+(os|shutil|pathlib)\s+import\b[^\n;]*\b(remove|removedirs|unlink|rmdir|rmtree)\b|\.unlink\s*\(/i,
  ],
  [/^r(script)?$/i, /\b(unlink|file\.remove|file_delete|dir_delete)\s*\(/],
  [/^julia$/, /\brm\s*\(/],
  [
    /^(groovy|scala|java|clj|clojure|bb)$/,
    /\.(delete|deleteDir|deleteOnExit|deleteRecursively|deleteIfExists)\b|\bdelete-(file|tree)\b|\bFiles\.delete/,
  ],
  [/^elixir$/, /\bFile\.(rm|rmdir|rm_rf)\b/],
  [/^lua/, /\bos\.remove\b/],
  [/^(racket|guile)$/, /\(delete-(file|directory)/],
  [/^(pwsh|powershell)$/i, /\b(rm|del|rd|ri|erase|rmdir|Clear-Content|Clear-Item)\b/i],
  [/^go$/, /\bos\.(Remove|RemoveAll|Truncate)\b/],
  [/^rust$/, /\bremove_(file|dir|dir_all)\b/],
  [/^c$/, /\b(unlink|unlinkat|rmdir|remove)\s*\(|\bremove_all\b/],
  [/^perl/, /\b(unlink|rmdir)\b/],
  [/^ruby/, /\b(File|Dir|Pathname|FileUtils)\b[^\n;]{0,60}\b(unlink|delete|rm\w*|remove\w*|rmdir|truncate)\b/],
  [/^mongo/, /\.(remove|drop\w*|deleteOne|deleteMany|findOneAndDelete|bulkWrite)\s*\(/],
  [/^(psql|mysql|mariadb|sqlite3|clickhouse-client|cqlsh|sqlcmd|duckdb)$/, /\b(DROP|TRUNCATE)\s+\w+/i],
];
/** What runs other programs or code, by the language. */
const RUNS: readonly (readonly [RegExp, RegExp])[] = [
  [/^julia$/, /\brun\s*\(|\bread\s*\(\s*`|\bpipeline\s*\(|\bccall\b|`[^`]*`/],
  [
    /^(groovy|scala|java|clj|clojure|bb)$/,
    /\.execute\s*\(|\bProcessBuilder\b|\bRuntime\b|\bsys\.process\b|\bshell\/sh\b|\.!/,
  ],
  [/^elixir$/, /\bSystem\.(cmd|shell)\b|:os\.cmd|\bPort\.open\b|\bCode\.eval/],
  [
    /^(node|nodejs|bun|deno|tsx|ts-node)$/,
    /\bDeno\.(Command|run)\b|\bBun\.\$|\$`|\bprocess\.mainModule\b|\bvm\b[^\n;]{0,20}\.run|\bReflect\.(get|apply|construct)\b|\.constructor\s*(\(|\.constructor)/,
  ],
  [
    /^(python|pypy)/i,
    /\b__dict__\b|\b__builtins__\b|\b__getattribute__\b|\b(globals|locals|vars)\s*\(\s*\)\s*[[.]|\bsys\.modules\b|\battrgetter\b|\bmethodcaller\b|\brunpy\b|\bfrom\s+os\s+import\b[^\n;]*\b(system|popen|exec\w*|spawn\w*)\b/,
  ],
  [/^go$/, /\bexec\.Command|\bsyscall\.Exec\b|\bplugin\.Open\b/],
  [/^rust$/, /\bCommand::new\b/],
  [/^c$/, /\b(exec[lv]p?e?|system|popen|posix_spawnp?|dlopen)\s*\(/],
  [/^java$/, /\bgetRuntime\b|\bProcessBuilder\b|\bexecute\(\)|\bcommandLine\b/],
  [/^ruby/, /\b(public_)?send\s*[( ]|__send__|\binstance_eval\b|\bconst_get\b|\bIO\.popen\b|\bOpen3\b|%x\W/],
  [/^php/, /\b(call_user_func\w*|create_function|assert|pcntl_exec|exec)\s*\(|\$\w+\s*\(/],
  [/^(pwsh|powershell)$/i, /\b(Invoke-Expression|iex|Start-Process|Invoke-Command|icm)\b/i],
  [/^lua/, /\b(os\.execute|io\.popen|load|loadstring|dofile)\b/],
];
const COMPUTED_MODULE =
  /\b(require|import|__import__|import_module)\s*\(\s*(?!['"`)])[^)\s]|\b(require|import)\s*\(\s*`[^`]*\$\{|\b(require|import|__import__|import_module)\s*\(\s*(['"])(?:(?!\4).)*\4\s*[+%.]/;
/** `fs[name]`, `globalThis[a + b]`, and a function that is chosen by a name: `handlers[name]()`. */
const COMPUTED_FUNCTION =
  /\b(globalThis|global|window|self|process|fs|fsPromises|os|shutil|module|Deno|Bun|Object|Reflect)\s*(\?\.)?\[|\b(require|import)\s*\([^)]*\)\s*(\?\.)?\[/;
const CHOSEN = /[\w)\]]\s*\[[^\]'"\d:][^\]:]*\]\s*\(/;
const OPENS =
  /\b(open|openSync|readFile|readFileSync|readTextFile|readTextFileSync|createReadStream|file_get_contents|fopen|readlines|File\.(read|open|new)|Path|readLines|slurp|writeFile|writeFileSync|appendFileSync)\s*\(\s*([^,()]*(?:\([^()]*\)[^,()]*)*)/g;
/** A name that is put together: with an operator, inside a text, or out of numbers. */
const PUT_TOGETHER =
  /\+|%\s*[\w('"[]|\]\s*\.\s*join\s*\(|\.concat\s*\(|\.format\s*\(|\$\{|^[fF]['"].*\{|\bchr\b|\.join\s*\(\s*\[|\benviron\b|\bprocess\.env\b|\bgetenv\b|\bENV\[|\.reverse\b|\[::-1\]|\.replace\s*\(/;

/** What statements reach beyond the database. */
const SERVER_FILES =
  /\b(TO|FROM)\s+PROGRAM\b|\bxp_cmdshell\b|\bsys_(exec|eval)\b|\bload_extension\b|\blo_(im|ex)port\b|\b(read|write)file\s*\(|\bINTO\s+(OUT|DUMP)FILE\b|\bpg_(read|write|ls|stat)_\w*(file|dir)\b|\bpg_read_binary_file\b|\bLOAD_FILE\s*\(|\bLANGUAGE\s+'?(plpython\d?u|plperlu|plsh|c)\b/i;

/** A comment stands for a space, but for those of mysql that are run. */
const withoutComments = (code: string): string =>
  code.replace(/\/\*!\d*([\s\S]*?)\*\//g, ' $1 ').replace(/\/\*[\s\S]*?\*\//g, ' ');

const isScriptLanguage = (name: string): boolean =>
  /^(node|nodejs|deno|bun|tsx|ts-node|python|pypy|ruby|perl|php|lua|r(script)?$|julia|elixir|groovy|pwsh|powershell)/i.test(
    name,
  );

/** Functions and modes that change files. */
const WRITES =
  /\bopen\s*\([^()]*(?:\([^()]*\)[^()]*)*,\s*(?:mode\s*=\s*)?['"][rbt]*[wax+]|\b(write|append)File(Sync)?\b|\bwrite_(text|bytes)\b|\bcreateWriteStream\b|\bwriteTextFile|\bBun\.write\b|\b(copy|copyFile|rename|symlink|link|cp|move|copyfile|copytree|copy2|replace|touch)(Sync)?\s*\(|\bfile_put_contents\b|\bFile\.(write|open|rename)\b|\bIO\.write\b|\bfopen\s*\([^()]*,\s*['"][rbt]*[wax+]|\bfileinput\b|\bwriteLines\b|\bos\.WriteFile\b/;
const WRITES_BY: readonly (readonly [RegExp, RegExp])[] = [
  [/^perl/, /\bopen\b[^;]*>|\brename\b|\bsysopen\b/],
  [/^lua/, /\bio\.open\b/],
];

/** Searches code of another language for what must not run unasked. */
export function judgeCode(name: string, code: string, scene: Scene): Outcome {
  const found: [AccessClass, string][] = [];
  if (isComputed(code) || code.includes(SOME_NAME))
    found.push(['hidden', `the ${name} code is put together only when it runs`]);
  const isScript = !/^(psql|mysql|mariadb|sqlite3|sqlcmd|cqlsh|clickhouse|duckdb|awk)/.test(name);
  const joined = isScript ? plainly(code) : withoutComments(code);
  const says = (pattern: RegExp) => pattern.test(code) || (joined !== code && pattern.test(joined));
  const saysFor = (table: readonly (readonly [RegExp, RegExp])[]) =>
    table.some(([language, pattern]) => language.test(name) && says(pattern));
  if (says(DESTRUCTIVE_CODE) || saysFor(DELETES)) found.push(['destructive', `the ${name} code deletes or overwrites`]);
  if (says(RUNS_CODE) || saysFor(RUNS) || (/^(perl|ruby|php)/.test(name) && code.includes('`')))
    found.push(['hidden', `the ${name} code runs other code`]);
  if (!isScript && says(SERVER_FILES))
    found.push(['hidden', `the ${name} statement reaches files or programs of the server`]);
  if (isScript && (COMPUTED_MODULE.test(joined) || COMPUTED_FUNCTION.test(joined)))
    found.push(['hidden', `the ${name} code works out what it calls`]);
  if (/^(node|nodejs|bun|deno|tsx|ts-node|python|pypy)/i.test(name) && CHOSEN.test(joined))
    found.push(['hidden', `the ${name} code works out what it calls`]);
  if (
    isScript &&
    [code, joined].some((text) => [...text.matchAll(OPENS)].some((match) => PUT_TOGETHER.test(match[3]!)))
  )
    found.push(['hidden', `the ${name} code works out the name of a file`]);
  if (/^(tclsh|wish)/.test(name) && /\bexec\b|\bopen\s+["{]?\|/.test(code))
    found.push(['hidden', `the ${name} code runs other programs`]);
  if (name === 'sqlite3' && SQLITE_SHELL.test(code)) found.push(['hidden', 'sqlite3 is told to run a command']);
  if (isScript && isScriptLanguage(name)) {
    const shown = shownByCode(code) ?? shownByCode(joined);
    if (shown !== undefined) found.push(['outside', `the ${name} code ${shown}`]);
    if (assemblesSecret(code)) found.push(['outside', `the ${name} code puts together the name of a secret`]);
    const ends = endsProcess(name, joined);
    if (ends !== undefined) found.push([ends, `the ${name} code ends a process`]);
  }
  if (says(ENVIRONMENT_CODE)) found.push(['outside', `the ${name} code reads every variable of the environment`]);
  if (says(NETWORK_CODE)) found.push(['network', `the ${name} code may reach the network`]);
  // The mode of `open F, ">/path"` stands before the path.
  const literals = [code, ...(joined === code ? [] : [joined])]
    .flatMap((text) => [...text.matchAll(/(['"`])((?:(?!\1)[^\\\n]){1,300})\1/g)])
    .map((match) => match[2]!.replace(/^\s*\+?[<>]{1,2}\s*/, ''));
  const paths = literals.filter(
    (text) =>
      (/^(\/|~\/|\.\.(\/|$))[\w.~-]*/.test(text) || /^[\w.@-]+(\/[\w.@-]+)*\/\.\.(\/|$)/.test(text)) &&
      /\w/.test(text) &&
      !/[\s<>]/.test(text),
  );
  const writes = WRITES.test(joined) || saysFor(WRITES_BY);
  const written = writes ? literals.filter((text) => /^[\w@.][\w@./-]{0,200}$/.test(text) && /[./]/.test(text)) : [];
  const notable = literals.filter((text) => isNotableName(text) && !/\s/.test(text));
  return combine(
    ...found.map(([accessClass, reason]) => outcome(accessClass, reason)),
    touch(scene, [...new Set([...paths, ...notable])], 'write'),
    touch(scene, filesAmong(literals, scene), 'read'),
    { ...outcome('read'), writes: touch(scene, [...new Set(written)].slice(0, 40), 'write').writes ?? [] },
  );
}

/** Texts that name files which are there. */
function filesAmong(texts: readonly string[], { cwds, places }: Scene): readonly string[] {
  const names = [...new Set(texts)]
    .filter((text) => /^[\w@.][\w@./ -]{0,200}$/.test(text) && /[./]/.test(text))
    .slice(0, 40);
  return names.filter((name) => cwds.some((cwd) => existsSync(absolute(name, cwd, places.home))));
}

/** Plain texts that are added are one text, and a member that is named by a text is named by its name. */
function plainly(code: string): string {
  if (!/['"]\s*[+.]?\s*['"]|\[\s*['"`]/.test(code)) return code;
  let text = code;
  for (let pass = 0; pass < 20; pass++) {
    const next = text.replace(
      /(['"])((?:(?!\1)[^\\\n])*)\1(?:\s*\+\s*|\s*\.\s*(?=['"])|[ \t]+)(['"])((?:(?!\3)[^\\\n])*)\3/g,
      (_match, quote: string, a: string, _other: string, b: string) => `${quote}${a}${b}${quote}`,
    );
    if (next === text) break;
    text = next;
  }
  return text.replace(/([\w)\]])\s*(?:\?\.)?\[\s*(['"`])([A-Za-z_$][\w$]*)\2\s*\]/g, '$1.$3');
}
