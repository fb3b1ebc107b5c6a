import type { NetworkDescription } from '../../src/model/environment.ts';
import { meanLoss } from '../../src/model/network-spec.ts';
import type { Comparison, Summary } from '../../src/model/summary.ts';
import { armTitle } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { formatNumber } from '../format/numbers.ts';
import { effectText, intervalText } from '../format/verdict-words.ts';
import type { PageSpread, PageSweep, PageSweepLine } from './page-patterns.ts';
import type { ReportContext } from './report-context.ts';

/** What is plotted against the rate. */
const throughputs: readonly string[] = ['throughputMbps', 'meanChunkThroughputMbps'];
/** The first of these that was measured stands below it. */
const costs: readonly string[] = ['networkServiceCpuPercent', 'browserCpuPercent', 'cpuSecondsPerGigabyte'];

interface RateOfNetwork {
  readonly rateMbps: number;
  /** Everything else about the path: only networks equal in it belong on one line. */
  readonly rest: string;
  /** The rest in words, for runs with several such lines. */
  readonly words: string;
}

function restWords(rttMs: number, lossPercent: number): string {
  return `${formatNumber(rttMs)} ms round trip, ${formatNumber(lossPercent)} % loss`;
}

function rateFromSpec({ spec, backend }: NetworkDescription): RateOfNetwork | undefined {
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
    rateMbps,
    rest: JSON.stringify([backend, spec.offloads, rest]),
    words: restWords(spec.up.delayMs + spec.down.delayMs, 100 * meanLoss(spec.down)),
  };
}

function ratesOf(summary: Summary): Map<string, RateOfNetwork> {
  const rates = new Map<string, RateOfNetwork>();
  for (const network of summary.environment?.networks ?? []) {
    const rate = rateFromSpec(network);
    if (rate) rates.set(network.id, rate);
  }
  for (const { network, rateMbps, rttMs, lossPercent } of summary.grid ?? []) {
    if (rates.has(network)) continue;
    const rest = JSON.stringify([rttMs, lossPercent]);
    rates.set(network, { rateMbps, rest, words: restWords(rttMs, lossPercent) });
  }
  return rates;
}

function spreadOf({ quartiles, median, n }: Comparison['baseline']): PageSpread {
  return [quartiles?.[0] ?? null, median, quartiles?.[1] ?? null, n];
}

function lineOf(
  comparisons: readonly Comparison[],
  rates: ReadonlyMap<string, RateOfNetwork>,
): PageSweepLine | undefined {
  const points = comparisons
    .flatMap((one) => {
      const rate = rates.get(one.network);
      if (rate === undefined || (one.baseline.median === null && one.candidate.median === null)) return [];
      return {
        rateMbps: rate.rateMbps,
        baseline: spreadOf(one.baseline),
        candidate: spreadOf(one.candidate),
        effect: effectText(one),
        interval: intervalText(one),
        n: one.blocks,
        verdict: one.verdict,
      };
    })
    .sort((a, b) => a.rateMbps - b.rateMbps);
  const [first] = comparisons;
  if (first === undefined || new Set(points.map(({ rateMbps }) => rateMbps)).size < 2) return undefined;
  return { metric: metricWords(first.metric).title, unit: first.unit, points };
}

/**
 * Throughput over bandwidth with its cost below (as in Zhang et al. 2024, figures 3 and 6): for every workload that was
 * measured on networks that differ by nothing but their rate.
 */
export function rateSweeps(context: ReportContext): PageSweep[] {
  const { summary, labels, clients, servers } = context;
  const rates = ratesOf(summary);
  const keyOf = (one: Comparison): string =>
    JSON.stringify([
      one.workload,
      one.client,
      one.server,
      one.baseline.arm,
      one.candidate.arm,
      rates.get(one.network)?.rest,
    ]);
  const rests = new Set([...rates.values()].map(({ rest }) => rest)).size;
  const known = summary.comparisons.filter(({ network }) => rates.has(network));
  const groups = Map.groupBy(known, keyOf);
  return [...groups.values()].flatMap((members, index) => {
    const [first] = members;
    const lineFor = (names: readonly string[]): PageSweepLine[] => {
      const metric = names.find((name) => members.some((one) => one.metric === name));
      const line = lineOf(
        members.filter((one) => one.metric === metric),
        rates,
      );
      return line === undefined ? [] : [line];
    };
    const throughput = lineFor(throughputs);
    if (first === undefined || throughput.length === 0) return [];
    return {
      title: [
        labels.workload(first.workload, first.workloadKind),
        clients.length > 1 ? labels.client(first.client) : '',
        servers.length > 1 ? labels.server(first.server) : '',
        rests > 1 ? (rates.get(first.network)?.words ?? '') : '',
      ]
        .filter(Boolean)
        .join(', '),
      baseline: armTitle(first.baseline.arm),
      candidate: armTitle(first.candidate.arm),
      lines: [...throughput, ...lineFor(costs)],
      fileName: `rate-sweep-${index + 1}`,
    };
  });
}
