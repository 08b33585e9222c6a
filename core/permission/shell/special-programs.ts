/** Programs whose arguments need more than a table, by name. */
import {
  judgeAlias,
  judgeEval,
  judgeExport,
  judgeFuser,
  judgeHash,
  judgeHistory,
  judgeHostname,
  judgeKeygen,
  judgeKill,
  judgeRead,
  judgeSet,
  judgeSource,
  judgeTop,
  judgeTrap,
} from './builtins.ts';
import { judgeRm, judgeUnlink } from './deletion.ts';
import { judgeFind } from './find.ts';
import type { Judge } from './scene.ts';
import { judgeSed } from './sed.ts';
import { judgeAwk, judgeDate, judgeUniq, judgeXxd } from './text-programs.ts';
import { judgeRsync, judgeScp, judgeSsh, judgeTar } from './transfer.ts';
import { judgeCurl, judgeWget } from './web.ts';

export const SPECIAL_PROGRAMS: Readonly<Record<string, Judge>> = {
  rm: judgeRm,
  unlink: judgeUnlink,
  find: judgeFind,
  gfind: judgeFind,
  sed: judgeSed,
  gsed: judgeSed,
  awk: judgeAwk,
  gawk: judgeAwk,
  mawk: judgeAwk,
  nawk: judgeAwk,
  curl: judgeCurl,
  wget: judgeWget,
  rsync: judgeRsync,
  ssh: judgeSsh,
  scp: judgeScp,
  tar: judgeTar,
  gtar: judgeTar,
  bsdtar: judgeTar,
  kill: judgeKill,
  uniq: judgeUniq,
  hostname: judgeHostname,
  export: judgeExport,
  declare: judgeExport,
  typeset: judgeExport,
  local: judgeExport,
  readonly: judgeExport,
  set: judgeSet,
  read: judgeRead,
  eval: judgeEval,
  source: judgeSource,
  '.': judgeSource,
  alias: judgeAlias,
  unalias: judgeAlias,
  hash: judgeHash,
  fuser: judgeFuser,
  history: judgeHistory,
  top: judgeTop,
  'ssh-keygen': judgeKeygen,
  trap: judgeTrap,
  xxd: judgeXxd,
  date: judgeDate,
};
