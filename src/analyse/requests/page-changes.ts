import type { Har, HarEntry } from '../../core/model/har.ts';
import { requestStretches } from '../../core/model/request-changes.ts';
import type { PageChanges, RequestChange, RequestStretch } from '../../core/model/request-changes.ts';
import { hodgesLehmann } from '../statistics/hodges-lehmann.ts';
import { describeSample } from '../statistics/quantile.ts';

/** Requests told in full. */
const maxListed = 5;
const level = 0.95;
/** A request counts as made by both where so many of the blocks have it in both. */
const minBlockShare = 0.5;

/** The HARs of both arms of one block. */
export interface BlockOfHars {
  readonly baseline: Har;
  readonly candidate: Har;
}

type Condition = Omit<PageChanges, 'blocks' | 'matched' | 'onlyBaseline' | 'onlyCandidate' | 'requests'>;

interface Timed {
  readonly address: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly stretches: Readonly<Record<RequestStretch, number>>;
}

type Pair = readonly [baseline: Timed, candidate: Timed];

/** Matches the requests of both arms in every block and says which changed most. Pure. */
export function pageChanges(condition: Condition, blocks: readonly BlockOfHars[]): PageChanges {
  const pairs = new Map<string, Pair[]>();
  let onlyBaseline = 0;
  let onlyCandidate = 0;
  for (const { baseline, candidate } of blocks) {
    const a = timedByKey(baseline);
    const b = timedByKey(candidate);
    for (const [key, timed] of a) {
      const other = b.get(key);
      if (other === undefined) onlyBaseline += 1;
      else pairs.set(key, [...(pairs.get(key) ?? []), [timed, other]]);
    }
    onlyCandidate += [...b.keys()].filter((key) => !a.has(key)).length;
  }
  const often = [...pairs.values()].filter(({ length }) => length >= blocks.length * minBlockShare);
  return {
    ...condition,
    blocks: blocks.length,
    matched: often.length,
    onlyBaseline,
    onlyCandidate,
    requests: often.map(changeOf).sort(bySureness).slice(0, maxListed),
  };
}

/** Requests by address and, for one that is asked for again, by which time it was. Cache-busting values do not tell apart. */
function timedByKey({ log }: Har): ReadonlyMap<string, Timed> {
  const startEpochMs = Date.parse(log.pages[0]?.startedDateTime ?? log.entries[0]?.startedDateTime ?? '');
  const counts = new Map<string, number>();
  const timed = new Map<string, Timed>();
  for (const entry of log.entries) {
    const name = addressKey(entry.request.url);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    timed.set(`${name} ${count}`, timedOf(entry, startEpochMs));
  }
  return timed;
}

function addressKey(address: string): string {
  // Long numbers are times and random values.
  return address.replace(/#.*$/, '').replace(/(?<=[?&=])\d{8,}/g, '#');
}

function timedOf(entry: HarEntry, pageEpochMs: number): Timed {
  const { blocked = 0, dns = 0, connect = 0, send, wait, receive } = entry.timings;
  const above = (ms: number): number => Math.max(0, ms);
  const stretches = {
    queued: above(blocked),
    connection: above(dns) + above(connect),
    waiting: above(send) + above(wait),
    receiving: above(receive),
  };
  const startMs = Date.parse(entry.startedDateTime) - pageEpochMs;
  const durationMs = requestStretches.reduce((sum, name) => sum + stretches[name], 0);
  return { address: entry.request.url, startMs, endMs: startMs + durationMs, stretches };
}

function median(values: readonly number[]): number {
  return describeSample(values).median ?? 0;
}

function changeOf(pairs: readonly Pair[]): RequestChange {
  const difference = (
    of: (timed: Timed) => number,
  ): { estimate: number; interval: RequestChange['endInterval'] } => {
    const { estimate, intervals } = hodgesLehmann(
      pairs.map(([a, b]) => of(b) - of(a)),
      [level],
    );
    return { estimate: estimate ?? 0, interval: intervals[0] ?? null };
  };
  const duration = difference(({ startMs, endMs }) => endMs - startMs);
  const end = difference(({ endMs }) => endMs);
  const sign = Math.sign(duration.estimate) || 1;
  const [mainStretch] = requestStretches.toSorted(
    (x, y) =>
      sign *
      (difference(({ stretches }) => stretches[y]).estimate -
        difference(({ stretches }) => stretches[x]).estimate),
  ) as [RequestStretch];
  const [[first]] = pairs as [Pair];
  const medians = (arm: 0 | 1): RequestChange['baseline'] => ({
    startMs: median(pairs.map((pair) => pair[arm].startMs)),
    endMs: median(pairs.map((pair) => pair[arm].endMs)),
  });
  return {
    address: first.address,
    host: new URL(first.address).hostname,
    blocks: pairs.length,
    baseline: medians(0),
    candidate: medians(1),
    durationDifferenceMs: duration.estimate,
    durationInterval: duration.interval,
    endDifferenceMs: end.estimate,
    endInterval: end.interval,
    mainStretch,
  };
}

function isSure({ durationInterval }: RequestChange): boolean {
  return durationInterval !== null && (durationInterval[0] > 0 || durationInterval[1] < 0);
}

function bySureness(a: RequestChange, b: RequestChange): number {
  return (
    Number(isSure(b)) - Number(isSure(a)) ||
    Math.abs(b.durationDifferenceMs) - Math.abs(a.durationDifferenceMs)
  );
}
