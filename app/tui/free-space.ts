/** Room for a model on the disk of an Ollama on this machine. */
import { statfsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Bytes that are free where an Ollama on this machine most likely keeps its models: OLLAMA_MODELS, its system folder,
 * the person's own; null for a server elsewhere (`url`), and where that cannot be told.
 */
export function freeSpace(url: string, env: NodeJS.ProcessEnv = process.env): number | null {
  if (!/^(?:https?:\/\/)?(?:localhost|127\.|\[::1\])/.test(url)) return null;
  const home = env.HOME || homedir();
  for (const folder of [env.OLLAMA_MODELS, '/usr/share/ollama/.ollama', join(home, '.ollama'), home]) {
    if (!folder) continue;
    try {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    } catch {
      // Not there: the next one is.
    }
  }
  return null;
}
