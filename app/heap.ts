/** How much memory and work V8's heap may take, where its own choice costs the person who waits. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** MiB that new objects may take: V8 would go on to 32 in a long session, which is no faster here. */
const YOUNG_MIB = 7;
let isHeld = false;

/**
 * Stops the part of the heap for new objects from growing once it has room enough. V8 doubles it whenever many objects
 * outlive a collection and never gives it back while the program works. To be called now and then: V8 reads its largest
 * size only at the start of the process, but how far it grows each time whenever it does.
 */
export function holdYoungHeap(): void {
  if (isHeld) return;
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  if (!young || young.physical_space_size < YOUNG_MIB * 2 ** 20) return;
  isHeld = true;
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * V8 starts a slow collection of its own some seconds after the last work, to give memory back: 50 ms of CPU each time,
 * in a program that needs the memory again at the next key. It is an incremental one, so those are off while no turn
 * runs; a collection that is really needed still happens, in one piece.
 */
export function letHeapRest(idle: boolean): void {
  setFlagsFromString(idle ? '--no-incremental-marking' : '--incremental-marking');
}
