import { changeClause } from '../../src/analyse/answers/clauses.ts';
import { findingsHeadline, fitting } from '../../src/analyse/answers/decided-headline.ts';
import { outcomeOf, type Finding } from '../../src/analyse/answers/findings.ts';
import { feltWords } from '../../src/analyse/answers/felt-words.ts';
import { groupPhrase } from '../../src/analyse/answers/group-phrase.ts';
import { nounsOf } from '../../src/analyse/answers/headline-findings.ts';
import { armPairs } from '../../src/analyse/comparison/arm-pairs.ts';
import { pooledWorkload } from '../../src/analyse/comparison/pooled-drafts.ts';
import { summarise } from '../../src/analyse/summary/summarise.ts';
import { comparisonSentence } from '../../src/analyse/wording/comparison-sentence.ts';
import { beOf } from '../../src/analyse/figures/figures.ts';
import { rareEventClause } from '../../src/analyse/wording/rare-events.ts';
import type { Metric } from '../../src/core/metrics/metric.ts';
import { metrics } from '../../src/core/metrics/registry.ts';
import type { RareEventCounts } from '../../src/core/model/rare-events.ts';
import { namesOf } from '../../src/core/model/names.ts';
import { verdictSchema, type Comparison, type Verdict } from '../../src/core/model/summary.ts';
import { generateRun } from '../support/generated-run.ts';

const counts = [1, 2, 5];
const { plan, records } = generateRun();
const [pair] = armPairs(plan);
const [made] = summarise(plan, records, null, []).comparisons;
const names = namesOf({ workloads: plan.workloads, environment: null });

/** A comparison of this metric that came out so, on one of several workloads. */
function comparisonOf(metric: Metric, verdict: Verdict, workload: number): Comparison {
  if (made === undefined) throw new Error('a generated run has comparisons');
  const rest = { ...made };
  delete rest.heterogeneity;
  delete rest.reason;
  const isUp = (verdict === 'better') === metric.higherIsBetter;
  const change = verdict === 'equivalent' ? 0.01 : isUp ? 0.2 + workload / 100 : -0.2 - workload / 100;
  const byRatio = metric.form === 'ratio';
  const interval: [number, number] =
    verdict === 'inconclusive' ? [change - 0.3, change + 0.3] : [change - 0.05, change + 0.05];
  const ratios: [number, number] = [1 + interval[0], 1 + interval[1]];
  const differences: [number, number] = [interval[0] * 100, interval[1] * 100];
  return {
    ...rest,
    workload: `place-${workload}`,
    workloadKind: metric.kinds[0] ?? 'page',
    metric: metric.name,
    unit: metric.unit,
    higherIsBetter: metric.higherIsBetter,
    margin: metric.margin,
    baseline: { ...rest.baseline, n: rest.blocks, median: 100 },
    candidate: { ...rest.candidate, n: rest.blocks, median: 100 + change * 100 },
    ratio: byRatio ? 1 + change : null,
    ratioInterval: byRatio ? ratios : null,
    difference: change * 100,
    differenceInterval: differences,
    verdict,
    ...(verdict === 'inconclusive' ? { reason: 'interval crosses the margin' } : {}),
  };
}

/** Ratios at the ends of pools whose workloads differ: on both sides of no change, and on that of the mean alone. */
function rangesOf({ higherIsBetter }: Metric, verdict: Verdict): (readonly [number, number])[] {
  if (verdict === 'equivalent') return [[0.9, 1.12]];
  const isUp = (verdict === 'better') === higherIsBetter;
  return isUp
    ? [
        [0.96, 1.9],
        [1.12, 1.9],
      ]
    : [
        [0.53, 1.04],
        [0.53, 0.88],
      ];
}

