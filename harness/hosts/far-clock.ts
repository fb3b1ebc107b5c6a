import { H2h3Error } from '../../src/core/model/errors.ts';

/** The four times of one request: written here, read there, written there, read here. Epoch ms, each by the clock of its machine. */
export interface RequestTimes {
  readonly askedEpochMs: number;
  readonly heardEpochMs: number;
  readonly saidEpochMs: number;
  readonly gotEpochMs: number;
}

/** By how much the far clock is ahead, and how far off that may be, ms. */
export interface ClockOffset {
  readonly offsetMs: number;
  readonly boundMs: number;
}

/** Times are read in whole milliseconds at both ends. */
const readingMs = 1;

/** Offset and delay of a clock by the four times of a request (RFC 5905, 8); the true offset lies within half of the delay. */
export function clockOffsetOf({
  askedEpochMs,
  heardEpochMs,
  saidEpochMs,
  gotEpochMs,
}: RequestTimes): ClockOffset {
  // An answer is written after its request was read: a clock that says otherwise must not widen the bound.
  const busyMs = Math.max(0, saidEpochMs - heardEpochMs);
  const delayMs = Math.max(0, gotEpochMs - askedEpochMs - busyMs);
  return {
    offsetMs: (heardEpochMs - askedEpochMs + (saidEpochMs - gotEpochMs)) / 2,
    boundMs: delayMs / 2 + readingMs,
  };
}

/** A clock that is slewed by NTP runs 500 ppm fast at the most (adjtimex(8)); a trial takes minutes. */
const slewedMs = 100;

/** Whether one of the clocks was set between two requests, rather than slewed. */
export function hasJumped(before: ClockOffset, after: ClockOffset): boolean {
  return Math.abs(after.offsetMs - before.offsetMs) > before.boundMs + after.boundMs + slewedMs;
}

/** @param host whose clock it is. @throws H2h3Error `process-failed` where it, or that of this machine, was set between two requests */
export function requireSteady(host: string, before: ClockOffset, after: ClockOffset): void {
  if (!hasJumped(before, after)) return;
  throw new H2h3Error('process-failed', `the clock of ${host} was set during the trial`, {
    next: 'Have NTP slew it, and not step it, while a run is under way.',
  });
}
