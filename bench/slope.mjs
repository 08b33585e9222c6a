/**
 * What one step costs, in ms of CPU: the difference between many and few of them, so that the start does not count.
 * `run(count)` gives `{ cpu }`; the least of several runs counts, since a slope magnifies noise.
 */
export async function slope(run, runs, [few, many]) {
  const least = { [few]: Number.POSITIVE_INFINITY, [many]: Number.POSITIVE_INFINITY };
  for (let index = 0; index < runs; index += 1) {
    for (const count of [few, many]) least[count] = Math.min(least[count], (await run(count)).cpu);
  }
  return ((least[many] - least[few]) / (many - few)) * 1000;
}
