import type {
  Night,
  NightEvent,
  RunState,
  Trend,
  TrendPoint,
  TrendSeries,
} from '../../core/model/history.ts';
import { minNights } from '../../core/model/history.ts';
import type { NameTable } from '../../core/model/name-table.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import { deriveSeed, seededRandom } from '../../core/model/seeded-random.ts';
import { describeSample } from '../statistics/quantile.ts';
import { changePoints } from './e-divisive.ts';
import { pairedNights } from './paired-nights.ts';
import { protocolGaps } from './protocol-gaps.ts';
import type { SeriesNight } from './series-night.ts';
import { nightPoints, versionPoints } from './trend-points.ts';

export interface NightRun {
  readonly night: string;
  readonly state: RunState;
  readonly reason: string;
  readonly folder: string;
}

/** A change of level that is smaller than the practical margin is there, but does not matter. */
function isWithinMargin(before: number, after: number, metric: string): boolean {
  const definition = metricDefinition(metric);
  if (definition === undefined) return false;
  const { form, margin } = definition;
  return form === 'ratio' && before > 0 && after > 0
    ? Math.abs(Math.log(after / before)) < Math.log1p(margin)
    : form === 'difference' && Math.abs(after - before) < margin;
}

function changesOf(points: readonly TrendPoint[], metric: string, seed: number): TrendSeries['changes'] {
  if (points.length < minNights) return [];
  const ratio = metricDefinition(metric)?.form !== 'difference' && points.every(({ median }) => median > 0);
  const scaled = points.map(({ median }) => (ratio ? Math.log(median) : median));
  const found = changePoints(scaled, { random: seededRandom(seed) });
  const middle = (from: number, to: number): number =>
    describeSample(points.slice(from, to).map(({ median }) => median)).median ?? 0;
  return found.flatMap(({ index, pValue }, i) => {
    const at = points[index];
    if (at === undefined) return [];
    const before = middle(found[i - 1]?.index ?? 0, index);
    const after = middle(index, found[i + 1]?.index ?? points.length);
    if (isWithinMargin(before, after, metric)) return [];
    return { night: at.night, version: at.version, before, after, pValue };
  });
}

/**
 * One series for every machine class, browser build, protocol, workload, metric, network and server, nothing is mixed; and
 * one of the candidate against each baseline that ran in the same blocks. A night with a pair is looked at for changes there alone:
 * a level by itself moves with the machine.
 */
export function trendSeries(rows: readonly SeriesNight[]): TrendSeries[] {
  const seriesKey = (row: SeriesNight): string =>
    [
      row.machineClass,
      row.family,
      row.build,
      row.protocol,
      row.kind,
      row.workload,
      row.metric,
      row.network,
      row.server,
    ].join('\u0000');
  return [...Map.groupBy(rows, seriesKey)].flatMap(([key, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const { machineClass, family, build, protocol, kind, workload, metric, network, server } = first;
    const named = {
      machineClass,
      family,
      build,
      protocol,
      ...(kind === undefined ? {} : { kind }),
      workload,
      metric,
      network,
      server,
    };
    const pairs = pairedNights(group);
    const inPairs = new Set(pairs.flatMap(({ rows: nights }) => nights.map(({ night }) => night)));
    const nights = nightPoints(group);
    const alone = nights.filter(({ night }) => !inPairs.has(night));
    const level: TrendSeries = {
      ...named,
      nights,
      versions: versionPoints(group),
      changes: changesOf(alone, metric, deriveSeed(1, key)),
    };
    const paired = pairs.map(({ pairedWith, rows: ofPair }): TrendSeries => {
      const points = nightPoints(ofPair);
      const changes = changesOf(points, metric, deriveSeed(1, key + pairedWith.baseline));
      return { ...named, pairedWith, nights: points, versions: versionPoints(ofPair), changes };
    });
    return [level, ...paired];
  });
}

function nextDay(night: string): string {
  return new Date(Date.parse(`${night}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

const severity: readonly RunState[] = ['empty', 'crashed', 'failed', 'half', 'complete'];

/** What a night that was begun and left no run says of itself; an end with a note tells why. */
function eventNight(night: string, events: readonly NightEvent[], today: string): Night {
  const end = events.findLast(({ event }) => event === 'end');
  if (end !== undefined)
    return {
      night,
      state: 'failed',
      note: end.note || `ended with ${end.exitCode ?? 'no exit code'}`,
      folder: end.folder,
    };
  const state = night === today ? 'running' : 'crashed';
  return { night, state, note: 'begun, never ended', folder: events.at(-1)?.folder ?? null };
}

/**
 * Every night from the first to the last, none left out. Nights before the first `nightly` are shown only where
 * something ran.
 */
export function nightsOf(runs: readonly NightRun[], events: readonly NightEvent[], today: string): Night[] {
  const firstNightly = events.map(({ night }) => night).sort()[0];
  const known = [...runs.map(({ night }) => night), ...events.map(({ night }) => night)].sort();
  const last = [known.at(-1) ?? today, firstNightly === undefined ? '' : today].sort().at(-1) ?? today;
  const nights: Night[] = [];
  for (let night = known[0]; night !== undefined && night <= last; night = nextDay(night)) {
    const ofNight = runs.filter((run) => run.night === night);
    const begun = events.filter((event) => event.night === night);
    const best = ofNight.toSorted((a, b) => severity.indexOf(b.state) - severity.indexOf(a.state))[0];
    if (best !== undefined) nights.push({ night, state: best.state, note: best.reason, folder: best.folder });
    else if (begun.length > 0) nights.push(eventNight(night, begun, today));
    else if (firstNightly !== undefined && night > firstNightly && night < today)
      nights.push({ night, state: 'missed', note: 'nothing ran', folder: null });
  }
  return nights;
}

/** What a trend is made of. */
export interface TrendFacts {
  readonly rows: readonly SeriesNight[];
  readonly runs: readonly NightRun[];
  readonly events: readonly NightEvent[];
  /** The most important first: series and gaps stand in this order. */
  readonly metrics: readonly string[];
  readonly names: NameTable;
  /** ISO 8601. */
  readonly now: string;
}

export function trendOf({ rows, runs, events, metrics, names, now }: TrendFacts): Trend {
  const rank = ({ metric }: { readonly metric: string }): number => {
    const place = metrics.indexOf(metric);
    return place < 0 ? metrics.length : place;
  };
  return {
    generatedAt: now,
    nights: nightsOf(runs, events, now.slice(0, 10)),
    series: trendSeries(rows).toSorted((a, b) => rank(a) - rank(b) || b.changes.length - a.changes.length),
    gaps: protocolGaps(rows).toSorted((a, b) => rank(a) - rank(b)),
    names,
  };
}
