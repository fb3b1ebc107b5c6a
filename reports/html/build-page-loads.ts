import { blockName } from '../../src/core/model/block-name.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import type { Har, HarEntry } from '../../src/core/model/har.ts';
import type { PageChanges } from '../../src/core/model/request-changes.ts';
import { armTitle } from '../format/labels.ts';
import type { Labels } from '../format/labels.ts';
import { isNumber } from '../format/numbers.ts';
import { linkBands } from './link-bands.ts';
import type { PageChangesShown, PageLoad, PageLoadGroup, PageRequest } from './page-data.ts';
import type { PageLoadEvidence } from './page-loads.ts';
import { stripMoments } from './strip-moments.ts';

/** Requests in one page, about 0.7 MB. */
const maxRequests = 6000;
/** Bytes of pictures in one page, before Base64. */
const maxFrameBytes = 500_000;
/** Loads whose frames are decoded for a curve of visual progress; each takes some 0.2 s. */
const maxCurves = 32;
/** Pictures of one load besides those of its strip, for the film. */
const filmSteps = 6;

function tenths(value: number | undefined): number {
  return isNumber(value) && value > 0 ? Math.round(value * 10) / 10 : 0;
}

/** The encoded size where the browser says it, else what the HAR has; null where neither does. */
function bytesOf({ response }: HarEntry): number | null {
  const size = response._transferSize ?? response.bodySize;
  return isNumber(size) && size >= 0 ? size : null;
}

function request(entry: HarEntry, startMs: number): PageRequest {
  const { timings, response } = entry;
  return [
    entry.request.url,
    tenths(startMs),
    tenths(timings.blocked),
    tenths((timings.dns ?? 0) > 0 ? timings.dns : 0) + tenths(timings.connect),
    tenths(timings.send) + tenths(timings.wait),
    tenths(timings.receive),
    bytesOf(entry),
    response.status,
    response.httpVersion,
    entry._priority ?? '',
    entry.connection ?? '',
    response._error ?? '',
  ];
}

function requestsOf(har: Har): PageRequest[] {
  const start = Date.parse(har.log.pages[0]?.startedDateTime ?? har.log.entries[0]?.startedDateTime ?? '');
  return har.log.entries
    .map((entry) => request(entry, Date.parse(entry.startedDateTime) - start))
    .sort((a, b) => a[1] - b[1]);
}

/** The common time of the arms of a block. */
type Span = Pick<PageLoadGroup, 'firstPaintMs' | 'endMs'>;

/** The first paint that any arm reports, else the first picture after the one that stood at the start. */
function firstPaintOf(members: readonly PageLoadEvidence[]): number {
  const paints = members.map(
    ({ paints: told, frames = [] }) => told?.fcpMs ?? frames[1]?.tMs ?? frames[0]?.tMs,
  );
  return Math.round(Math.min(...paints.filter(isNumber)));
}

/** The pictures that the strip shows, and some for the film; each once and with the moment at which it was painted. */
function shownFrames(
  { frames = [] }: PageLoadEvidence,
  { firstPaintMs, endMs }: Span,
): NonNullable<PageLoadEvidence['frames']> {
  const steps = Array.from({ length: filmSteps }, (_, i) => (endMs * i) / filmSteps);
  const moments = [...steps, ...stripMoments(firstPaintMs, endMs)].toSorted((a, b) => a - b);
  return [...new Set(moments.flatMap((ms) => frames.findLast(({ tMs }) => tMs <= ms) ?? frames[0] ?? []))];
}

function loadEventMs({ log }: Har): number | null {
  const time = log.pages[0]?.pageTimings.onLoad;
  return isNumber(time) && time >= 0 ? Math.round(time) : null;
}

function endOf(load: PageLoadEvidence): number {
  const ends = requestsOf(load.har).map(
    ([, start, ...rest]) => start + rest[0] + rest[1] + rest[2] + rest[3],
  );
  return [loadEventMs(load.har) ?? 0, ...ends].reduce((most, end) => Math.max(most, end), 1);
}

/** What a page still takes; counted down while it is filled. */
export interface Room {
  requests: number;
  frameBytes: number;
  /** Curves of visual progress. */
  curves: number;
}

/** A frame that cannot be decoded leaves the load without its curve; the metrics of the trial name the reason. */
function progressOf({ progress, frames }: PageLoadEvidence, room: Room): PageLoad['progress'] {
  if ((frames?.length ?? 0) === 0 || room.curves <= 0) return [];
  room.curves -= 1;
  try {
    return (progress?.() ?? []).map(([tMs, percent]) => [Math.round(tMs), percent]);
  } catch {
    return [];
  }
}

/** When the viewport was complete: it may be painted after the last request has ended. */
function paintedMs(progress: PageLoad['progress']): number {
  return progress.find(([, percent]) => percent >= 100)?.[0] ?? 0;
}

