import { audienceNetwork } from '../../core/model/audience-network.ts';
import { maxLeftOutShare } from '../../core/model/audience.ts';
import { metricsOfKind } from '../../core/metrics/registry.ts';
import { instrumentationOf, type Metric } from '../../core/metrics/metric.ts';
import { locationTests, testMargin } from '../statistics/location-test.ts';
import type { LocationTest } from '../statistics/location-test.ts';
import { testOverHosts } from '../statistics/over-hosts.ts';
import { momentsOf } from '../statistics/student-t.ts';
import { siteHeterogeneity } from '../statistics/site-heterogeneity.ts';
import { fitTwoWay } from '../statistics/two-way-fit.ts';
import type { TwoWayFit } from '../statistics/two-way-fit.ts';
import { reasonOf, type Reason } from '../../core/model/reasons.ts';
import { counted, percent } from '../figures/figures.ts';
import type { ArmPair } from './arm-pairs.ts';
import type { ComparisonRules } from './comparison-rules.ts';
import { poolKey, segmentOf } from './comparison-rules.ts';
import type { PairRecords } from './condition-drafts.ts';
import { isMeasured, lossesOf, recordsOfPair, trialWarnings } from './condition-drafts.ts';
import type { ComparisonSubject, UnadjustedComparison, PoolAgreement } from './draft.ts';
import { draftComparison } from './draft.ts';
import type { Effect } from './effect.ts';
import type { HostsByBlock, PairedValue } from './paired-values.ts';
import type { PoolCells } from './pool-cells.ts';
import { effectCells, poolCells } from './pool-cells.ts';
import { contrastOf, knownOverhead, overheadVeto } from './overhead.ts';
import type { ConditionTrials, TrialTable } from './trial-table.ts';
import { hostsByBlock } from './trial-table.ts';
import type { Losses, WorstCase } from './worst-rank.ts';

/** Workload name of a pooled comparison. */
export const pooledWorkload = 'pooled';

/** From so many sites on a block value is a mean of enough cells for the t test (docs/statistics.md has the simulation). */
export const minSitesForT = 4;

export function poolTest(sites: number): LocationTest {
  return locationTests[sites >= minSitesForT ? 't' : 'signed-rank'];
}

/**
 * How many equal sites have a mean as sure as that of sites with these weights (Kish, Survey Sampling, 1965, §11.7). Equal ones
 * are as many as they are.
 */
export function effectiveSites(weights: readonly number[]): number {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return sum ** 2 / weights.reduce((all, weight) => all + weight ** 2, 0);
}

/** The conditions of each pool, one entry per kind × client × network × server that is pooled, or per audience. */
export function poolsOf(conditions: readonly ConditionTrials[], rules: ComparisonRules): ConditionTrials[][] {
  const pools = new Map<string, ConditionTrials[]>();
  for (const trials of conditions) {
    const isPart = trials.step !== undefined && segmentOf(rules.audience, trials.condition) !== undefined;
    if (isPart || !rules.isPooled(trials.kind, trials.condition)) continue;
    const key = poolKey(trials.kind, trials.condition, rules.audience);
    pools.set(key, [...(pools.get(key) ?? []), trials]);
  }
  return [...pools.values()].map((pool) => weighted(pool, rules));
}

/** The workloads of a segment share its page views equally. */
function weighted(pool: ConditionTrials[], rules: ComparisonRules): ConditionTrials[] {
  const workloads = new Set(pool.map(({ condition }) => condition.workload)).size;
  return pool.map((trials) => {
    const segment = segmentOf(rules.audience, trials.condition);
    if (segment === undefined) return trials;
    const { network, workload } = trials.condition;
    const alike = pool.filter(({ condition }) => condition.network === network).length;
    const site = workloads === 1 ? segment.title : `${rules.titleOf(workload)}, ${segment.title}`;
    return { ...trials, ofAudience: { weight: segment.share / alike, site } };
  });
}

