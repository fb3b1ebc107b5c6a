import { setTimeout as sleep } from 'node:timers/promises';

/** When processes count as idle. */
export interface IdleRule {
  /** Time between two readings of their CPU time. */
  readonly intervalMs: number;
  /** So many intervals in a row without CPU time to speak of. */
  readonly intervals: number;
  /** It is waited no longer than this, counted from when it is asked for. */
  readonly limitMs: number;
}

/** The kernel counts CPU time in hundredths of a second: one of them is noise. */
const idleSeconds = 0.015;

/**
 * Resolves with true when next to no CPU time was used for a while, with false at the limit. Where `asked` is given
 * it resolves no earlier than that, and at once if there is rest already.
 */
export async function untilIdle(
  cpuSeconds: () => number,
  { intervalMs, intervals, limitMs }: IdleRule,
  asked: Promise<void> = Promise.resolve(),
): Promise<boolean> {
  let endMs = Number.POSITIVE_INFINITY;
  void asked.then(() => (endMs = performance.now() + limitMs));
  let resting = 0;
  for (let usedSeconds = cpuSeconds(); performance.now() <= endMs;) {
    const interval = sleep(intervalMs);
    await (resting < intervals ? interval : Promise.race([interval, asked]));
    const nowSeconds = cpuSeconds();
    resting = nowSeconds - usedSeconds < idleSeconds ? resting + 1 : 0;
    usedSeconds = nowSeconds;
    if (resting >= intervals && endMs !== Number.POSITIVE_INFINITY) return true;
  }
  return false;
}
