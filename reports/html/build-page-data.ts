import type { Comparison, Summary } from '../../src/model/summary.ts';
import { armTitle } from '../format/labels.ts';
import type { Labels } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { isNumber } from '../format/numbers.ts';
import { packedFields } from './page-data.ts';
import type { PageComparison, PageData } from './page-data.ts';
import { sessionGroups } from './session-groups.ts';

/** Six significant digits: more than a plot shows, and half the bytes. */
function short(value: number | null): number | null {
  return isNumber(value) ? Number(value.toPrecision(6)) : null;
}

function shortArm(arm: Comparison['baseline']): Comparison['baseline'] {
  return {
    arm: arm.arm,
    n: arm.n,
    median: short(arm.median),
    quartiles: arm.quartiles && [short(arm.quartiles[0]) ?? 0, short(arm.quartiles[1]) ?? 0],
    minimum: short(arm.minimum),
    maximum: short(arm.maximum),
  };
}

function pageComparison(comparison: Comparison, id: string, labels: Labels): PageComparison {
  const { client, network, server, values } = comparison;
  return {
    id,
    workload: labels.workload(comparison.workload, comparison.workloadKind),
    kind: comparison.workloadKind,
    metric: metricWords(comparison.metric).title,
    metricName: comparison.metric,
    condition: [labels.client(client), labels.network(network), labels.server(server)].join(' · '),
    primary: comparison.primary,
    pooled: comparison.workload === 'pooled',
    unit: comparison.unit,
    higherIsBetter: comparison.higherIsBetter,
    baseline: shortArm(comparison.baseline),
    candidate: shortArm(comparison.candidate),
    blocks: comparison.blocks,
    ratio: comparison.ratio,
    ratioInterval: comparison.ratioInterval,
    difference: comparison.difference,
    differenceInterval: comparison.differenceInterval,
    margin: comparison.margin,
    pValue: comparison.pValue,
    adjustedPValue: comparison.adjustedPValue,
    cliffsDelta: comparison.cliffsDelta,
    verdict: comparison.verdict,
    reason: comparison.reason ?? null,
    blocksNeeded: comparison.blocksNeeded ?? null,
    warnings: comparison.warnings.slice(0, 20),
    values: values.map(([block, a, b]) => [block, short(a), short(b)]),
  };
}

/** What the page's script needs, packed: field names are not repeated for each comparison. */
export function buildPageData(summary: Summary, anchors: readonly string[], labels: Labels): PageData {
  const { baselineArm, candidateArm, name } = summary.run;
  return {
    runName: name,
    baseline: { label: baselineArm, title: armTitle(baselineArm) },
    candidate: { label: candidateArm, title: armTitle(candidateArm) },
    comparisons: summary.comparisons.map((comparison, index) => {
      const unpacked = pageComparison(comparison, anchors[index] ?? '', labels);
      return packedFields.map((field) => unpacked[field]);
    }),
    sessionGroups: sessionGroups(summary, labels),
  };
}
