import type { MessageSession } from '../../model/session.ts';
import { mean } from './numbers.ts';

/** What one session of messages comes to; times in ms, one entry a message in the order of sending. */
export interface MessageTimes {
  /** From its sending to its echo; null: it never came. */
  readonly delaysMs: readonly (number | null)[];
  /** Those that came, ascending. */
  readonly sortedMs: readonly number[];
  /** How long after its time each left. */
  readonly lateMs: readonly number[];
}

export function messageTimes({ sentMs, backMs, firstDueMs, gapMs }: MessageSession): MessageTimes {
  const delaysMs = sentMs.map((sent, index) => {
    const back = backMs[index] ?? null;
    return back === null ? null : back - sent;
  });
  return {
    delaysMs,
    sortedMs: delaysMs.filter((delay) => delay !== null).toSorted((a, b) => a - b),
    lateMs: sentMs.map((sent, index) => sent - firstDueMs - index * gapMs),
  };
}

/** The smallest value that this share of all do not exceed; null where there are none. */
export function nearestRank(sorted: readonly number[], share: number): number | null {
  return sorted.length === 0 ? null : (sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null);
}

/** Messages that were there only after one that left later. */
export function overtakenCount({ backMs }: Pick<MessageSession, 'backMs'>): number {
  let earliestLater = Infinity;
  let overtaken = 0;
  for (const back of backMs.toReversed()) {
    if (back === null) continue;
    if (back > earliestLater) overtaken++;
    earliestLater = Math.min(earliestLater, back);
  }
  return overtaken;
}

/** Echoes that are there within this time of each other came in one go: a browser hands them to the page one by one. */
const togetherMs = 2;
/** What varies on any path and is no delay worth a name. */
const usualMs = 5;

/** What became of a message that came later than most. */
type Held = 'behind' | 'by-itself';

/**
 * Of each message that was later than the median by more than 5 ms: whether it came in one go with an earlier one that was
 * later still. So it is where it waits behind a lost packet of another message, head of its line, and so after any pause of
 * the machine. By itself it is late where its own packet was lost, or queued.
 */
export function heldMessages(session: MessageSession): readonly (Held | null)[] {
  const { delaysMs, sortedMs } = messageTimes(session);
  const medianMs = nearestRank(sortedMs, 0.5) ?? 0;
  // The latest one so far, which each that comes with it may have waited behind.
  let head: { readonly backMs: number; readonly delayMs: number } | null = null;
  return delaysMs.map((delayMs, index) => {
    const backMs = session.backMs[index] ?? null;
    if (delayMs === null || backMs === null || delayMs <= medianMs + usualMs) return null;
    const isBehind = head !== null && Math.abs(backMs - head.backMs) <= togetherMs && head.delayMs > delayMs;
    if (!isBehind) head = { backMs, delayMs };
    return isBehind ? 'behind' : 'by-itself';
  });
}

/** Mean time of a message, ms, by what it went to: the path as most have it, waiting behind another, being late by itself. */
export interface MessageStages {
  readonly path: number;
  readonly headOfLine: number;
  readonly lateAlone: number;
}

/** They add up to the mean delay of those that came; undefined where none did. */
export function messageStages(session: MessageSession): MessageStages | undefined {
  const { delaysMs, sortedMs } = messageTimes(session);
  const medianMs = nearestRank(sortedMs, 0.5);
  if (medianMs === null) return undefined;
  const held = heldMessages(session);
  const excessOf = (kind: Held): number =>
    delaysMs.reduce<number>(
      (sum, delayMs, index) => (delayMs === null || held[index] !== kind ? sum : sum + delayMs - medianMs),
      0,
    ) / sortedMs.length;
  const headOfLine = excessOf('behind');
  const lateAlone = excessOf('by-itself');
  const meanMs = mean(sortedMs) ?? 0;
  return { path: meanMs - headOfLine - lateAlone, headOfLine, lateAlone };
}
