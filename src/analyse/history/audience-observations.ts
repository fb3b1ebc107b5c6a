import { metricsOfKind } from '../../core/metrics/registry.ts';
import type { Metric } from '../../core/metrics/metric.ts';
import { audienceNetwork } from '../../core/model/audience-network.ts';
import { audienceSeries } from '../../core/model/audience-series.ts';
import type { Observation } from '../../core/model/history.ts';
import type { Arm, Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { comparisonRules, segmentOf, type ComparisonRules } from '../comparison/comparison-rules.ts';
import { judgedInsteadOfLoad } from '../comparison/late-paint.ts';
import { armCells, levelOf, poolCells } from '../comparison/pool-cells.ts';
import { pooledWorkload, poolsOf } from '../comparison/pooled-drafts.ts';
import {
  buildTrialTable,
  conditionsWith,
  type ConditionTrials,
  type TrialTable,
} from '../comparison/trial-table.ts';
import { fitTwoWay } from '../statistics/two-way-fit.ts';

/** What an arm's observations have in common over the segments. */
type Identity = Omit<Observation, 'block' | 'workload' | 'network' | 'metric' | 'value'>;

/**
 * The weighted level of each arm in each block, over the whole audience, as a network of its own that no other audience has. A
 * run that lacks a segment has none: its weights would be others.
 *
 * @param observations those of the run's trials
 */
export function audienceObservations(
  plan: Plan,
  records: readonly TrialRecord[],
  observations: readonly Observation[],
): Observation[] {
  const { audience } = plan;
  if (audience === undefined) return [];
  const table = buildTrialTable(plan, records);
  const rules = comparisonRules(plan, { instead: judgedInsteadOfLoad(table) });
  const ofSegments = observations.filter((one) => segmentOf(audience, one) !== undefined);
  const measured = new Set(ofSegments.map(({ metric }) => metric));
  const kinds = [...new Set(plan.workloads.map(({ kind }) => kind))];
  const network = audienceSeries(audience).id;
  return kinds.flatMap((kind) =>
    metricsOfKind(kind)
      .filter(({ name }) => measured.has(name))
      .flatMap((definition) =>
        audiencePools(kind, definition, table, rules).flatMap((pool) =>
          levelsOf(pool, definition, armsOf(plan, pool, ofSegments)).map(({ identity, block, value }) => ({
            ...identity,
            block,
            workload: pooledWorkload,
            network,
            metric: definition.name,
            value,
          })),
        ),
      ),
  );
}

function audiencePools(
  kind: Observation['kind'],
  definition: Metric,
  table: TrialTable,
  rules: ComparisonRules,
): ConditionTrials[][] {
  return poolsOf(conditionsWith(definition, table), rules)
    .filter((pool) => pool.every((trials) => trials.kind === kind && trials.ofAudience !== undefined))
    .map((pool) =>
      pool.filter(({ condition }) => rules.metricVeto(definition.name, condition.workload) === null),
    );
}

/** The arms that have observations in a pool, each with what it is in all segments. */
function armsOf(
  plan: Plan,
  pool: readonly ConditionTrials[],
  observations: readonly Observation[],
): { readonly arm: Arm; readonly identity: Identity }[] {
  const [first] = pool;
  const ofPool = observations.filter(
    ({ kind, server }) => kind === first?.kind && server === first.condition.server,
  );
  return plan.arms.flatMap((arm) => {
    const own = ofPool.filter((one) => one.arm === arm.label);
    const [some] = own;
    if (some === undefined) return [];
    const same = (field: 'client' | 'family' | 'version' | 'build'): string => {
      const [value = '', ...others] = [...new Set(own.map((one) => one[field]))].toSorted();
      return others.length === 0
        ? value
        : field === 'version'
          ? [value, ...others].join(' ')
          : audienceNetwork;
    };
    const { role, protocol, kind, server } = some;
    const identity = {
      arm: arm.label,
      role,
      protocol,
      client: same('client'),
      family: same('family'),
      version: same('version'),
      build: same('build'),
      kind,
      server,
    };
    return [{ arm, identity }];
  });
}

/** Of each arm and block, on the cells that all arms have. */
function levelsOf(
  pool: readonly ConditionTrials[],
  definition: Metric,
  arms: readonly { readonly arm: Arm; readonly identity: Identity }[],
): { readonly identity: Identity; readonly block: number; readonly value: number }[] {
  const cells = poolCells(
    pool,
    arms.map(({ arm }) => arm),
    definition,
    false,
  );
  const sites = cells.workloads.length;
  if (sites === 0 || sites < pool.length) return [];
  return arms.flatMap(({ identity }, place) =>
    fitTwoWay(armCells(cells, place), sites).blocks.map(({ block, value }) => ({
      identity,
      block,
      value: levelOf(cells, value),
    })),
  );
}