/** The same of a mean over workloads of which each has another effect. */
function poolLines(metric: Metric, verdict: Verdict): string[] {
  if (metric.form !== 'ratio' || verdict === 'mixed' || verdict === 'inconclusive') return [];
  return rangesOf(metric, verdict).flatMap(([low, high]) => {
    const pool: Comparison = {
      ...comparisonOf(metric, verdict, 1),
      workload: pooledWorkload,
      heterogeneity: {
        pValue: 0.01,
        siteSd: 0.2,
        range: [low, high],
        lowest: 'place-1',
        highest: 'place-2',
        sitesLikeThese: null,
        sites: [],
      },
    };
    const finding = findingOf([pool]);
    return [
      `mean  ${headlineOf(finding)}`,
      `mean  ${feltWords(metric.name).subject} ${groupPhrase([pool], finding.outcome, names)}`,
      `mean  ${sentenceOf(metric, pool)}`,
    ];
  });
}

function headlineOf(finding: Finding): string {
  return fitting(
    findingsHeadline({ users: [finding], cpu: [], networking: [], server: [], others: [], names }),
  ).text;
}

function sentenceOf(metric: Metric, comparison: Comparison): string {
  return comparisonSentence(comparison, {
    baseline: 'HTTP/2',
    candidate: 'HTTP/3',
    place: '',
    title: metric.title,
    workload: (id) => id,
  });
}

function linesOf(metric: Metric, verdict: Verdict): string[] {
  if (pair === undefined) throw new Error('a generated run has a pair of arms');
  const [noun = ''] = nounsOf([findingOf([comparisonOf(metric, verdict, 1)])]);
  const several = counts.flatMap((count) => {
    const members = Array.from({ length: count }, (_, i) => comparisonOf(metric, verdict, i + 1));
    const finding = findingOf(members);
    const headline =
      verdict === 'inconclusive'
        ? `${noun} ${beOf([noun])} not decided`
        : verdict === 'equivalent'
          ? `same ${noun}`
          : changeClause(finding, 'over HTTP/3', names);
    return [
      `${count}  ${headline}`,
      `${count}  ${feltWords(metric.name).subject} ${groupPhrase(members, finding.outcome, names)}`,
    ];
  });
  return [
    ...several,
    `   ${sentenceOf(metric, comparisonOf(metric, verdict, 1))}`,
    ...poolLines(metric, verdict),
  ];
}

/** Events of both arms, and how much was watched: none, one, many, and on one side alone. */
function rareEventLines({ name, rareEvents }: Metric): string[] {
  if (rareEvents?.count !== name) return [];
  const { nouns, unit, marginPerUnit } = rareEvents;
  return [0, 1, 3].flatMap((before) =>
    [0, 1, 3].map((after) => {
      const rateOf = (events: number): RareEventCounts['baseline'] => ({
        events,
        exposure: 0.2,
        rateInterval95: null,
        rateUpperBound95: 15,
      });
      const counts: RareEventCounts = {
        nouns: [...nouns],
        unit,
        baseline: rateOf(before),
        candidate: rateOf(after),
        differenceInterval95: null,
        margin: marginPerUnit,
        pEqualRates: 1,
      };
      return `${before} and ${after}  ${rareEventClause(counts, { baseline: 'HTTP/2', candidate: 'HTTP/3' })}`;
    }),
  );
}

function findingOf(members: readonly Comparison[]): Finding {
  const [first] = members;
  if (first === undefined || pair === undefined) throw new Error('a finding has members and a pair');
  const { workloadKind: kind, metric } = first;
  return { kind, metric, primary: true, pair, members, outcome: outcomeOf(members) };
}

/** Headline, hint and sentence of every metric, verdict and count of places, to be read by a person. */
export function allSentences(): string {
  const lines = metrics.flatMap((metric) =>
    verdictSchema.options.flatMap((verdict) => [
      `${metric.name}, ${verdict}`,
      ...linesOf(metric, verdict),
      '',
    ]),
  );
  const seen = metrics.flatMap((metric) => {
    const clauses = rareEventLines(metric);
    return clauses.length === 0 ? [] : [`${metric.name}, what was seen`, ...clauses, ''];
  });
  return [...lines, ...seen].join('\n');
}
