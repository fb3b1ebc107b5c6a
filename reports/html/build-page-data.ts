import type { Comparison, Heterogeneity, Summary } from '../../src/core/model/summary.ts';
import { armTitle, withSiteTitles } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { isNumber } from '../format/numbers.ts';
import { corpusPoints } from './corpus-points.ts';
import { pageDiagnoses } from './diagnosis-data.ts';
import { heatMaps } from './heat-maps.ts';
import { frameGroups } from './frame-spreads.ts';
import { messageGroups } from './message-spreads.ts';
import { packComparisons } from './pack-comparisons.ts';
import type { PageArm, PageChangesShown, PageComparison, PageData, PageLoadGroup } from './page-data.ts';
import { sweeps } from './sweeps.ts';
import type { ReportContext } from './report-context.ts';
import { chunkBitrates, ladderSteps } from './stream-quality.ts';
import { sessionGroups } from './session-groups.ts';

/** Warnings of one comparison that the page shows. */
const maxWarnings = 20;
/** Values of single blocks in one page, about 1.2 MB. */
const maxValues = 60_000;

/** As many digits as a plot or a table can show, in half the bytes; what is not finite becomes null. */
function short(value: number | null, digits: number): number | null {
  return isNumber(value) ? Number(value.toPrecision(digits)) : null;
}

function pageArm(arm: Comparison['baseline']): PageArm {
  const { arm: label, n, median, quartiles, minimum, maximum } = arm;
  return {
    label,
    title: armTitle(label),
    n,
    median: short(median, 8),
    lowerQuartile: short(quartiles?.[0] ?? null, 6),
    upperQuartile: short(quartiles?.[1] ?? null, 6),
    minimum: short(minimum, 6),
    maximum: short(maximum, 6),
  };
}

function shortInterval(interval: readonly [number, number] | null): [number, number] | null {
  const [low, high] = interval ?? [NaN, NaN];
  return isNumber(low) && isNumber(high) ? [Number(low.toPrecision(8)), Number(high.toPrecision(8))] : null;
}

/** A pool of a hundred sites would else take more room than everything else of it. */
function shortHeterogeneity(heterogeneity: Heterogeneity | undefined): Heterogeneity | null {
  if (heterogeneity === undefined) return null;
  const sites = heterogeneity.sites.map((site) => ({
    ...site,
    ratio: Number(site.ratio.toPrecision(6)),
    adjustedPBeyondMargin: short(site.adjustedPBeyondMargin, 4),
  }));
  return { ...heterogeneity, sites };
}

/** A comparison as the page shows it. */
export function pageComparison(comparison: Comparison, context: ReportContext): PageComparison {
  const { client, network, server, baseline, candidate } = comparison;
  const { labels } = context;
  const { repetitions } = context.summary.run;
  const recorded = comparison.instrumentation === 'instrumented';
  return {
    id: context.anchorOf(comparison),
    workload: labels.workload(comparison.workload, comparison.workloadKind),
    kind: comparison.workloadKind,
    metric: metricWords(comparison.metric).title,
    metricName: comparison.metric,
    condition: [
      labels.client(client),
      labels.network(network),
      labels.server(server),
      `${armTitle(candidate.arm)} against ${armTitle(baseline.arm)}`,
    ].join(' · '),
    place: context.conditionWords(comparison),
    primary: comparison.primary,
    pooled: comparison.workload === 'pooled',
    unit: comparison.unit,
    higherIsBetter: comparison.higherIsBetter,
    baseline: pageArm(baseline),
    candidate: pageArm(candidate),
    blocks: comparison.blocks,
    ratio: short(comparison.ratio, 8),
    ratioInterval: shortInterval(comparison.ratioInterval),
    difference: short(comparison.difference, 8),
    differenceInterval: shortInterval(comparison.differenceInterval),
    intervalLevel: comparison.intervalLevel ?? null,
    margin: comparison.margin,
    pValue: short(comparison.pValue, 6),
    adjustedPValue: short(comparison.adjustedPValue, 6),
    cliffsDelta: short(comparison.cliffsDelta, 4),
    verdict: comparison.verdict,
    reason: comparison.reason ?? null,
    why: context.explanationAnchorOf(comparison),
    blocksNeeded: comparison.blocksNeeded === undefined ? 0 : comparison.blocksNeeded,
    smallestDetectable: short(comparison.smallestDetectable ?? null, 4),
    heterogeneity: shortHeterogeneity(withSiteTitles(comparison, labels).heterogeneity),
    warnings: comparison.warnings.slice(0, maxWarnings),
    recorded,
    values: comparison.values.map(([block, a, b]) => [
      // Recorded blocks on top of the timed ones have indexes of their own; where each block has both, it has one.
      block >= repetitions ? block - repetitions : block,
      short(a, 6),
      short(b, 6),
    ]),
    valuesLeftOut: false,
  };
}

/**
 * The comparisons of a summary as the page shows them, primary ones first. Values of single blocks are embedded in
 * this order until the page holds as many as open quickly; the comparisons after that keep their boxes.
 */
export function pageComparisons(context: ReportContext, valueCount = maxValues): PageComparison[] {
  let room = valueCount;
  return inPageOrder(context.summary).map((comparison) => {
    const shown = pageComparison(comparison, context);
    room -= shown.values.length;
    return room >= 0 || shown.values.length === 0 ? shown : { ...shown, values: [], valuesLeftOut: true };
  });
}

/** What the page's script needs. */
export function buildPageData(
  context: ReportContext,
  comparisons: readonly PageComparison[],
  pageLoads: readonly PageLoadGroup[],
  pageChanges: readonly PageChangesShown[] = [],
): PageData {
  const { summary, labels } = context;
  return {
    runName: summary.run.name,
    baselineArm: summary.run.baselineArm,
    comparisons: packComparisons(comparisons),
    sessionGroups: sessionGroups(summary, labels),
    pageLoads,
    pageChanges,
    diagnoses: pageDiagnoses(context),
    harFolder: context.harFolder,
    patterns: {
      heatMaps: heatMaps(context),
      sweeps: sweeps(context),
      ladderSteps: ladderSteps(context),
      chunkBitrates: chunkBitrates(context),
      corpus: corpusPoints(context),
      messages: messageGroups(context),
      frames: frameGroups(context),
    },
  };
}

/** The summary's comparisons in the order in which the page lists them: primary first, then as they come. */
function inPageOrder({ comparisons }: Summary): Comparison[] {
  return comparisons.toSorted((a, b) => Number(b.primary) - Number(a.primary));
}
