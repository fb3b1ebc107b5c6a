import type { WatchingAsymmetry } from '../../model/calibration.ts';
import type { Arm, Plan } from '../../model/plan.ts';
import type { TrialRecord } from '../../model/record.ts';
import { contrastOf, asymmetryBetween, effectsOf } from '../comparison/watching.ts';
import { buildTrialTable, trialsLike, type ConditionTrials } from '../comparison/trial-table.ts';

/** What bare and evidence trials of all runs say in one place. */
interface Gathered {
  readonly place: Pick<WatchingAsymmetry, 'workloadKind' | 'client' | 'network' | 'baseline' | 'candidate'>;
  readonly bare: number[];
  readonly evidence: number[];
}

/**
 * By how much more watching slows one protocol than the other on this machine, as a mean over the workloads of a kind in
 * each client on each network; of runs that were recorded in every block.
 */
export function watchingAsymmetries(
  runs: readonly { readonly plan: Plan; readonly records: readonly TrialRecord[] }[],
): WatchingAsymmetry[] {
  const gathered = new Map<string, Gathered>();
  for (const { plan, records } of runs) {
    const table = buildTrialTable(plan, records);
    for (const group of groupsOf(table.evidence))
      for (const pair of protocolPairs(plan.arms)) {
        const [first] = group;
        const [baseline, candidate] = pair.map(({ factors }) => factors.protocol);
        if (first === undefined || baseline === undefined || candidate === undefined) continue;
        const { client, network } = first.condition;
        const place = { workloadKind: first.kind, client, network, baseline, candidate };
        const key = JSON.stringify(place);
        const atPlace = gathered.get(key) ?? { place, bare: [], evidence: [] };
        const contrast = contrastOf({ baseline: pair[0], candidate: pair[1] });
        atPlace.bare.push(...effectsOf(trialsLike(group, table.conditions), contrast, first.kind));
        atPlace.evidence.push(...effectsOf(group, contrast, first.kind));
        gathered.set(key, atPlace);
      }
  }
  return [...gathered.values()].flatMap(({ place, bare, evidence }) => {
    const found = asymmetryBetween(bare, evidence);
    if (found === null) return [];
    const { estimate, bound } = found;
    return [{ ...place, ratio: Math.exp(estimate), bound: Math.expm1(bound), blocks: evidence.length }];
  });
}

/** Workloads of a kind that were recorded in one place. */
function groupsOf(evidence: readonly ConditionTrials[]): ConditionTrials[][] {
  const whole = evidence.filter(({ step, blocks }) => step === undefined && blocks.length > 0);
  const groups = Map.groupBy(whole, ({ kind, condition: { client, network, server } }) =>
    JSON.stringify([kind, client, network, server]),
  );
  return [...groups.values()];
}

/** Each arm over one protocol with the next that differs from it in the protocol: of h2, h3, h2, h3 the first two and the last two. */
function protocolPairs(arms: readonly Arm[]): [Arm, Arm][] {
  return arms.flatMap((arm, place): [Arm, Arm][] => {
    const next = arms[place + 1];
    const isPair = place % 2 === 0 && next !== undefined && next.factors.protocol !== arm.factors.protocol;
    return isPair ? [[arm, next]] : [];
  });
}
