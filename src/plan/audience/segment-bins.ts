import { H2h3Error } from '../../core/model/errors.ts';
import type { Segment } from './segment.ts';

/** Page views whose figures differ by less than a tenth, as one. */
export interface SegmentBin {
  readonly kind: SegmentKind;
  /** Undefined where they have several names. */
  name: string | undefined;
  weight: number;
  lines: number;
  /** Weighted sums over the page views: of logarithms, of their squares, and of the loss. */
  logRtt: number;
  logRttSquares: number;
  logRate: number;
  logRateSquares: number;
  logUp: number;
  loss: number;
}

/** In what conditions cannot stand for one another. */
export type SegmentKind = Pick<Segment, 'client' | 'view' | 'family' | 'cpuSharePercent'>;

/** Page views of which something is missing. */
export interface Unusable {
  readonly why: string;
  weight: number;
}

/** All that is kept of a file: its size is bounded by how unlike page views can be, not by how many there are. */
export interface SegmentBins {
  readonly bins: readonly SegmentBin[];
  readonly unusable: readonly Unusable[];
  readonly weight: number;
  readonly lines: number;
  /** Share of the page views with exactly the highest rate that Chromium gives, 10 Mbit/s. */
  readonly atCapShare: number;
  /** Share of the page views with a shorter round trip than `minRttMs`. */
  readonly shortShare: number;
  /** Whether some lines have no rate up. */
  readonly upAssumed: boolean;
  /** Whether some lines have the CPU share that is assumed for their device. */
  readonly cpuAssumed: boolean;
}

/** Browsers round `rtt` to 25 ms: what they give as 0 is taken as this. */
export const minRttMs = 5;
/** Chromium gives no higher `downlink`. */
const cappedMbps = 10;
/** Of the rate down, as that of cable in docs/networks.md. */
export const uplinkShare = 0.2;
/** A tenth on the scale of the logarithm. */
const binWidth = 0.1;
const maxBins = 100_000;

/** Adds page views up into bins. @throws H2h3Error `bad-input` for a file of more kinds of users than can be told apart */
export function binSegments(segments: Iterable<Segment>): SegmentBins {
  const bins = new Map<string, SegmentBin>();
  const unusable = new Map<string, Unusable>();
  let weight = 0;
  let lines = 0;
  let atCap = 0;
  let short = 0;
  let upAssumed = false;
  let cpuAssumed = false;
  for (const segment of segments) {
    lines++;
    weight += segment.weight;
    if (segment.weight === 0) continue;
    const why = lackOf(segment);
    if (why !== undefined) {
      const known = unusable.get(why) ?? { why, weight: 0 };
      known.weight += segment.weight;
      unusable.set(why, known);
      continue;
    }
    if (segment.downMbps === cappedMbps) atCap += segment.weight;
    if ((segment.rttMs ?? 0) < minRttMs) short += segment.weight;
    if (segment.upMbps === undefined) upAssumed = true;
    if (segment.isCpuAssumed) cpuAssumed = true;
    addTo(bins, segment);
    if (bins.size > maxBins)
      throw new H2h3Error('bad-input', `the file has more than ${maxBins} kinds of users`, {
        next: 'Leave columns with many values out, such as exact versions of clients.',
      });
  }
  const share = (part: number): number => (weight === 0 ? 0 : part / weight);
  return {
    bins: [...bins.values()],
    unusable: [...unusable.values()],
    weight,
    lines,
    atCapShare: share(atCap),
    shortShare: share(short),
    upAssumed,
    cpuAssumed,
  };
}

function lackOf({ rttMs, downMbps = 0, foreignBrowser }: Segment): string | undefined {
  if (foreignBrowser !== undefined) return `in ${foreignBrowser}, which h2h3 cannot drive`;
  if (rttMs === undefined && downMbps === 0) return 'without a round trip and a rate';
  if (rttMs === undefined) return 'without a round trip';
  return downMbps === 0 ? 'without a rate' : undefined;
}

function addTo(bins: Map<string, SegmentBin>, segment: Segment): void {
  const { weight, rttMs = 0, downMbps = 0, upMbps, lossPercent, name } = segment;
  const { client, view, family, cpuSharePercent } = segment;
  const logRtt = Math.log(Math.max(minRttMs, rttMs));
  const logRate = Math.log(downMbps);
  const logUp = Math.log(upMbps === undefined || upMbps === 0 ? downMbps * uplinkShare : upMbps);
  const places = [logRtt / binWidth, logRate / binWidth, 10 * Math.sqrt(lossPercent)].map(Math.round);
  const key = [...places, client, view, family, cpuSharePercent].join('|');
  const bin = bins.get(key) ?? emptyBin({ client, view, family, cpuSharePercent }, name);
  if (bin.name !== name) bin.name = undefined;
  bin.weight += weight;
  bin.lines++;
  bin.logRtt += weight * logRtt;
  bin.logRttSquares += weight * logRtt ** 2;
  bin.logRate += weight * logRate;
  bin.logRateSquares += weight * logRate ** 2;
  bin.logUp += weight * logUp;
  bin.loss += weight * lossPercent;
  bins.set(key, bin);
}

function emptyBin(kind: SegmentKind, name: string | undefined): SegmentBin {
  const sums = { logRtt: 0, logRttSquares: 0, logRate: 0, logRateSquares: 0, logUp: 0, loss: 0 };
  return { kind, name, weight: 0, lines: 0, ...sums };
}

/** Two bins as one. */
export function joined(a: SegmentBin, b: SegmentBin): SegmentBin {
  return {
    kind: a.kind,
    name: a.name === b.name ? a.name : undefined,
    weight: a.weight + b.weight,
    lines: a.lines + b.lines,
    logRtt: a.logRtt + b.logRtt,
    logRttSquares: a.logRttSquares + b.logRttSquares,
    logRate: a.logRate + b.logRate,
    logRateSquares: a.logRateSquares + b.logRateSquares,
    logUp: a.logUp + b.logUp,
    loss: a.loss + b.loss,
  };
}
