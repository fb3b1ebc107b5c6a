import { setTimeout as sleep } from 'node:timers/promises';
import {
  linkTowards,
  ownLink,
  parseInterfaces,
  readInterfaces,
} from '../../src/core/system/interface-counters.ts';
import { treeCpuReader } from '../../src/core/system/processes/tree-cpu.ts';

export interface RestOptions {
  /** The first of the client's processes. */
  readonly rootPid: number;
  /** So long there must be no traffic and next to no work, ms. */
  readonly quietMs: number;
  /** It is waited no longer than this, ms. */
  readonly limitMs: number;
  /** Where a server of ours answers; absent: none does. */
  readonly serverAddress?: string | undefined;
  /** Takes what a reader of the trial must know: that the page still worked. */
  readonly warn: (text: string) => void;
}

const pollMs = 50;
/** A machine that stood still for longer says nothing of the client in that time. */
const maxSeenMs = 2 * pollMs;
/** Pings that keep connections alive, and their acknowledgements. */
const keepAliveBytes = 1500;
/** CPU time of a browser at rest, as a share of one CPU. */
const idleShare = 0.06;
/** The kernel counts CPU time in hundredths of a second: two of them are noise in any window. */
const minIdleSeconds = 0.02;
/** An animated page works for ever: with no traffic for so many quiet times it has loaded. */
const maxQuietTimes = 4;
/** The same where other programs' traffic may hide that there is none, or no traffic is known: the page's own work must tell. */
const maxBusyTimes = 8;

/**
 * Resolves with true when a load whose load event has fired has come to rest, with false at the limit. It asks the kernel alone,
 * so that the client is left in peace: no traffic but what keeps connections alive, and no CPU time of the client's processes
 * beyond that of a browser at rest. Traffic is that of the client's own link; where a server of ours is reached over loopback or
 * a link of the machine, of that, with what other programs send there. Of live addresses over the machine's own network the CPU time alone is asked.
 *
 * A page that works for ever has come to rest when several quiet times have passed without traffic, and one that rests on a
 * machine whose link never does when it has rested for several; a warning says so.
 */
export async function untilRest(options: RestOptions): Promise<boolean> {
  const { rootPid, quietMs, limitMs, serverAddress, warn } = options;
  const startMs = performance.now();
  const cpuSeconds = treeCpuReader(rootPid);
  const own = ownLink();
  const link = own ?? (serverAddress === undefined ? null : linkTowards(serverAddress));
  const hasTraffic = trafficOn(link);
  let silentSinceMs = 0;
  const work: CpuSample[] = [];
  const busyLimitMs = (own === null ? maxBusyTimes : maxQuietTimes) * quietMs;
  let lastMs = startMs;
  let seenMs = 0;
  for (let nowMs = startMs; nowMs - startMs < limitMs; nowMs = performance.now()) {
    seenMs += Math.min(nowMs - lastMs, maxSeenMs);
    lastMs = nowMs;
    if (hasTraffic()) silentSinceMs = seenMs;
    work.push({ atMs: seenMs, seconds: cpuSeconds() });
    const silentMs = seenMs - silentSinceMs;
    if (silentMs >= quietMs && isIdle(work, quietMs)) return true;
    if (silentMs >= busyLimitMs) {
      warn(
        `the page still worked ${Math.round(silentMs)} ms after its load, without traffic: taken as loaded`,
      );
      return true;
    }
    if (own === null && isIdle(work, busyLimitMs)) {
      warn(
        'other programs’ traffic over the same link hides when the page came to rest: taken by its work alone',
      );
      return true;
    }
    await sleep(Math.max(1, Math.min(pollMs, startMs + limitMs - performance.now())));
  }
  return false;
}

/**
 * Whether more than keeps connections alive went over the client's own link since the last call; null where it has none: what
 * other programs send over a shared loopback is not told apart.
 */
export function watchOwnLink(): (() => boolean) | null {
  const link = ownLink();
  return link === null ? null : trafficOn(link);
}

/** Whether more than keeps connections alive went over a link since it last did; of no link never. */
function trafficOn(link: string | null): () => boolean {
  let bytes = linkBytes(link);
  return () => {
    const nowBytes = linkBytes(link);
    if (nowBytes - bytes <= keepAliveBytes) return false;
    bytes = nowBytes;
    return true;
  };
}

/** CPU time that the client had used by a moment of the time that was seen. */
interface CpuSample {
  readonly atMs: number;
  readonly seconds: number;
}

/** Whether next to no CPU time was used in the last `quietMs`. */
function isIdle(work: readonly CpuSample[], quietMs: number): boolean {
  const last = work.at(-1);
  const first = work.findLast(({ atMs }) => last !== undefined && last.atMs - atMs >= quietMs);
  if (last === undefined || first === undefined) return false;
  const allowed = Math.max(minIdleSeconds, (idleShare * (last.atMs - first.atMs)) / 1000);
  return last.seconds - first.seconds <= allowed;
}

/** Bytes both ways so far; 0 without a link. */
function linkBytes(link: string | null): number {
  if (link === null) return 0;
  const counters = parseInterfaces(readInterfaces()).get(link);
  return counters === undefined ? 0 : counters.receivedBytes + counters.sentBytes;
}
