/** Keeps V8 from working while the program lies idle. */
import { setFlagsFromString } from 'node:v8';

/**
 * V8 starts a slow collection of its own some seconds after the last work, to give memory back: 50 ms of CPU each time,
 * in a program that needs the memory again at the next key. It is an incremental one, so those are off while no turn
 * runs; a collection that is really needed still happens, in one piece.
 */
export function letHeapRest(idle: boolean): void {
  setFlagsFromString(idle ? '--no-incremental-marking' : '--incremental-marking');
}
