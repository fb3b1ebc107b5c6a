import { setTimeout as sleep } from 'node:timers/promises';
import { ownLink, parseInterfaces, readInterfaces } from '../../src/system/interface-counters.ts';
import { treeCpuSeconds } from '../../src/system/processes/idle.ts';

export interface RestOptions {
  /** The first of the client's processes. */
  readonly rootPid: number;
  /** So long there must be no traffic and next to no work, ms. */
  readonly quietMs: number;
  /** It is waited no longer than this, ms. */
  readonly limitMs: number;
}

const pollMs = 50;
/** Pings that keep connections alive, and their acknowledgements. */
const keepAliveBytes = 1500;
/** CPU time of a browser at rest, as a share of one CPU. */
const idleShare = 0.06;
/** The kernel counts CPU time in hundredths of a second: two of them are noise in any window. */
const leastIdleSeconds = 0.02;
/** An animated page works for ever: with no traffic for so many quiet times it has loaded. */
const mostQuietTimes = 4;
/** The same where traffic is not known, so that only the page's own work can tell. */
const mostBusyTimes = 8;

/**
 * Resolves with true when a load whose load event has fired has come to rest, with false at the limit. It asks the kernel alone,
 * so that the client is left in peace: no traffic on the client's link but what keeps connections alive, and no CPU time of its
 * processes beyond that of a browser at rest. Where the client shares its network with other programs (loopback, live
 * addresses over the machine's own network) their traffic is no sign of it, and its CPU time alone is asked.
 */
export async function untilRest({ rootPid, quietMs, limitMs }: RestOptions): Promise<boolean> {
  const startMs = performance.now();
  const link = ownLink();
  const silence = { sinceMs: startMs, bytes: linkBytes(link) };
  const work: { readonly atMs: number; readonly seconds: number }[] = [];
  for (let nowMs = startMs; nowMs - startMs < limitMs; nowMs = performance.now()) {
    const bytes = linkBytes(link);
    if (bytes - silence.bytes > keepAliveBytes) Object.assign(silence, { sinceMs: nowMs, bytes });
    work.push({ atMs: nowMs, seconds: treeCpuSeconds(rootPid) });
    const silentMs = nowMs - silence.sinceMs;
    if (silentMs >= quietMs && isIdle(work, quietMs)) return true;
    if (silentMs >= (link === null ? mostBusyTimes : mostQuietTimes) * quietMs) return true;
    await sleep(Math.max(1, Math.min(pollMs, startMs + limitMs - performance.now())));
  }
  return false;
}

/** Whether next to no CPU time was used in the last `quietMs`. */
function isIdle(
  work: readonly { readonly atMs: number; readonly seconds: number }[],
  quietMs: number,
): boolean {
  const last = work.at(-1);
  const first = work.findLast(({ atMs }) => last !== undefined && last.atMs - atMs >= quietMs);
  if (last === undefined || first === undefined) return false;
  const allowed = Math.max(leastIdleSeconds, (idleShare * (last.atMs - first.atMs)) / 1000);
  return last.seconds - first.seconds <= allowed;
}

/** Bytes both ways so far; 0 without a link of the client's own. */
function linkBytes(link: string | null): number {
  if (link === null) return 0;
  const counters = parseInterfaces(readInterfaces()).get(link);
  return counters === undefined ? 0 : counters.receivedBytes + counters.sentBytes;
}
