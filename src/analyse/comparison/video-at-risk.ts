import type { Plan } from '../../core/model/plan.ts';
import { reasonOf, type Reason } from '../../core/model/reasons.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { ConditionTrials, TrialTable } from './trial-table.ts';

/** Networks of ours from the milder to the harder, each with the highest track above which a fourth of its seconds or more are too slow. */
export const risks: readonly { readonly network: string; readonly fromKbps: number }[] = [
  { network: '5g-driving', fromKbps: 30_000 },
  { network: '4g', fromKbps: 8000 },
  { network: '4g-crowded', fromKbps: 0 },
];

/** A preset with loss, for films that were at no risk over the hardest of these networks. */
export const lossyPreset = 'video-wifi';

/** Whether a session stalled or still changed its track in its second half, when start-up is over; undefined where its chunks are unknown. */
export function wasAtRisk({ metrics }: Pick<TrialRecord, 'metrics'>): boolean | undefined {
  const { chunks, stallCount } = metrics;
  if (chunks === undefined || chunks.length < 2 || typeof stallCount !== 'number') return undefined;
  const settled = chunks.slice(Math.floor(chunks.length / 2));
  return stallCount > 0 || new Set(settled.map(({ representation }) => representation)).size > 1;
}

/** Where a film with this highest track is more at risk than over this network. */
function harderThan(played: string, topKbps: number): { harderNetwork: string } | { harderPreset: string } {
  const after = risks.findIndex(({ network }) => network === played) + 1;
  const next = risks.slice(after).find(({ fromKbps }) => topKbps > fromKbps);
  return next === undefined ? { harderPreset: lossyPreset } : { harderNetwork: next.network };
}

function topTrackKbps({ metrics: { ladderKbps = [], chunks = [] } }: TrialRecord): number {
  return Math.max(0, ...ladderKbps, ...chunks.map(({ bitrateKbps }) => bitrateKbps));
}

/**
 * Why a condition could hardly have shown a difference: no session of the baseline stalled, and each kept its track once it had
 * settled. With a harder condition to measure instead. Null where one was at risk, and where it is not known.
 */
export function withoutRisk(
  { kind, condition, recordsByArm }: ConditionTrials,
  baseline: string,
): Reason | null {
  if (kind !== 'video') return null;
  const sessions = [...(recordsByArm.get(baseline)?.values() ?? [])].filter(({ status }) => status === 'ok');
  if (sessions.length === 0 || !sessions.every((record) => wasAtRisk(record) === false)) return null;
  const harder = harderThan(condition.network, Math.max(...sessions.map(topTrackKbps)));
  return reasonOf('nothing-at-risk', undefined, harder);
}

/** Conditions without a risk for the baseline of the plan. A sentence each. */
export function nothingAtRisk(plan: Plan, { conditions }: Pick<TrialTable, 'conditions'>): string[] {
  const [first] = plan.arms;
  if (first === undefined) return [];
  return conditions
    .filter((trials) => withoutRisk(trials, first.label) !== null)
    .map(
      ({ condition: { workload, network } }) =>
        `nothing was at risk in ${workload} over ${network}: no session of the baseline stalled or changed its track in its second half. ` +
        'Over a slower network or with a higher ladder the protocols may differ',
    );
}
