import { armName, valueName } from '../../core/factors/arm-name.ts';
import type { Names } from '../../core/model/names.ts';
import type { Arm, Plan } from '../../core/model/plan.ts';
import { percentDigits } from '../../core/model/rounding.ts';
import { meanOfKnown } from '../../core/metrics/evidence/numbers.ts';
import { flightTrios, type FlightTrio } from '../comparison/flight-trios.ts';
import type { ConditionTrials, TrialTable } from '../comparison/trial-table.ts';
import { isDecided } from '../diagnosis/attribute.ts';
import { dividedTimeMs, dividedTimeTitle } from '../diagnosis/diagnose.ts';
import { goneShare } from '../diagnosis/gone-share.ts';
import { meanInterval } from '../statistics/mean-interval.ts';
import { counted } from '../figures/figures.ts';

/** As for all means over several pages. */
const minBlocks = 4;

/**
 * How much of the difference between two protocols is the larger first flight, in runs that have the baseline with another
 * initial window next to both: the share that goes away with it, block by block. Nothing is said where the two do not differ
 * beyond chance. @returns a sentence each, without its full stop
 */
export function firstFlightShares(
  plan: Plan,
  { conditions }: TrialTable,
  level: number,
  nameOfNetwork: Names['shortNetwork'],
): string[] {
  const places = Map.groupBy(
    conditions.filter(({ step }) => step === undefined),
    ({ kind, condition: { client, network, server } }) => JSON.stringify([kind, client, network, server]),
  );
  return flightTrios(plan.arms).flatMap((trio) =>
    [...places.values()].flatMap((group) => {
      const network = group[0]?.condition.network ?? '';
      const where = places.size > 1 ? ` over ${nameOfNetwork(network)}` : '';
      return shareOf(trio, group, where, level);
    }),
  );
}

function shareOf(
  { baseline, candidate, equal }: FlightTrio,
  group: readonly ConditionTrials[],
  where: string,
  level: number,
): string[] {
  const [first] = group;
  const title = first === undefined ? undefined : dividedTimeTitle(first.kind);
  if (first === undefined || title === undefined) return [];
  const blocks = first.blocks.flatMap((block) => {
    const [as, other, alike] = [baseline, candidate, equal].map((arm) => meanIn(group, arm, block));
    if (as === undefined || other === undefined || alike === undefined) return [];
    return as === null || other === null || alike === null
      ? []
      : [{ before: other - as, after: other - alike }];
  });
  const before = meanInterval(
    blocks.map((one) => one.before),
    level,
  );
  const interval = before?.interval ?? null;
  if (blocks.length < minBlocks || interval === null || !isDecided([...interval])) return [];
  const { goneShare: share, goneInterval } = goneShare(blocks, level);
  if (share === undefined || goneInterval === undefined) return [];
  const [low, high] = goneInterval.map(percentOf);
  const range = `${low?.replace(/ %$/, '')} to ${high}, ${counted(blocks.length, 'block')}`;
  const [own, as] = [candidate, baseline].map(armName);
  const by = valueName('initialwindow', equal.factors);
  return [
    `${percentOf(share)} (95 % interval ${range}) of the difference in ${title} between ${own} and ${as}${where} vanishes with ${by}`,
  ];
}

/** Over all pages; null where one of them has no valid trial. */
function meanIn(group: readonly ConditionTrials[], { label }: Arm, block: number): number | null {
  const times = group.map(({ kind, recordsByArm }) =>
    dividedTimeMs(kind, recordsByArm.get(label)?.get(block)),
  );
  return times.includes(null) ? null : meanOfKnown(times);
}

function percentOf(share: number): string {
  return `${share < 0 ? '−' : ''}${percentDigits(Math.abs(share) * 100)} %`;
}
