import { H2h3Error } from '../core/model/errors.ts';

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `20m`, `1.5h` in ms. @throws H2h3Error `usage` */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([smh])$/.exec(text);
  const perUnit = unitMs[match?.[2] ?? ''];
  if (!match || perUnit === undefined) {
    throw new H2h3Error('usage', `not a duration: "${text}"`, {
      context: { expected: 'such as 90s, 20m or 1.5h', got: text },
    });
  }
  return Number(match[1]) * perUnit;
}

/** A duration for people: `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
