import { maxAudienceConditions, type Audience, type AudienceCondition } from '../../core/model/audience.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { networkIdOf, networkOfCondition, type ConditionFigures } from './audience-network.ts';
import { assumedCpuShares } from './devices.ts';
import { distance, kMeans, type Clusters, type WeightedPoint } from './k-means.ts';
import { joined, minRttMs, uplinkShare, type SegmentBin, type SegmentBins } from './segment-bins.ts';

/** Smaller conditions are joined with the nearest. */
const minShare = 0.01;
/** Rates and shares so near to a sum of one, or of a hundred, are rounded ones. */
const sumTolerance = 0.005;
/** From this share on a limit of what browsers tell is worth a note. */
const notableShare = 0.05;

export interface AudienceSource {
  /** Name of the file. */
  readonly source: string;
  /** Whether the file gives shares, and not a line for each page view. */
  readonly hasShares: boolean;
  /** What reading it assumed. */
  readonly notes: readonly string[];
  readonly seed: number;
}

/**
 * The conditions that stand for the page views of a file: at most twelve, by k-means on the logarithms of round trip and
 * rate, apart for each client, view, version of IP and CPU share.
 *
 * @throws H2h3Error `bad-input` where nothing is left to measure
 */
export function chooseConditions(read: SegmentBins, from: AudienceSource): Audience {
  const { weight } = read;
  if (read.bins.length === 0 || weight === 0)
    throw new H2h3Error('bad-input', `${from.source} has no line with a share, a round trip and a rate`, {
      context: {
        expected: 'page views with rttMs and downMbps, or rtt and downlink',
        got: `${read.lines} lines`,
      },
    });
  const clusters = clustersOf(read.bins, from.seed);
  const { kept, dropped } = withoutSmall(clusters, minShare * weight);
  const spread = spreadOf(kept);
  const described = alikeJoined(kept)
    .toSorted((a, b) => b.weight - a.weight)
    .map((bin) => conditionOf(bin, weight));
  const judged = described.map((condition) => ({ condition, ...networkOfCondition(condition) }));
  const conditions = judged.flatMap(({ condition, refused }) => (refused === undefined ? [condition] : []));
  const leftOut = [
    ...read.unusable.map(({ why, weight: part }) => ({
      title: why,
      share: part / weight,
      why: 'nothing can stand for them',
    })),
    ...dropped.map((bin) => ({
      title: conditionOf(bin, weight).title,
      share: bin.weight / weight,
      why:
        bin.weight < minShare * weight
          ? 'less than 1 %, and nothing like it'
          : `more than ${maxAudienceConditions} kinds of users`,
    })),
    ...judged.flatMap(({ condition: { title, share }, refused }) =>
      refused === undefined ? [] : [{ title, share, why: refused }],
    ),
  ];
  if (conditions.length === 0)
    throw new H2h3Error('bad-input', `${from.source}: none of its segments can be emulated`, {
      context: { got: leftOut.map(({ title, why }) => `${title}: ${why}`).join(', ') },
    });
  return { source: from.source, conditions, leftOut, spread, notes: notesOf(read, from) };
}

const percentText = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;

function notesOf(read: SegmentBins, { hasShares, notes }: AudienceSource): string[] {
  const { weight } = read;
  const isWhole = [1, 100].some((sum) => Math.abs(weight / sum - 1) <= sumTolerance);
  return [
    ...notes,
    ...(hasShares && !isWhole
      ? [`The shares add up to ${Number(weight.toPrecision(6))} and were scaled to 100 %`]
      : []),
    ...(read.upAssumed ? [`Rates up that the file does not give are ${uplinkShare} of the rate down`] : []),
    ...(read.cpuAssumed ? [assumedCpuShares] : []),
    ...(read.shortShare >= notableShare
      ? [
          `${percentText(read.shortShare)} of the page views have a shorter round trip than ${minRttMs} ms, which counts for them`,
        ]
      : []),
    ...(!hasShares && read.atCapShare >= notableShare
      ? [
          `${percentText(read.atCapShare)} of the page views say 10 Mbit/s, the most that Chromium gives, and may be faster`,
        ]
      : []),
  ];
}

const pointOf = ({ weight, logRtt, logRate }: SegmentBin): WeightedPoint => ({
  x: logRtt / weight,
  y: logRate / weight,
  weight,
});

/** Users of one kind, and the clusters that they have so far. */
interface Kind {
  readonly bins: readonly SegmentBin[];
  readonly count: number;
  readonly clusters: Clusters;
}

