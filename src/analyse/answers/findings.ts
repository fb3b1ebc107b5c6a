import { audienceNetwork } from '../../core/model/audience-network.ts';
import { hasReason } from '../../core/model/reasons.ts';
import type { Comparison, Verdict } from '../../core/model/summary.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { pooledWorkload } from '../comparison/pooled-drafts.ts';
import type { ArmPair } from '../comparison/arm-pairs.ts';
import type { Outcome } from './group-phrase.ts';
import { cpuMetrics, serverCpuMetrics, usersMetrics, utilisationMetrics } from '../wording/headline-words.ts';

/** What one metric says of one pair of arms, over all places of the run. */
export interface Finding {
  readonly kind: WorkloadKind;
  readonly metric: string;
  readonly primary: boolean;
  readonly pair: ArmPair;
  readonly members: readonly Comparison[];
  readonly outcome: Outcome;
}

/** What several comparisons say together: one word for all, `mixed`, or `partly` where some are not decided. */
export function outcomeOf(members: readonly Comparison[]): Outcome {
  const verdicts = new Set(members.map(({ verdict }) => verdict));
  const [only] = verdicts;
  if (verdicts.size === 1 && only !== undefined) return only;
  if (verdicts.has('mixed') || (verdicts.has('better') && verdicts.has('worse'))) return 'mixed';
  if (verdicts.has('inconclusive')) return 'partly';
  return verdicts.has('better') ? 'better' : 'worse';
}

/** What decides stands for all: an audience for its segments, a pool for its pages, primary comparisons for others of the same metric. */
function telling(members: readonly Comparison[]): readonly Comparison[] {
  const primary = members.filter((member) => member.primary);
  if (primary.length > 0) return primary;
  const ofAudience = members.filter(({ network }) => network === audienceNetwork);
  if (ofAudience.length > 0) return ofAudience;
  const pooled = members.filter(({ workload }) => workload === pooledWorkload);
  return pooled.length > 0 ? pooled : members;
}

/** Whether a comparison may speak: it has an estimate, and its metric tells what users wait for. */
const mayTell = ({ ratio, difference, reasonCode }: Comparison): boolean =>
  !hasReason({ reasonCode }, 'paints-after-load') &&
  ((ratio !== null && Number.isFinite(ratio)) || (difference !== null && Number.isFinite(difference)));

function findingsOf(
  comparisons: readonly Comparison[],
  pairs: readonly ArmPair[],
  holds: (comparison: Comparison) => boolean,
): Finding[] {
  return pairs.flatMap((pair) => {
    const own = comparisons.filter(
      (comparison) =>
        comparison.baseline.arm === pair.baseline.label &&
        comparison.candidate.arm === pair.candidate.label &&
        mayTell(comparison) &&
        holds(comparison),
    );
    const groups = Map.groupBy(own, ({ workloadKind, metric }) => JSON.stringify([workloadKind, metric]));
    return [...groups.values()].flatMap((all) => {
      const members = telling(all);
      const [first] = members;
      if (first === undefined) return [];
      const { workloadKind: kind, metric, primary } = first;
      return [{ kind, metric, primary, pair, members, outcome: outcomeOf(members) }];
    });
  });
}

const judgedUninstrumented = ({ instrumentation, primary }: Comparison): boolean =>
  primary || instrumentation === 'uninstrumented';

/** What users get, the primary metric of each kind first. */
export function usersFindings(comparisons: readonly Comparison[], pairs: readonly ArmPair[]): Finding[] {
  const place = ({ kind, metric, primary }: Finding): number =>
    primary ? -1 : usersMetrics[kind].indexOf(metric);
  const users = findingsOf(
    comparisons,
    pairs,
    (comparison) =>
      judgedUninstrumented(comparison) &&
      (comparison.primary || usersMetrics[comparison.workloadKind].includes(comparison.metric)),
  );
  return users.toSorted((a, b) => place(a) - place(b));
}

/** What timed trials say of one metric, such as the networking's part of the CPU time. */
export function findingsOfMetric(
  comparisons: readonly Comparison[],
  pairs: readonly ArmPair[],
  metric: string,
): Finding[] {
  return findingsOf(
    comparisons,
    pairs,
    (comparison) => judgedUninstrumented(comparison) && comparison.metric === metric,
  );
}

/** What it costs the client in CPU: one metric a kind and pair, the whole client's unless another one alone is decided. */
export function cpuFindings(comparisons: readonly Comparison[], pairs: readonly ArmPair[]): Finding[] {
  const order = Object.keys(cpuMetrics);
  const all = findingsOf(
    comparisons,
    pairs,
    (comparison) => judgedUninstrumented(comparison) && order.includes(comparison.metric),
  ).toSorted(
    (a, b) => Number(isOpen(a)) - Number(isOpen(b)) || order.indexOf(a.metric) - order.indexOf(b.metric),
  );
  const best = Map.groupBy(all, ({ kind, pair }) =>
    JSON.stringify([kind, pair.baseline.label, pair.candidate.label]),
  );
  return [...best.values()].flatMap(([first]) => first ?? []);
}

/** Everything else that is decided and is no equality, the surest first. */
export function otherChanges(comparisons: readonly Comparison[], pairs: readonly ArmPair[]): Finding[] {
  const isOther = (comparison: Comparison): boolean =>
    judgedUninstrumented(comparison) &&
    !comparison.primary &&
    !usersMetrics[comparison.workloadKind].includes(comparison.metric) &&
    !(comparison.metric in cpuMetrics) &&
    !(comparison.metric in serverCpuMetrics) &&
    !utilisationMetrics.includes(comparison.metric) &&
    isChange(comparison.verdict);
  const p = ({ members }: Finding): number =>
    Math.min(1, ...members.map(({ adjustedPValue }) => adjustedPValue ?? 1));
  return findingsOf(comparisons, pairs, isOther).toSorted((a, b) => p(a) - p(b));
}

function isChange(verdict: Verdict): boolean {
  return verdict === 'better' || verdict === 'worse';
}

/** Members that came out so. */
export function having(finding: Finding, ...verdicts: readonly Verdict[]): readonly Comparison[] {
  return finding.members.filter(({ verdict }) => verdicts.includes(verdict));
}

/** Whether nothing of it is decided. */
export function isOpen({ members }: Finding): boolean {
  return members.every(({ verdict }) => verdict === 'inconclusive');
}

/** Whether it is not decided because nothing was at risk. */
export function isWithoutRisk(comparison: Comparison): boolean {
  return comparison.verdict === 'inconclusive' && hasReason(comparison, 'nothing-at-risk');
}

/** Whether nothing was at risk in any of its places. */
export function isUntested({ members }: Finding): boolean {
  return members.every(isWithoutRisk);
}

/** Whether anything of it is decided and changed. */
export function changed(finding: Finding): boolean {
  return having(finding, 'better', 'worse', 'mixed').length > 0;
}
