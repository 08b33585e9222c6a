/** Local time to the minute, sortable: `2026-11-30 14:05`. By hand: thousands are listed at once. `ms`: since the epoch. */
export function localMinute(ms: number): string {
  const date = new Date(ms);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const two = (number: number): string => (number < 10 ? `0${number}` : `${number}`);