function pageLoad(load: PageLoadEvidence, progress: PageLoad['progress'], span: Span, room: Room): PageLoad {
  const requests = requestsOf(load.har);
  const frames = shownFrames(load, span);
  const bytes = frames.reduce((sum, { jpeg }) => sum + jpeg.byteLength, 0);
  const withFrames = bytes > 0 && bytes <= room.frameBytes;
  room.requests -= requests.length;
  if (withFrames) room.frameBytes -= bytes;
  return {
    arm: load.arm,
    title: armTitle(load.arm),
    trialId: load.trialId,
    loadEventMs: loadEventMs(load.har),
    marks: {
      fcp: load.paints?.fcpMs ?? null,
      lcp: load.paints?.lcpMs ?? null,
      load: loadEventMs(load.har),
    },
    requests,
    frames: withFrames
      ? frames.map(({ tMs, jpeg }) => [Math.round(tMs), Buffer.from(jpeg).toString('base64')] as const)
      : [],
    progress,
  };
}

type Condition = Pick<PageLoadEvidence, 'workload' | 'client' | 'network' | 'server'>;
type Several = (key: 'client' | 'network' | 'server') => boolean;

function severalOf(loads: readonly Condition[]): Several {
  return (key) => new Set(loads.map((load) => load[key])).size > 1;
}

/** Of client, network and server what the run has several of. */
function placeParts({ client, network, server }: Condition, several: Several, labels: Labels): string[] {
  return [
    several('client') ? labels.client(client) : '',
    several('network') ? labels.network(network) : '',
    several('server') ? labels.server(server) : '',
  ].filter(Boolean);
}

/** The page, and the place likewise. */
function loadTitle(load: Condition, several: Several, labels: Labels): string {
  return [labels.workload(load.workload, 'page'), ...placeParts(load, several, labels)]
    .filter(Boolean)
    .join(' · ');
}

/** What changed inside pages, under the titles that their loads have. */
export function shownChanges(
  changes: readonly PageChanges[],
  loads: readonly PageLoadEvidence[],
  labels: Labels,
): PageChangesShown[] {
  const several = severalOf(loads);
  const tenth = (ms: number): number => Math.round(ms * 10) / 10;
  const ends = (interval: readonly [number, number] | null): [number, number] | null =>
    interval === null ? null : [tenth(interval[0]), tenth(interval[1])];
  return changes.map((change) => ({
    title: loadTitle(change, several, labels),
    candidate: armTitle(change.candidateArm),
    blocks: change.blocks,
    matched: change.matched,
    onlyBaseline: change.onlyBaseline,
    onlyCandidate: change.onlyCandidate,
    requests: change.requests.map((request) => ({
      ...request,
      durationDifferenceMs: tenth(request.durationDifferenceMs),
      durationInterval: ends(request.durationInterval),
      endDifferenceMs: tenth(request.endDifferenceMs),
      endInterval: ends(request.endInterval),
    })),
  }));
}

/**
 * Page loads by condition and block, until the page holds as many requests as open quickly.
 * @param arms labels in the order in which arms stand side by side
 */
export function buildPageLoads(
  loads: readonly PageLoadEvidence[],
  { arms, repetitions }: Pick<Summary['run'], 'arms' | 'repetitions'>,
  labels: Labels,
  room: Room = { requests: maxRequests, frameBytes: maxFrameBytes, curves: maxCurves },
): { groups: PageLoadGroup[]; leftOut: number } {
  const groups = Map.groupBy(loads, ({ workload, client, network, server, blockIndex }) =>
    JSON.stringify([workload, client, network, server, blockIndex]),
  );
  const several = severalOf(loads);
  const titleOf = (load: PageLoadEvidence): string => loadTitle(load, several, labels);
  const shown: PageLoadGroup[] = [];
  const titles = new Set(loads.map(titleOf));
  for (const members of groups.values()) {
    const [first] = members;
    if (!first || room.requests <= 0) continue;
    const curves = new Map(members.map((load) => [load, progressOf(load, room)]));
    const endMs = Math.max(...members.map(endOf), ...[...curves.values()].map(paintedMs));
    const firstPaintMs = firstPaintOf(members);
    const span = { firstPaintMs: isNumber(firstPaintMs) ? Math.min(firstPaintMs, endMs) : 0, endMs };
    shown.push({
      title: titleOf(first),
      workload: labels.workload(first.workload, 'page'),
      place: placeParts(first, several, labels).join(', '),
      blockIndex: first.blockIndex,
      block: blockName(first.blockIndex, repetitions),
      ...span,
      linkBands: linkBands(first.linkSchedule, endMs),
      loads: members
        .toSorted((a, b) => arms.indexOf(a.arm) - arms.indexOf(b.arm))
        .map((load) => pageLoad(load, curves.get(load) ?? [], span, room)),
    });
  }
  return { groups: shown, leftOut: titles.size - new Set(shown.map(({ title }) => title)).size };
}