/** Of an audience all that tells its segments apart is no part of the name. */
export function subjectOf(pool: readonly ConditionTrials[], first: ConditionTrials): ComparisonSubject {
  const { client, network, server } = first.condition;
  const subject = { workload: pooledWorkload, workloadKind: first.kind, client, network, server };
  if (first.ofAudience === undefined) return subject;
  const clients = new Set(pool.map(({ condition }) => condition.client));
  return { ...subject, network: audienceNetwork, client: clients.size > 1 ? audienceNetwork : client };
}

/** Candidate over baseline, and baseline alone, of [baseline, candidate]. */
const ratioSigns = [-1, 1] as const;
const baselineSigns = [1, 0] as const;

/**
 * Pooled drafts of every ratio metric. The effects of all sites are fitted together on the cells that exist; a block
 * counts with its mean over all sites, fitted where a cell is lost.
 */
export function draftPool(
  pool: readonly ConditionTrials[],
  pair: ArmPair,
  rules: ComparisonRules,
  table: TrialTable,
): UnadjustedComparison[] {
  const [first] = pool;
  if (first === undefined) return [];
  const subject = subjectOf(pool, first);
  const members = pool.map((trials) => ({ trials, records: recordsOfPair(trials, pair) }));
  const records: PairRecords = {
    baseline: members.flatMap((member) => member.records.baseline),
    candidate: members.flatMap((member) => member.records.candidate),
  };
  return metricsOfKind(first.kind).flatMap((definition) => {
    if (instrumentationOf(definition) !== first.instrumentation) return [];
    const primary = rules.primaryMetric(first.kind) === definition.name;
    if (rules.brief && !(primary && pair.primary)) return [];
    const having = members.filter(
      ({ trials, records }) =>
        rules.metricVeto(definition.name, trials.condition.workload) === null &&
        (primary || isMeasured(records, definition)),
    );
    if (definition.form !== 'ratio' || (!primary && having.length < 2)) return [];
    const trials = having.map((member) => member.trials);
    const fitted = fitPool(trials, pair, definition);
    const margin = rules.margin(definition);
    const overhead = knownOverhead(trials, table, contrastOf(pair), rules);
    const hosts = hostsByBlock(trials, [pair.baseline, pair.candidate]);
    return draftComparison({
      subject,
      definition,
      labels: { baseline: pair.baseline.label, candidate: pair.candidate.label },
      values: fitted.values,
      hosts,
      test: poolTest(effectiveSites(fitted.cells.weights)),
      margin,
      primary: pair.primary && primary,
      veto: leftOutVeto(first, fitted.cells) ?? overheadVeto(overhead),
      // Of differences alone is anything demanded, and those are not pooled.
      demand: null,
      warnings: [...trialWarnings(records, definition), ...poolWarnings(fitted, pool, definition)],
      withWelch: false,
      worst: (effect) =>
        worstPool({ effect, trials, pair, definition, hosts, losses: lossesOf(records, definition) }),
      meanDifference: primary && definition.unit === 'ms' ? meanDifferenceOf(fitted) : undefined,
      agreement: agreementOf(fitted, Math.log1p(margin) + (overhead.asymmetry?.bound ?? 0), rules),
      overhead,
    });
  });
}

interface FittedPool {
  readonly cells: PoolCells;
  /** Null without any cell. */
  readonly fit: TwoWayFit | null;
  /** One row a block: what the two arms' means over all sites are in it. */
  readonly values: PairedValue[];
}

function fitPool(trials: readonly ConditionTrials[], pair: ArmPair, definition: Metric): FittedPool {
  const cells = poolCells(trials, [pair.baseline, pair.candidate], definition, false);
  const sites = cells.workloads.length;
  if (sites === 0) return { cells, fit: null, values: [] };
  const fit = fitTwoWay(effectCells(cells, ratioSigns), sites);
  const baseline = fitTwoWay(effectCells(cells, baselineSigns), sites);
  const values = fit.blocks.map(({ block, value }, i): PairedValue => {
    const level = baseline.blocks[i]?.value ?? 0;
    return [block, Math.exp(level), Math.exp(level + value)];
  });
  return { cells, fit, values };
}

