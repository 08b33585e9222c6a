/**
 * Modules of Python that a command runs (`python -m NAME`). The working directory stands first where Python looks for
 * modules, so that a file there with the name of a library runs instead of it (Python 3.13, "Using Python", `-m`, `-I`, `-P`).
 */
import { readdirSync } from 'node:fs';
import { judgeCode } from './inline-code.ts';
import { scanWords } from './scan-words.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';

export interface PythonModule {
  name: string;
  rest: readonly string[];
  /** The working directory is left out of the places where modules are looked for. */
  isSafe: boolean;
}

/** The module that the words after `python` run; undefined where they run something else. */
export function moduleOf(name: string, words: readonly string[]): PythonModule | undefined {
  if (!/^(python|pypy)/.test(name)) return undefined;
  let flags = '';
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const [, before = '', module] = /^-([bBdEhiIOPqsSuvx]*)m(.*)$/s.exec(word) ?? [];
    if (module !== undefined) {
      const isSafe = /[IP]/.test(flags + before);
      return module === ''
        ? { name: words[at + 1] ?? '', rest: words.slice(at + 2), isSafe }
        : { name: module, rest: words.slice(at + 1), isSafe };
    }
    if (word === '-X' || word === '-W') at++;
    else if (/^-[bBdEhiIOPqsSuvx]+$/.test(word)) flags += word.slice(1);
    else if (!/^-[XW]./.test(word)) return undefined;
  }
  return undefined;
}

const READS = /^(tokenize|ast|dis|calendar|platform|sysconfig|site|this|json\.tool|json)$/;

export function judgeModule({ name, rest, isSafe }: PythonModule, scene: Scene): Outcome {
  const files = rest.filter((word) => !word.startsWith('-'));
  if (READS.test(name) || name === 'pip') {
    const shadow = isSafe ? undefined : shadowOf(scene);
    const own =
      shadow === undefined
        ? outcome('read')
        : outcome('unknown', `${shadow} in the working directory may run instead of what Python brings along`);
    if (name === 'pip') return { ...own, inner: scene.command(['pip', ...rest], scene) };
    if (name === 'sysconfig' && rest.length > 0)
      return combine(own, outcome('write', 'python -m sysconfig may write files'), scanWords(rest, scene));
    const [read, written] = name.startsWith('json') ? [files.slice(0, 1), files.slice(1)] : [files, []];
    return combine(
      own,
      touch(scene, read, 'read'),
      written.length > 0 ? combine(outcome('write', 'writes a file'), touch(scene, written, 'write')) : outcome('read'),
    );
  }
  if (name === 'pre_commit')
    return { ...outcome('unknown', 'runs a Python module'), inner: scene.command(['pre-commit', ...rest], scene) };
  if (name === 'http.server')
    return combine(outcome('network', 'serves the folder to the network'), scanWords(rest, scene));
  if (/^(pytest|unittest|mypy|ruff|black|build|venv|compileall|doctest)$/.test(name))
    return combine(outcome('write', "runs the project's own code"), scanWords(rest, scene));
  // `timeit`, `cProfile`, `pdb -c`: words that are code.
  const code = rest.filter((word) => name === 'timeit' || /[\s();]/.test(word)).join('\n');
  const judged = code === '' ? outcome('read') : judgeCode('Python', code, scene);
  return combine(outcome('unknown', `runs the Python module ${name}`), scanWords(rest, scene), judged);
}

/** Modules of the library, any of which the others may import; built-in ones are not looked for. */
const LIBRARY = new Set(
  'abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore audioop base64 bdb binascii binhex bisect bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum fcntl filecmp fileinput fnmatch fractions ftplib functools genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress json keyword linecache locale logging lzma macpath mailbox mailcap math mimetypes mmap modulefinder multiprocessing netrc nis nntplib ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pip pipes pkgutil platform plistlib poplib posixpath pprint profile pstats pty py_compile pyclbr pydoc pydoc_data pyexpat pyrepl queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site sitecustomize smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading timeit token tokenize tomllib trace traceback tracemalloc tty types typing unicodedata unittest urllib usercustomize uu uuid venv warnings wave weakref webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo'.split(
    ' ',
  ),
);

/** What lies in a working directory and has the name of a module of the library; inner ones begin with a line. */
function shadowOf({ cwds }: Scene): string | undefined {
  for (const cwd of cwds)
    for (const entry of namesIn(cwd)) {
      const dot = entry.indexOf('.');
      const stem = dot < 0 ? entry : entry.slice(0, dot);
      if (!LIBRARY.has(stem) && !/^_[a-z]\w*$/.test(stem)) continue;
      // A folder without this file only adds to a package that is found nowhere else.
      const isModule =
        dot < 0
          ? namesIn(`${cwd}/${entry}`).some((inner) => inner.startsWith('__init__.'))
          : /\.(py[cdw]?|so|dll)$/i.test(entry);
      if (isModule) return entry;
    }
  return undefined;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
