/** `--offline` and ADA_OFFLINE: whether ada keeps to this machine, and what that promises. */
import { isSwitchedOn } from '../core/environment-switch.ts';

export const OFFLINE_NOTICE =
  'offline: only this machine and OLLAMA_HOST are reached by ada; commands that it runs are not held back';

/** `flag`: what the command line says. */
export const isOffline = (flag: boolean | undefined, env: NodeJS.ProcessEnv): boolean =>
  flag === true || isSwitchedOn(env.ADA_OFFLINE);
