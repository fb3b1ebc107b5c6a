import type { Har, HarEntry, HarTimings } from '../../core/model/har.ts';
import type { PageTimings } from '../../core/model/raw-trial.ts';
import { parseMoment } from '../../core/metrics/evidence/har-moment.ts';
import { finiteOrNull, positiveOrNull } from '../../core/metrics/evidence/numbers.ts';

/** What a page load waits for, in ms; together they are the load time. */
export interface PageStages {
  /** Names resolved, connections and their encryption set up. */
  readonly connection: number;
  /** Requests written and answers awaited. */
  readonly firstByte: number;
  /** Requests known to the browser and not yet sent: its own queue, and waiting for a connection. */
  readonly queueing: number;
  /** Answers on their way, first byte to last. */
  readonly transfer: number;
  /** Nothing on the path was under way: parsing, scripts, layout, paint, the load event. */
  readonly processing: number;
}

type Stage = keyof PageStages;

interface Request {
  readonly url: string;
  /** Ms after navigation start. */
  readonly startMs: number;
  readonly endMs: number;
  readonly initiatorUrl: string | null;
  /** In order, together the time from start to end. */
  readonly phases: readonly (readonly [Stage, number])[];
}

/**
 * The load time split along its critical path, walked from its end: what ended last before the load event was asked for
 * by something that had to come first, and so on to navigation start. Between a request and what asked for it the
 * browser was processing. The sum is the load time. Null where timings or HAR do not tell.
 *
 * Critical path of a page: Wang et al., "Demystifying Page Load Performance with WProf" (NSDI 2013); initiators as the
 * browser names them, and where it names none, what ended last before.
 */
export function pageStages(timings: PageTimings | null, har: Har | null): PageStages | null {
  const pltMs = positiveOrNull(timings?.loadEventEndMs);
  if (timings === null || pltMs === null) return null;
  const requests = requestsOf(har, timings.timeOriginEpochMs);
  const loadStartMs = positiveOrNull(timings.loadEventStartMs) ?? pltMs;
  const beforeLoad = requests.filter(({ startMs }) => startMs < loadStartMs);
  let current = lastEnded(beforeLoad, loadStartMs + momentSlackMs);
  if (current === undefined) return null;
  const stages: Record<Stage, number> = {
    connection: 0,
    firstByte: 0,
    queueing: 0,
    transfer: 0,
    processing: 0,
  };
  const seen = new Set<Request>();
  let nowMs = pltMs;
  while (current !== undefined && !seen.has(current)) {
    seen.add(current);
    if (nowMs > current.endMs) {
      stages.processing += nowMs - current.endMs;
      nowMs = current.endMs;
    }
    nowMs = spendPhases(current, nowMs, stages);
    current = parentOf(current, requests);
  }
  stages.processing += Math.max(0, nowMs);
  return stages;
}

/** HARs of Chromium cut moments to whole ms. */
const momentSlackMs = 1;

/** Adds the phases of a request up to `untilMs`, the last first; returns where it began. */
function spendPhases(request: Request, untilMs: number, stages: Record<Stage, number>): number {
  let phaseStartMs = request.startMs;
  for (const [stage, durationMs] of request.phases) {
    const phaseEndMs = Math.min(phaseStartMs + durationMs, untilMs);
    if (phaseEndMs > phaseStartMs) stages[stage] += phaseEndMs - Math.max(0, phaseStartMs);
    phaseStartMs = Math.max(phaseStartMs, phaseEndMs);
  }
  return Math.max(0, Math.min(untilMs, request.startMs));
}

function lastEnded(requests: readonly Request[], untilMs: number): Request | undefined {
  return requests
    .filter(({ endMs }) => endMs <= untilMs)
    .reduce<Request | undefined>(
      (last, request) => (last === undefined || request.endMs > last.endMs ? request : last),
      undefined,
    );
}

/** What asked for a request; the first request of a load has none. */
function parentOf(request: Request, requests: readonly Request[]): Request | undefined {
  const earlier = requests.filter((other) => other !== request && other.startMs < request.startMs);
  const named = earlier.filter(({ url }) => url === request.initiatorUrl).at(-1);
  return named ?? lastEnded(earlier, request.startMs + momentSlackMs);
}

function requestsOf(har: Har | null, originEpochMs: number): Request[] {
  const entries: unknown = har?.log?.entries;
  if (!Array.isArray(entries)) return [];
  return entries
    .flatMap((entry: HarEntry) => requestOf(entry, originEpochMs) ?? [])
    .toSorted((a, b) => a.startMs - b.startMs);
}

function requestOf(entry: HarEntry, originEpochMs: number): Request | null {
  const { epochMs } = parseMoment(entry.startedDateTime);
  const durationMs = finiteOrNull(entry.time);
  const url = entry.request?.url;
  if (epochMs === null || durationMs === null || durationMs < 0 || typeof url !== 'string') return null;
  if (!/^https?:/.test(url) || /\/favicon\.ico$/.test(url) || entry._fromCache === true) return null;
  const startMs = epochMs - originEpochMs;
  return {
    url: withoutFragment(url),
    startMs,
    endMs: startMs + durationMs,
    initiatorUrl: initiatorOf(entry._initiator),
    phases: phasesOf(entry.timings, durationMs),
  };
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/, '');
}

/** As the DevTools protocol has it: the document or style sheet that names it, or the script at the top of the stack. */
function initiatorOf(initiator: unknown): string | null {
  const { url, stack } = (initiator ?? {}) as {
    url?: unknown;
    stack?: { callFrames?: readonly { url?: unknown }[] };
  };
  const named = typeof url === 'string' && url !== '' ? url : stack?.callFrames?.[0]?.url;
  return typeof named === 'string' && named !== '' ? withoutFragment(named) : null;
}

/** HAR 1.2 counts `ssl` within `connect`; −1 is "does not apply". What the others leave of the time is transfer. */
function phasesOf(timings: HarTimings | undefined, durationMs: number): Request['phases'] {
  const positiveMs = (value: unknown): number => positiveOrNull(value) ?? 0;
  const connection = positiveMs(timings?.dns) + positiveMs(timings?.connect);
  const before: readonly (readonly [Stage, number])[] = [
    ['queueing', positiveMs(timings?.blocked)],
    ['connection', connection],
    ['firstByte', positiveMs(timings?.send) + positiveMs(timings?.wait)],
  ];
  const spentMs = before.reduce((sum, [, ms]) => sum + ms, 0);
  return [...before, ['transfer', Math.max(0, durationMs - spentMs)]];
}
