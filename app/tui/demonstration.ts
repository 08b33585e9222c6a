/** The built-in demonstration, as a door may show it. */
import type { ComposeOptions } from '../compose.ts';

export interface Demonstration {
  /** Of the session: the recorded model, a copy of the sample project, approvals by the person. */
  options: ComposeOptions;
  /** What is shown, and where, in a line or two. */
  intro: string;
  prompt: string;
  /** After the turn: what the project's own tests say now. */
  judge(): Promise<{ good: boolean; text: string }>;
  /** Removes the copy. */
  dispose(): void;
}
