import type { NetworkDescription } from '../../src/core/model/environment.ts';
import { meanLoss } from '../../src/core/model/network-spec.ts';
import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import { armTitle } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { formatNumber, plural } from '../format/numbers.ts';
import { effectText, intervalText, verdictSigns, verdictTitles } from '../format/verdict-words.ts';
import type { PageSpread, PageSweep, PageSweepAxis, PageSweepLine, PageSweepPoint } from './page-patterns.ts';
import type { ReportContext } from './report-context.ts';

const throughputs: readonly string[] = ['throughputMbps', 'uploadMbps', 'meanChunkThroughputMbps'];
/** The first of these that was measured stands below it. */
const costs: readonly string[] = ['cpuSecondsPerGigabyte', 'cpuSeconds', 'networkingCpuSeconds'];

/** Where a comparison stands on the axis of a sweep. */
interface SweepPoint {
  readonly at: number;
  /** Everything else about the condition: only those equal in it belong on one line. */
  readonly rest: string;
  /** The rest in words, for runs with several such lines. */
  readonly words: string;
}

function restWords(rttMs: number, lossPercent: number): string {
  return `${formatNumber(rttMs)} ms round trip, ${formatNumber(lossPercent)} % loss`;
}

function rateFromSpec({ spec, backend }: NetworkDescription): SweepPoint | undefined {
  const rateMbps = spec?.down.rateMbps;
  if (spec === undefined || typeof rateMbps !== 'number') return undefined;
  const rest = [spec.up, spec.down].map(
    ({ delayMs, jitterMs, lossPercent, gilbertElliott, reorderPercent }) => [
      delayMs,
      jitterMs,
      lossPercent,
      gilbertElliott ?? null,
      reorderPercent,
    ],
  );
  return {
    at: rateMbps,
    rest: JSON.stringify([backend, spec.offloads, rest]),
    words: restWords(spec.up.delayMs + spec.down.delayMs, 100 * meanLoss(spec.down)),
  };
}

function ratesOf(summary: Summary): Map<string, SweepPoint> {
  const rates = new Map<string, SweepPoint>();
  for (const network of summary.environment?.networks ?? []) {
    const rate = rateFromSpec(network);
    if (rate) rates.set(network.id, rate);
  }
  for (const { network, rateMbps, rttMs, lossPercent } of summary.grid ?? []) {
    if (rates.has(network)) continue;
    const rest = JSON.stringify([rttMs, lossPercent]);
    rates.set(network, { at: rateMbps, rest, words: restWords(rttMs, lossPercent) });
  }
  return rates;
}

function spreadOf({ quartiles, median, n }: Comparison['baseline']): PageSpread {
  return [quartiles?.[0] ?? null, median, quartiles?.[1] ?? null, n];
}

function pointWords({ at, effect, interval, verdict }: PageSweepPoint, { unit }: PageSweepAxis): string {
  return `${effect} (${interval}, ${verdictSigns[verdict]} ${verdictTitles[verdict]}) at ${formatNumber(at)} ${unit}`;
}

/** Where the arms part: from which point on they are shown to differ, in one sentence. */
function sweepWords(candidate: string, along: PageSweepAxis, ascending: readonly PageSweepPoint[]): string {
  const points = along.from === 'lowest' ? ascending : ascending.toReversed();
  const differing = points.find(({ verdict }) => verdict === 'better' || verdict === 'worse');
  const last = points.at(-1);
  const blocks = points.map(({ n }) => n);
  const n = `n = ${Math.min(...blocks)}${new Set(blocks).size > 1 ? ` to ${Math.max(...blocks)}` : ''} blocks`;
  const start =
    differing === undefined
      ? `No ${along.noun} at which ${candidate} is shown to differ`
      : `From the ${along.from} ${along.noun} on, ${candidate} is first shown to differ with ${pointWords(differing, along)}`;
  const other = along.from === 'lowest' ? 'highest' : 'lowest';
  const end =
    last === undefined || last === differing
      ? ''
      : `. At the ${other} ${along.noun} ${pointWords(last, along)}`;
  return `${start}${end}. Medians, lines through them the middle half of ${n}, ${plural(points.length, along.noun)}.`;
}

