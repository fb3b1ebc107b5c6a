import { metricsOfKind } from '../../core/metrics/registry.ts';
import { instrumentationOf, type Metric } from '../../core/metrics/metric.ts';
import { locationTests, testMargin } from '../statistics/location-test.ts';
import type { LocationTest } from '../statistics/location-test.ts';
import { testOverHosts } from '../statistics/over-hosts.ts';
import { siteHeterogeneity } from '../statistics/site-heterogeneity.ts';
import { fitTwoWay } from '../statistics/two-way-fit.ts';
import type { TwoWayFit } from '../statistics/two-way-fit.ts';
import { counted } from '../figures/figures.ts';
import type { ArmPair } from './arm-pairs.ts';
import type { ComparisonRules } from './comparison-rules.ts';
import { poolKey } from './comparison-rules.ts';
import type { PairRecords } from './condition-drafts.ts';
import { isMeasured, lossesOf, recordsOfPair, trialWarnings } from './condition-drafts.ts';
import type { UnadjustedComparison, PoolAgreement } from './draft.ts';
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

/** The conditions of each pool, one entry per kind × client × network × server that is pooled. */
export function poolsOf(conditions: readonly ConditionTrials[], rules: ComparisonRules): ConditionTrials[][] {
  const pools = new Map<string, ConditionTrials[]>();
  for (const trials of conditions) {
    if (!rules.isPooled(trials.kind, trials.condition)) continue;
    const key = poolKey(trials.kind, trials.condition);
    pools.set(key, [...(pools.get(key) ?? []), trials]);
  }
  return [...pools.values()];
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
  const { client, network, server } = first.condition;
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
      subject: { workload: pooledWorkload, workloadKind: first.kind, client, network, server },
      definition,
      labels: { baseline: pair.baseline.label, candidate: pair.candidate.label },
      values: fitted.values,
      hosts,
      test: poolTest(fitted.cells.workloads.length),
      margin,
      primary: pair.primary && primary,
      veto: overheadVeto(overhead),
      // Of differences alone is anything demanded, and those are not pooled.
      demand: null,
      warnings: [...trialWarnings(records, definition), ...poolWarnings(fitted, pool, definition)],
      withWelch: false,
      worst: (effect) =>
        worstPool({ effect, trials, pair, definition, hosts, losses: lossesOf(records, definition) }),
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

function agreementOf(
  { fit, cells }: FittedPool,
  margin: number,
  rules: ComparisonRules,
): PoolAgreement | null {
  if (fit === null || cells.workloads.length < 2) return null;
  const alpha = rules.levels.beyond(rules.alpha, 't');
  return { workloads: cells.workloads, heterogeneity: siteHeterogeneity(fit, margin, alpha) };
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
  const plainTest = poolTest(sites);
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
