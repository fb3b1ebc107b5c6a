import type { ServerLogEntry } from '../../core/model/raw-trial.ts';

/**
 * The entry of the log that began nearest to this moment, taken out of it. Preflights are no page's own; of an address for which
 * nothing else is left an `OPTIONS` with the status that the page got is what a script asked for.
 */
export function takeNearest(
  entries: ServerLogEntry[],
  epochMs: number,
  status: number | null,
): ServerLogEntry | undefined {
  const others = entries.filter(({ method }) => method !== 'OPTIONS');
  const own = others.length > 0 ? others : entries.filter((entry) => entry.status === status);
  const distance = ({ startEpochMs }: ServerLogEntry): number => Math.abs(startEpochMs - epochMs);
  const [nearest] = own.toSorted((a, b) => distance(a) - distance(b));
  if (nearest !== undefined) entries.splice(entries.indexOf(nearest), 1);
  return nearest;
}
