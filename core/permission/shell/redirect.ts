/** One redirect: the file that it reads or writes, and what standard input then is. */
import { writtenTexts } from './file-texts.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';

/** A file that this command wrote holds what it wrote. */
export function fileInput(targets: readonly string[], scene: Scene): Pick<Scene, 'stdin' | 'fed' | 'from'> {
  const texts = targets.flatMap((target) => writtenTexts(target, scene) ?? []);
  if (texts.length === 0) return { stdin: 'file', fed: undefined, from: targets };
  return texts.length === 1 && texts[0] !== undefined
    ? { stdin: 'text', fed: texts[0] }
    : { stdin: 'pipe', fed: undefined };
}

export function judgeRedirect(op: string, target: string, scene: Scene): Outcome | undefined {
  if ((op === '>&' || op === '<&') && /^(\d+-?|-)$/.test(target)) return undefined;
  if (op === '<' || op === '<&') return combine(outcome('read'), touch(scene, [target], 'read'));
  const touched = touch(scene, [target], 'write');
  const isDevice = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+|zero|full)$/.test(target);
  return isDevice ? undefined : combine(outcome('write', `writes ${target}`), touched);
}
