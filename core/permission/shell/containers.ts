/** What a container can reach of this machine: folders that it is given, and rights beyond its own. */
import type { Option } from './options.ts';
import { combine, type Outcome, outcome, type Part, type Scene, touch } from './scene.ts';
import { judgeSearch } from './search-secrets.ts';

const RIGHTS = /^--(privileged|pid|device|cap-add|security-opt|userns|ipc|uts|cgroupns|gpus-all|volumes-from)$/;

/** `inner`: the parts of the command inside; one that reads folders may come upon what is in the mounted ones. */
export function judgeMounts(options: readonly Option[], inner: readonly Part[], scene: Scene): Outcome {
  const notes: Outcome[] = [];
  const folders: string[] = [];
  for (const { name, value = '' } of options) {
    if (RIGHTS.test(name) || (/^--(network|net)$/.test(name) && /^(host|container:)/.test(value)))
      notes.push(outcome('outside', 'the container can reach this machine'));
    const mounted =
      name === '-v' || name === '--volume'
        ? /^([^:]*):/s.exec(value)?.[1]
        : name === '--mount'
          ? /(?:^|,)(?:src|source)=([^,]*)/.exec(value)?.[1]
          : undefined;
    // A plain name is a volume of the container service.
    if (mounted === undefined || /^[\w][\w.-]*$/.test(mounted)) continue;
    folders.push(mounted);
    notes.push(touch(scene, [mounted], 'list'));
  }
  if (folders.length > 0 && inner.some((part) => part.searches?.length)) notes.push(judgeSearch(scene, folders));
  return combine(outcome('read'), ...notes);
}
