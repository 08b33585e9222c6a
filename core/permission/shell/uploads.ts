/** Commands that send whole folders to other machines, as data: a secret in them goes along. Sources: the manual of each tool. */
import { splitArguments } from './options.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { searchFilter } from './search-filter.ts';
import { judgeSearch } from './search-secrets.ts';

/** The subcommands, and an option without which only files are sent. */
type Row = readonly [at: RegExp, recursive?: RegExp];

const CONTAINER: readonly Row[] = [[/^(container )?cp /]];
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  aws: [[/^s3 sync /], [/^s3 (cp|mv) /, /^--recursive$/]],
  gsutil: [[/^rsync /], [/^(cp|mv) /, /^-\w*[rR]/]],
  gcloud: [[/^storage rsync /], [/^(storage (cp|mv)|compute scp) /, /^(-r|-R|--recurse|--recursive)$/]],
  az: [[/^storage (blob|file) (upload-batch|sync) /]],
  rclone: [[/^(copy|sync|move|bisync|copyto|moveto) /]],
  s3cmd: [[/^(sync|put) /]],
  mc: [[/^(mirror|cp|mv) /]],
  b2: [[/^(sync|upload-file) /]],
  azcopy: [[/^(copy|cp|sync) /]],
  kubectl: CONTAINER,
  oc: [[/^(cp|rsync) /]],
  docker: CONTAINER,
  podman: CONTAINER,
  lftp: [[/^mirror /]],
};
const REMOTE = /^[\w.-]+:(?!\\)|^[a-z][\w+.-]*:\/\//i;

/** What goes along with a folder that is sent. */
export function judgeUpload(name: string, args: readonly string[], scene: Scene): Outcome {
  if (!Object.hasOwn(ROWS, name)) return outcome('read');
  const { operands } = splitArguments(args);
  const line = `${operands.join(' ')} `;
  const row = ROWS[name]!.find(
    ([at, recursive]) => at.test(line) && (!recursive || args.some((word) => recursive.test(word))),
  );
  if (!row) return outcome('read');
  const depth = row[0].exec(line)![0].trim().split(' ').length;
  const named = args.flatMap((word, index) => (/^(-s|--source)$/.test(args[index - 1] ?? '') ? word : []));
  const from = operands.slice(depth, -1).filter((word) => !REMOTE.test(word));
  const isSent = named.length > 0 || REMOTE.test(operands.at(-1) ?? '');
  if (!isSent) return outcome('read');
  return combine(
    touch(scene, [...from, ...named], 'read'),
    judgeSearch(scene, [...from, ...named], searchFilter(args), true),
  );
}
