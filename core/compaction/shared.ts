/** Divides a room: who wants less than an equal share gets it all, the others share the rest. */
export function shared(wanted: readonly number[], room: number): number[] {
  const rooms = wanted.map(() => 0);
  const byNeed = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]!);
  let left = Math.max(0, room);
  for (const [n, i] of byNeed.entries()) {
    rooms[i] = Math.min(wanted[i]!, left / (byNeed.length - n));
    left -= rooms[i]!;
  }
  return rooms;
}
