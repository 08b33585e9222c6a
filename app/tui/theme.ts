/** Which colours the screen uses: what the person says, else what the terminal tells of itself. */
import type { State } from './types.ts';

type Theme = State['theme'];

/** OSC 11: asks for the background; terminals that do not know it say nothing. */
export const ASK_BACKGROUND = '\x1b]11;?\x1b\\';

/** `ask`: whether the terminal should be asked, because nothing else tells dark from light. */
export function chooseTheme(env: NodeJS.ProcessEnv): { theme: Theme; ask: boolean } {
  if (env.NO_COLOR) return { theme: 'none', ask: false };
  const { ADA_THEME: wanted } = env;
  if (wanted === 'dark' || wanted === 'light' || wanted === 'none') return { theme: wanted, ask: false };
  // rxvt's convention, which others took over: foreground;background as numbers of the palette.
  const background = /^\d+;(?:\w+;)?(\d+)$/.exec(env.COLORFGBG ?? '')?.[1];
  if (background !== undefined) return { theme: /^(7|9|1[0-5])$/.test(background) ? 'light' : 'dark', ask: false };
  return { theme: 'dark', ask: true };
}
