/** What a door for a person at a terminal is started with. */
import type { Command } from '../../core/types.ts';
import type { ComposeOptions } from '../compose.ts';
import type { Stop } from '../signals.ts';
import type { Demonstration } from './demonstration.ts';

export interface DoorOptions {
  compose: ComposeOptions;
  env: NodeJS.ProcessEnv;
  stop: Stop;
  /** From the command line. */
  prompt: Extract<Command, { type: 'prompt' }> | undefined;
  /** Let the person choose which session to go on with. */
  choose: boolean;
  /** Begin with the demonstration. */
  demo: boolean;
  demonstration(): Promise<Demonstration>;
}