function lineOf(
  comparisons: readonly Comparison[],
  { pointOf, armOf, axis }: Swept,
): PageSweepLine | undefined {
  const points = comparisons
    .flatMap((comparison) => {
      const place = pointOf(comparison);
      if (
        place === undefined ||
        (comparison.baseline.median === null && comparison.candidate.median === null)
      )
        return [];
      return {
        at: place.at,
        baseline: spreadOf(comparison.baseline),
        candidate: spreadOf(comparison.candidate),
        effect: effectText(comparison),
        interval: intervalText(comparison),
        n: comparison.blocks,
        verdict: comparison.verdict,
      };
    })
    .sort((a, b) => a.at - b.at);
  const [first] = comparisons;
  if (first === undefined || new Set(points.map(({ at }) => at)).size < 2) return undefined;
  const words = sweepWords(armOf(first.candidate.arm), axis, points);
  return { metric: metricWords(first.metric).title, unit: first.unit, words, points };
}

/** A quantity that conditions of a run differ by. */
interface Swept {
  readonly axis: PageSweepAxis;
  /** Each is drawn where it was measured. */
  readonly metrics: readonly (readonly string[])[];
  readonly pointOf: (comparison: Comparison) => SweepPoint | undefined;
  /** The arm as it is called next to the quantity. */
  readonly armOf: (label: string) => string;
  readonly slug: string;
}

function overRates(summary: Summary): Swept {
  const rates = ratesOf(summary);
  return {
    axis: { title: 'bandwidth', unit: 'Mbit/s', noun: 'rate', from: 'lowest' },
    metrics: [throughputs, costs],
    pointOf: ({ network }) => rates.get(network),
    armOf: armTitle,
    slug: 'rate-sweep',
  };
}

/** A share of one CPU that both arms have, such as `+cpu=50%`. */
const cpuShare = /\+cpu=(?<percent>[\d.]+)%/;

function overCpuShares({ labels }: ReportContext): Swept {
  const percentOf = (arm: string): string | undefined => cpuShare.exec(arm)?.groups?.['percent'];
  return {
    axis: { title: 'the client’s share of a CPU', unit: '%', noun: 'share', from: 'highest' },
    metrics: [[...throughputs, 'pltMs'], costs],
    pointOf: ({ network, baseline, candidate }) => {
      const percent = percentOf(baseline.arm);
      if (percent === undefined || percent !== percentOf(candidate.arm)) return undefined;
      return { at: Number(percent), rest: network, words: labels.network(network) };
    },
    armOf: (label) => armTitle(label.replace(cpuShare, '')),
    slug: 'cpu-sweep',
  };
}

/** Throughput over bandwidth, and throughput or load time over the share of a CPU, each with its cost below. */
export function sweeps(context: ReportContext): PageSweep[] {
  return [overRates(context.summary), overCpuShares(context)].flatMap((swept) => sweepsOver(swept, context));
}

/**
 * A metric over one quantity with its cost below (as in Zhang et al. 2024, figures 3, 6 and 7): for every workload that was
 * measured in conditions that differ by nothing but this quantity.
 */
function sweepsOver(swept: Swept, { summary, labels, clients, servers }: ReportContext): PageSweep[] {
  const { pointOf, armOf, axis, metrics, slug } = swept;
  const placed = summary.comparisons.flatMap((comparison) => {
    const place = pointOf(comparison);
    return place === undefined ? [] : [{ comparison, place }];
  });
  const groups = Map.groupBy(placed, ({ comparison, place }) =>
    JSON.stringify([
      comparison.workload,
      comparison.client,
      comparison.server,
      armOf(comparison.baseline.arm),
      armOf(comparison.candidate.arm),
      place.rest,
    ]),
  );
  const rests = new Set(placed.map(({ place }) => place.rest)).size;
  return [...groups.values()].flatMap((members, index) => {
    const [first] = members;
    const lines = metrics.map((names) => {
      const metric = names.find((name) => members.some(({ comparison }) => comparison.metric === name));
      return lineOf(
        members.map(({ comparison }) => comparison).filter((comparison) => comparison.metric === metric),
        swept,
      );
    });
    if (first === undefined || lines[0] === undefined) return [];
    const { comparison: shown, place } = first;
    const title = [
      labels.workload(shown.workload, shown.workloadKind),
      clients.length > 1 ? labels.client(shown.client) : '',
      servers.length > 1 ? labels.server(shown.server) : '',
      rests > 1 ? place.words : '',
    ];
    return {
      title: title.filter(Boolean).join(', '),
      axis,
      baseline: armOf(shown.baseline.arm),
      candidate: armOf(shown.candidate.arm),
      lines: lines.filter((line) => line !== undefined),
      fileName: `${slug}-${index + 1}`,
    };
  });
}