/** Weighted mean over the sites of what the candidate takes more than the baseline. */
function meanDifferenceOf({ cells }: FittedPool): number | undefined {
  const sites = cells.workloads.length;
  if (sites === 0) return undefined;
  const { blocks } = fitTwoWay(effectCells({ ...cells, form: 'difference' }, ratioSigns), sites);
  return momentsOf(blocks.map(({ value }) => value)).mean;
}

function agreementOf(
  { fit, cells }: FittedPool,
  margin: number,
  rules: ComparisonRules,
): PoolAgreement | null {
  if (fit === null || cells.workloads.length < 2) return null;
  // How far sites agree is asked of all of them alike.
  const plain = cells.weights.every((weight) => weight === 1)
    ? fit
    : fitTwoWay(
        effectCells({ ...cells, weights: cells.weights.map(() => 1) }, ratioSigns),
        cells.workloads.length,
      );
  const alpha = rules.levels.beyond(rules.alpha, 't');
  return { workloads: cells.workloads, heterogeneity: siteHeterogeneity(plain, margin, alpha) };
}

/** Nothing is said of users most of whom are known and too many not. */
function leftOutVeto({ ofAudience }: ConditionTrials, { weights }: PoolCells): Reason | null {
  if (ofAudience === undefined) return null;
  const leftOut = 1 - weights.reduce((sum, weight) => sum + weight, 0);
  return leftOut > maxLeftOutShare + 1e-9
    ? reasonOf('audience-left-out', `${percent(leftOut)} of the audience was not measured`)
    : null;
}

interface WorstPoolOptions {
  readonly effect: Effect;
  readonly trials: readonly ConditionTrials[];
  readonly pair: ArmPair;
  readonly definition: Metric;
  readonly hosts: HostsByBlock;
  readonly losses: Losses;
}

/** The fit again with every lost trial counted with the worst value that either arm left at its site. */
function worstPool({ effect, trials, pair, definition, hosts, losses }: WorstPoolOptions): WorstCase | null {
  if (losses.baseline + losses.candidate === 0) return null;
  const cells = poolCells(trials, [pair.baseline, pair.candidate], definition, true);
  const sites = cells.workloads.length;
  const { blocks } = sites === 0 ? { blocks: [] } : fitTwoWay(effectCells(cells, ratioSigns), sites);
  const effects = blocks.map(({ value }) => value);
  const names = blocks.map(({ block }) => hosts.get(block) ?? '');
  const plainTest = poolTest(effectiveSites(cells.weights));
  const test = testOverHosts(plainTest, names);
  return {
    losses,
    bound: Infinity,
    effect: {
      ...effect,
      test,
      plainTest,
      hosts: names,
      effects,
      differences: [],
      estimate: test.locate(effects, []).estimate,
      difference: null,
      margins: testMargin(test, effects, effect.scaleMargin, effect.equivalenceMargin),
    },
  };
}

function poolWarnings(
  { cells, values }: FittedPool,
  pool: readonly ConditionTrials[],
  definition: Metric,
): string[] {
  const { workloads, thinBlocks, notPositive } = cells;
  const warnings: string[] = [];
  if (workloads.length < pool.length) {
    warnings.push(
      `pooled over ${workloads.length} of ${pool.length} workloads: the others have no value of this metric in both arms`,
    );
  }
  if (thinBlocks.length > 0) {
    warnings.push(
      `${counted(thinBlocks.length, 'block')} left out of the pool, fewer than half of their ${workloads.length} workloads are valid: block ${thinBlocks.slice(0, 5).join(', ')}`,
    );
  }
  if (notPositive > 0) {
    warnings.push(
      `${counted(notPositive, 'pair')} of ${definition.title} left out: not above zero, no ratio`,
    );
  }
  const lostCells = workloads.length * values.length - cells.cells.length;
  if (lostCells > 0) {
    warnings.push(
      `${lostCells} of ${workloads.length * values.length} workload × block cells are lost: estimated from those that exist`,
    );
  }
  const emptyBlocks =
    new Set(pool.flatMap((trials) => trials.blocks)).size - values.length - thinBlocks.length;
  if (emptyBlocks > 0)
    warnings.push(`${counted(emptyBlocks, 'block')} without any workload valid in both arms`);
  return warnings;
}
