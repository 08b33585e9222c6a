/**
 * Commands that are more than their program, told by the words behind it: those that destroy, publish, or print
 * credentials, as data. Sources: the manual of each tool.
 */
import type { AccessClass } from '../../types.ts';
import { PRINTS } from './printed-credentials.ts';
import { PUBLISHES, SHOWN } from './published.ts';

/**
 * Words that follow one another among the operands, `a,b` for either; with patterns, only when an argument matches each;
 * never when one matches the last pattern.
 */
export type Row = string | readonly [words: string, has?: RegExp | readonly RegExp[], unless?: RegExp];

const rows = (list: string): readonly string[] => list.split('|');

const MIGRATIONS = 'migrate:fresh|migrate:reset|migrate:refresh|migrate:rollback|db:wipe';
const RAILS = 'db:drop|db:reset|db:purge|db:rollback|db:schema:load|db:migrate:reset|db:truncate_all';
const DESTROYS: Readonly<Record<string, readonly Row[]>> = {
  dropdb: [''],
  dropuser: [''],
  pg_restore: [['', /^(--clean|-[aeOsvx1]*c[aeOsvx1]*)$/]],
  mongorestore: [['', /^--drop$/]],
  mysqladmin: ['drop'],
  podman: ['system reset', 'machine reset'],
  supabase: ['db reset', ['stop', /^--no-backup$/], ['db push', /^--include-all$/]],
  prisma: ['migrate reset', ['db push', /^--(force-reset|accept-data-loss)$/]],
  'drizzle-kit': ['drop', ['push', /^--force$/]],
  typeorm: rows('schema:drop|migration:revert'),
  sequelize: rows('db:drop|db:migrate:undo|db:migrate:undo:all'),
  'sequelize-cli': rows('db:drop|db:migrate:undo|db:migrate:undo:all'),
  knex: ['migrate:rollback', 'migrate:down'],
  php: rows(MIGRATIONS).map((word) => `artisan ${word}`),
  artisan: rows(MIGRATIONS),
  rails: rows(RAILS),
  rake: rows(RAILS),
  mix: rows('ecto.drop|ecto.reset|ecto.rollback'),
  dotnet: ['ef database drop'],
  'dotnet-ef': ['database drop'],
  alembic: ['downgrade'],
  flask: ['db downgrade'],
  diesel: ['database reset', 'migration revert', 'migration redo'],
  sqlx: ['database drop', 'database reset', 'migrate revert'],
  dbmate: ['drop', 'down', 'rollback'],
  goose: ['reset', 'down', 'down-to'],
  migrate: ['drop', 'down'],
  flyway: ['clean', 'undo'],
  liquibase: rows('dropAll|drop-all|rollback|rollback-count'),
  heroku: rows('apps:destroy|apps:delete|pg:reset|pg:copy|addons:destroy'),
  surge: ['teardown'],
  wrangler: ['delete', 'rollback'],
  multipass: ['delete'],
  virsh: ['undefine', 'destroy', 'vol-delete'],
};

function find(table: Readonly<Record<string, readonly Row[]>>, name: string, args: readonly string[]) {
  if (!Object.hasOwn(table, name)) return undefined;
  // A namespace may be called like a kind of thing.
  const given = /^(kubectl|oc)$/.test(name)
    ? args.filter((_word, index) => !/^(-n|--namespace|--context)$/.test(args[index - 1] ?? ''))
    : args;
  for (const row of table[name]!) {
    const [words, has = [], unless] = typeof row === 'string' ? [row] : row;
    const patterns = has instanceof RegExp ? [has] : has;
    if (
      (words === '' || follow(words.split(' '), given)) &&
      patterns.every((pattern) => given.some((word) => pattern.test(word))) &&
      !(unless && args.some((word) => unless.test(word)))
    )
      return words;
  }
  return undefined;
}

const MAX_OPERANDS = 8;

/** True when the words stand one behind the other among the first operands; behind an option its value may stand. */
function follow(words: readonly string[], args: readonly string[]): boolean {
  const isOne = (word: string, argument: string | undefined) =>
    argument !== undefined && (word === argument || (word.includes(',') && word.split(',').includes(argument)));
  let operands = 0;
  for (let start = 0; start < args.length && operands < MAX_OPERANDS; start++) {
    if (!args[start]!.startsWith('-')) operands++;
    if (!isOne(words[0]!, args[start])) continue;
    let [found, mayBeValue] = [1, false];
    for (let at = start + 1; at < args.length && found < words.length; at++) {
      const word = args[at]!;
      if (isOne(words[found]!, word)) {
        found++;
        mayBeValue = false;
      } else if (word.startsWith('-')) mayBeValue = !word.includes('=');
      else if (mayBeValue) mayBeValue = false;
      else break;
    }
    if (found === words.length) return true;
  }
  return false;
}

/** The class and the reason of a command that the tables name; undefined for all others. */
export function judgeNamed(name: string, args: readonly string[]): readonly [AccessClass, string] | undefined {
  const program = name.replace(/\.(py|php|js|sh|exe)$/, '');
  if (args.length === 1 && /^(--version|-V|--help|-h)$/.test(args[0]!)) return undefined;
  const module = /^(python|pypy)/.test(name) ? args.indexOf('-m') : -1;
  if (module >= 0 && args[module + 1] !== undefined) return judgeNamed(args[module + 1]!, args.slice(module + 2));
  const destroys = find(DESTROYS, program, args);
  if (destroys !== undefined)
    return ['destructive', `${[name, destroys].join(' ').trim()} deletes or overwrites something for good`];
  const publishes = find(PUBLISHES, program, args);
  if (publishes !== undefined)
    return ['destructive', `${[name, publishes].join(' ').trim()} publishes for good, or takes back what is published`];
  const shown = find(SHOWN, program, args);
  if (shown !== undefined) return ['outside', `${[name, shown].join(' ').trim()} changes what others see or get`];
  if (/^(docker-credential|git-credential)-/.test(name)) return ['outside', `${name} prints credentials`];
  const prints = find(PRINTS, program, args);
  return prints === undefined ? undefined : ['outside', `${[name, prints].join(' ').trim()} prints credentials`];
}
