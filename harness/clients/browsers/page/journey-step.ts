import { readPageTimings } from './page-timings.ts';
import { readEntries } from './timeline.ts';

/** Where the page is when a step begins. */
interface StepMark {
  readonly timeOriginEpochMs: number;
  readonly address: string;
  readonly nowMs: number;
  readonly interactionCount: number;
}

interface EventEntry extends PerformanceEntry {
  readonly interactionId?: number;
}

interface SoftEntry extends PerformanceEntry {
  readonly navigationId?: string | number;
  readonly paintTime?: number;
  readonly presentationTime?: number;
  readonly renderTime?: number;
}

interface MovingEntry extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
}

const loadPollMs = 5;
/** A page that never fires its load event is read as it is; the network was quiet before. */
const loadLimitMs = 10_000;
/** An event below this is told of by no browser. */
const minEventMs = 16;

/** Address without its fragment: a jump within the page is no navigation. */
const addressOf = (): string => location.href.split('#')[0] ?? '';

const interactions = (): number =>
  (performance as Performance & { readonly interactionCount?: number }).interactionCount ?? 0;

export function markStep(): StepMark {
  return {
    timeOriginEpochMs: performance.timeOrigin,
    address: location.href,
    nowMs: performance.now(),
    interactionCount: interactions(),
  };
}

function keptOf(type: string): PerformanceEntryList | null {
  const kept = (globalThis as unknown as Record<symbol, Record<string, PerformanceEntryList>>)[
    Symbol.for('h2h3 journey')
  ];
  return kept?.[type] ?? null;
}

async function untilLoaded(): Promise<void> {
  const endMs = performance.now() + loadLimitMs;
  while (performance.now() < endMs) {
    const navigation = performance.getEntriesByType('navigation')[0] as
      PerformanceNavigationTiming | undefined;
    if (navigation === undefined || navigation.loadEventEnd > 0) return;
    await new Promise((resolve) => setTimeout(resolve, loadPollMs));
  }
}

/** Paints and events are told of a frame later. */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
    setTimeout(resolve, 250);
  });
}

function softNavigationOf(
  mark: StepMark,
  sinceMs: number,
  events: readonly PerformanceEntry[],
): object | null {
  const entries: readonly SoftEntry[] = keptOf('soft-navigation') ?? [];
  const entry = entries.find(({ startTime }) => startTime >= sinceMs);
  if (entry !== undefined) {
    const paints: readonly SoftEntry[] = keptOf('interaction-contentful-paint') ?? [];
    const ends = paints
      .filter(({ navigationId, startTime }) => navigationId === entry.navigationId && startTime >= sinceMs)
      .map(({ presentationTime, paintTime, renderTime, startTime }) =>
        Math.max(presentationTime ?? paintTime ?? renderTime ?? startTime, entry.startTime),
      );
    const firstPaintMs = entry.presentationTime ?? entry.paintTime ?? entry.startTime + entry.duration;
    return { source: 'entry', durationMs: Math.max(firstPaintMs, ...ends) - entry.startTime };
  }
  if (mark.address === location.href || new URL(mark.address).href.split('#')[0] === addressOf()) return null;
  const startMs = Math.min(...events.map(({ startTime }) => startTime));
  const fromMs = Number.isFinite(startMs) ? startMs : sinceMs;
  const ends = (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
    .filter(({ startTime }) => startTime >= fromMs)
    .map(({ responseEnd }) => responseEnd);
  const painted = events.map(({ startTime, duration }) => startTime + duration);
  return { source: 'address', durationMs: Math.max(fromMs, ...ends, ...painted) - fromMs };
}

function interactionOf(sinceMs: number, count: number): number | null {
  const known = keptOf('event');
  if (known === null) return null;
  const events = [...known, ...(keptOf('first-input') ?? [])] as EventEntry[];
  const longest = events
    .filter(({ startTime, interactionId = 0 }) => startTime >= sinceMs && interactionId > 0)
    .map(({ duration }) => duration);
  if (longest.length + count === 0) return null;
  return Math.max(minEventMs, ...longest);
}

function movedSince(sinceMs: number): number | null {
  if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return null;
  const observer = new PerformanceObserver(() => undefined);
  observer.observe({ type: 'layout-shift', buffered: true });
  const entries = observer.takeRecords() as MovingEntry[];
  observer.disconnect();
  return entries
    .filter(({ startTime, hadRecentInput }) => startTime >= sinceMs && !hadRecentInput)
    .reduce((total, { value }) => total + value, 0);
}

/** What happened since the mark, as the browser kept it. */
export async function readStep(mark: StepMark): Promise<string> {
  await untilLoaded();
  await nextPaint();
  const isNew = Math.abs(performance.timeOrigin - mark.timeOriginEpochMs) > 0.5;
  const sinceMs = isNew ? 0 : mark.nowMs;
  const events = ((keptOf('event') ?? []) as EventEntry[]).filter(
    ({ startTime, interactionId = 0 }) => startTime >= sinceMs && interactionId > 0,
  );
  const interactionCount = Math.max(0, interactions() - (isNew ? 0 : mark.interactionCount));
  return JSON.stringify({
    origin: location.origin,
    timings: isNew ? readPageTimings() : null,
    softNavigation: isNew ? null : softNavigationOf(mark, sinceMs, events),
    interactionCount: Math.max(interactionCount, new Set(events.map((each) => each.interactionId)).size),
    interactionMs: interactionOf(sinceMs, interactionCount),
    cls: isNew ? null : movedSince(sinceMs),
    timeline: {
      scope: 'page',
      url: location.href,
      timeOriginEpochMs: performance.timeOrigin,
      droppedEntries: null,
      entries: readEntries(isNew ? ['navigation', 'resource'] : ['resource']).filter(
        ({ startMs }) => startMs >= sinceMs,
      ),
    },
  });
}