/** Each kind has a cluster. The next one goes where page views lie farthest from theirs, until all lie in their own. */
function clustersOf(bins: readonly SegmentBin[], seed: number): SegmentBin[] {
  const groups = [...Map.groupBy(bins, ({ kind }) => JSON.stringify(kind)).values()];
  const clustered = (ofKind: readonly SegmentBin[], count: number): Kind => ({
    bins: ofKind,
    count,
    clusters: kMeans(ofKind.map(pointOf), count, seed),
  });
  const kinds = groups
    .map((ofKind) => clustered(ofKind, 1))
    .toSorted((a, b) => weightOf(b.bins) - weightOf(a.bins));
  for (let count = kinds.length; count < maxAudienceConditions; count++) {
    const widest = kinds.reduce(
      (most, kind, index) =>
        kind.clusters.squares > (kinds[most] as Kind).clusters.squares && kind.count < kind.bins.length
          ? index
          : most,
      0,
    );
    const kind = kinds[widest] as Kind;
    if (kind.count >= kind.bins.length || kind.clusters.squares <= 1e-12 * weightOf(bins)) break;
    kinds[widest] = clustered(kind.bins, kind.count + 1);
  }
  return kinds.flatMap(({ bins: ofKind, clusters }) =>
    [...Map.groupBy(ofKind.keys(), (index) => clusters.assigned[index]).values()].map((members) =>
      members.map((index) => ofKind[index] as SegmentBin).reduce(joined),
    ),
  );
}

const weightOf = (bins: readonly SegmentBin[]): number => bins.reduce((sum, { weight }) => sum + weight, 0);

/** Small clusters joined with the nearest of their kind; those that have none, and those beyond the most there may be. */
function withoutSmall(
  clusters: readonly SegmentBin[],
  minWeight: number,
): { readonly kept: SegmentBin[]; readonly dropped: SegmentBin[] } {
  const left = [...clusters];
  const dropped: SegmentBin[] = [];
  for (;;) {
    const [smallest] = left.toSorted((a, b) => a.weight - b.weight);
    if (smallest === undefined || (smallest.weight >= minWeight && left.length <= maxAudienceConditions))
      break;
    left.splice(left.indexOf(smallest), 1);
    const [nearest] = left
      .filter(({ kind }) => JSON.stringify(kind) === JSON.stringify(smallest.kind))
      .toSorted((a, b) => apart(a, smallest) - apart(b, smallest));
    if (nearest === undefined) dropped.push(smallest);
    else left[left.indexOf(nearest)] = joined(nearest, smallest);
  }
  return { kept: left, dropped };
}

const apart = (a: SegmentBin, b: SegmentBin): number => distance(pointOf(a), pointOf(b));

/** Root mean square of what page views differ from their condition, percent. */
function spreadOf(bins: readonly SegmentBin[]): Audience['spread'] {
  const rms = (sum: 'logRtt' | 'logRate'): number => {
    const squares = bins.reduce((all, bin) => all + bin[`${sum}Squares`] - bin[sum] ** 2 / bin.weight, 0);
    return 100 * Math.expm1(Math.sqrt(Math.max(0, squares) / weightOf(bins)));
  };
  return { rttPercent: Number(rms('logRtt').toFixed(1)), ratePercent: Number(rms('logRate').toFixed(1)) };
}

const rounded = (value: number): number => Number(value.toPrecision(3));

function figuresOf(bin: SegmentBin): ConditionFigures {
  const { weight, kind } = bin;
  const { client, view, family, cpuSharePercent } = kind;
  return {
    rttMs: rounded(Math.exp(bin.logRtt / weight)),
    downMbps: rounded(Math.exp(bin.logRate / weight)),
    upMbps: rounded(Math.exp(bin.logUp / weight)),
    lossPercent: rounded(bin.loss / weight),
    ...(cpuSharePercent === undefined ? {} : { cpuSharePercent }),
    ...(family === undefined ? {} : { family }),
    ...(view === undefined ? {} : { view }),
    ...(client === undefined ? {} : { client }),
  };
}

/** What rounds to the same figures is the same condition. */
function alikeJoined(bins: readonly SegmentBin[]): SegmentBin[] {
  const groups = Map.groupBy(bins, (bin) => networkIdOf(figuresOf(bin)));
  return [...groups.values()].map((alike) => alike.reduce(joined));
}

function conditionOf(bin: SegmentBin, whole: number): AudienceCondition {
  const { weight, lines, kind, name } = bin;
  const figures = figuresOf(bin);
  return {
    network: networkIdOf(figures),
    title: titleOf(name, figures, kind),
    share: weight / whole,
    segments: lines,
    ...figures,
  };
}

/** The name where there is one, else what tells it from the others. */
function titleOf(
  name: string | undefined,
  { rttMs, downMbps, lossPercent }: Pick<AudienceCondition, 'rttMs' | 'downMbps' | 'lossPercent'>,
  { client, view, family, cpuSharePercent }: SegmentBin['kind'],
): string {
  const path = `${rttMs} ms at ${downMbps} Mbit/s`;
  return [
    ...(name === undefined ? [] : [name]),
    lossPercent === 0 ? path : `${path} and ${lossPercent} % loss`,
    ...(cpuSharePercent === undefined ? [] : [`${cpuSharePercent} % of a CPU`]),
    ...(family === undefined ? [] : [{ 4: 'IPv4', 6: 'IPv6', both: 'IPv4 and IPv6' }[family]]),
    ...(view === 'repeat' ? ['second visits'] : []),
    ...(client === undefined ? [] : [client]),
  ].join(', ');
}
