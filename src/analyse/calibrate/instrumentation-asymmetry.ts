import type { InstrumentationAsymmetry } from '../../core/model/calibration.ts';
import { pageOfJourney } from '../../core/model/journey-name.ts';
import type { Arm, Condition, Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { contrastOf, asymmetryBetween, effectsOf } from '../comparison/overhead.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import {
  buildTrialTable,
  trialsLike,
  type ConditionTrials,
  type TrialTable,
} from '../comparison/trial-table.ts';

/** What trials of all runs say in one place, without what may slow them and with it. */
interface AsymmetrySamples {
  readonly place: Omit<InstrumentationAsymmetry, 'ratio' | 'bound' | 'blocks'>;
  readonly without: number[];
  readonly having: number[];
}

/** Conditions of one place: with what may slow them, and the same without. */
interface Group {
  readonly of: InstrumentationAsymmetry['of'];
  readonly workloadKind: WorkloadKind;
  /** The kind whose metric both have: steps of journeys load pages. */
  readonly timedAs: WorkloadKind;
  readonly without: readonly ConditionTrials[];
  readonly having: readonly ConditionTrials[];
}

/**
 * By how much more recording slows one protocol than the other on this machine, as a mean over the workloads of a kind in
 * each client on each network: of runs that were recorded in every block, what recording adds; of runs of pages with a
 * journey from each, what the script's library adds to the load of the same page.
 */
export function instrumentationAsymmetries(
  runs: readonly { readonly plan: Plan; readonly records: readonly TrialRecord[] }[],
): InstrumentationAsymmetry[] {
  const gathered = new Map<string, AsymmetrySamples>();
  for (const { plan, records } of runs) {
    const table = buildTrialTable(plan, records);
    for (const group of [...recordedGroups(table), ...drivenGroups(table)])
      for (const pair of protocolPairs(plan.arms)) {
        const { of, workloadKind, timedAs, without, having } = group;
        const [first] = having;
        const [baseline, candidate] = pair.map(({ factors }) => factors.protocol);
        if (first === undefined || baseline === undefined || candidate === undefined) continue;
        const { client, network } = first.condition;
        const place = { of, workloadKind, client, network, baseline, candidate };
        const key = JSON.stringify(place);
        const atPlace = gathered.get(key) ?? { place, without: [], having: [] };
        const contrast = contrastOf({ baseline: pair[0], candidate: pair[1] });
        atPlace.without.push(...effectsOf(without, contrast, timedAs));
        atPlace.having.push(...effectsOf(having, contrast, timedAs));
        gathered.set(key, atPlace);
      }
  }
  return [...gathered.values()].flatMap(({ place, without, having }) => {
    const found = asymmetryBetween(without, having);
    if (found === null) return [];
    const { estimate, bound } = found;
    return [{ ...place, ratio: Math.exp(estimate), bound: Math.expm1(bound), blocks: having.length }];
  });
}

/** Workloads of a kind that were recorded in one place, and their timed trials. */
function recordedGroups({ conditions, recorded }: TrialTable): Group[] {
  const whole = recorded.filter(({ step, blocks }) => step === undefined && blocks.length > 0);
  return inOnePlace(whole).map(([kind, having]) => {
    const without = trialsLike(having, conditions);
    return { of: 'recording', workloadKind: kind, timedAs: kind, without, having };
  });
}

/** The first step of each journey that begins at a page of the same plan, and the loads of that page that nothing drove. */
function drivenGroups({ conditions }: TrialTable): Group[] {
  const pages = new Map(
    conditions
      .filter(({ kind }) => kind === 'page')
      .map((trials) => [placeOfPage(trials.condition, trials.condition.workload), trials]),
  );
  const journeys = conditions.filter(({ kind, step }) => kind === 'journey' && step === undefined);
  const begun = journeys.flatMap(({ condition }) => {
    const page = pages.get(placeOfPage(condition, pageOfJourney(condition.workload) ?? ''));
    // Steps stand in the order in which they were done.
    const first = conditions.find(
      ({ step, condition: { conditionId } }) => step !== undefined && conditionId === condition.conditionId,
    );
    return page === undefined || first === undefined ? [] : [{ step: first, page }];
  });
  return inOnePlace(begun.map(({ step }) => step)).map(([, having]) => ({
    of: 'driver',
    workloadKind: 'journey',
    timedAs: 'page',
    without: begun.filter(({ step }) => having.includes(step)).map(({ page }) => page),
    having,
  }));
}

const placeOfPage = ({ client, network, server }: Condition, page: string): string =>
  JSON.stringify([page, client, network, server]);

function inOnePlace(trials: readonly ConditionTrials[]): (readonly [WorkloadKind, ConditionTrials[]])[] {
  const groups = Map.groupBy(trials, ({ kind, condition: { client, network, server } }) =>
    JSON.stringify([kind, client, network, server]),
  );
  return [...groups.values()].flatMap((group) => (group[0] === undefined ? [] : [[group[0].kind, group]]));
}

/** Each arm over one protocol with the next that differs from it in the protocol: of h2, h3, h2, h3 the first two and the last two. */
function protocolPairs(arms: readonly Arm[]): [Arm, Arm][] {
  return arms.flatMap((arm, place): [Arm, Arm][] => {
    const next = arms[place + 1];
    const isPair = place % 2 === 0 && next !== undefined && next.factors.protocol !== arm.factors.protocol;
    return isPair ? [[arm, next]] : [];
  });
}
