/** How far a pull is, as a person wants to read it: a bar, bytes, speed, the time that is left. Pure. */

export interface PullStep {
  /** The server's words. */
  status: string;
  /** Bytes; 0 while nothing is known. */
  completed: number;
  total: number;
}

export interface PullFigures extends PullStep {
  /** Bytes a second, null as long as that cannot be told. */
  speed: number | null;
  /** ms, null as long as that cannot be told. */
  remainingMs: number | null;
}

/** Speed is told of this much of the past. */
const SPAN_MS = 5_000;
const SHORTEST_MS = 500;

/** Watches one pull. What was there before it began is no speed. */
export function pullMeter(): (step: PullStep, now: number) => PullFigures {
  let seen: { at: number; completed: number }[] = [];
  return (step, now) => {
    if (step.total > 0) {
      seen.push({ at: now, completed: step.completed });
      const first = seen.findIndex(({ at }) => now - at <= SPAN_MS);
      seen = seen.slice(first);
    }
    const from = seen[0];
    const ms = from ? now - from.at : 0;
    const speed = from && ms >= SHORTEST_MS ? ((step.completed - from.completed) / ms) * 1000 : null;
    const left = step.total - step.completed;
    const remainingMs = speed !== null && speed > 0 && left > 0 ? (left / speed) * 1000 : null;
    return { ...step, speed, remainingMs };
  };
}

/** 950 kB, 12.3 MB, 5.2 GB: decimal, as downloads are told. */
export function bytesText(bytes: number): string {
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** `1.2 / 5.2 GB · 23 % · 34.0 MB/s · 2 min left`; the server's words while there are no bytes to count. */
export function pullText({ status, completed, total, speed, remainingMs }: PullFigures): string {
  if (total === 0) return status;
  const percent = Math.floor((completed / total) * 100);
  const parts = [`${bytesText(completed)} of ${bytesText(total)}`, `${percent} %`];
  if (completed >= total) return [...parts, status].join(' · ');
  if (speed !== null) parts.push(`${bytesText(speed)}/s`);
  if (remainingMs !== null) parts.push(`${timeText(remainingMs)} left`);
  return parts.join(' · ');
}

/** `█████░░░░░`, `width` cells. */
export function pullBar({ completed, total }: PullStep, width: number): string {
  const full = total === 0 ? 0 : Math.min(width, Math.floor((completed / total) * width));
  return '█'.repeat(full) + '░'.repeat(width - full);
}

function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
