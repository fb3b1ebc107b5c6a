import type { Diagnosis } from '../../model/diagnosis.ts';
import type { FactorName } from '../../model/factor.ts';
import type { DirectionSpec, NetworkSpec } from '../../model/network-spec.ts';

/** A change, made for both arms alike, from which a cause can be told: the difference follows if the cause is right. */
export interface Intervention {
  readonly id: string;
  /** What is changed, for people. */
  readonly title: string;
  readonly factor: FactorName;
  /** The factor's value on a link; null where nothing of the kind can be changed there. */
  readonly valueFor: (network: NetworkSpec | undefined) => string | null;
  /** Parts of a difference that it acts upon, by stage. */
  readonly stages: readonly string[];
  /** What the difference changes by if a part is wholly of this cause, in multiples of the part: −1 takes it away. */
  readonly expectedShare: 1 | -1;
}

/** A path whose delay, loss and rate are figures in both directions. */
function bothWays(network: NetworkSpec | undefined, of: (direction: DirectionSpec) => number): number {
  return network === undefined ? 0 : Math.min(of(network.up), of(network.down));
}

/**
 * One line each. Time that a process needs doubles on half the CPU, time that waits for round trips doubles with twice the
 * delay; without loss, or with a sender that does not take loss for congestion, what loss costs is gone.
 */
export const interventions: readonly Intervention[] = [
  {
    id: 'half-cpu',
    title: 'half a CPU for the client',
    factor: 'cpu',
    valueFor: () => '50%',
    stages: ['receiverCpu', 'processing'],
    expectedShare: 1,
  },
  {
    id: 'no-offloads',
    title: 'no segmentation offloads',
    factor: 'offloads',
    valueFor: (network) => (network?.offloads === true ? 'off' : null),
    stages: ['receiverCpu', 'senderCpu'],
    expectedShare: -1,
  },
  {
    id: 'double-delay',
    title: 'twice the delay',
    factor: 'fault',
    valueFor: (network) => (bothWays(network, ({ delayMs }) => delayMs) > 0 ? 'delay=+100%' : null),
    stages: ['connection', 'firstByte'],
    expectedShare: 1,
  },
  {
    id: 'no-loss',
    title: 'no packet lost at random',
    factor: 'fault',
    valueFor: (network) => {
      const lossPercent = bothWays(network, (direction) => direction.lossPercent);
      const isAlike = network?.up.lossPercent === network?.down.lossPercent;
      return lossPercent > 0 && isAlike ? `loss=-${lossPercent}%` : null;
    },
    stages: ['windowWait', 'transfer', 'connection'],
    expectedShare: -1,
  },
  {
    id: 'bbr',
    title: 'BBR on both sides',
    factor: 'congestion',
    valueFor: () => 'bbr',
    stages: ['windowWait'],
    expectedShare: -1,
  },
];

/** A part smaller than this share of the whole difference is not worth an experiment. */
const leastShare = 0.1;

/** The experiments that could confirm parts of a difference over this network, with what each would be set to. */
export function interventionsFor(
  { differenceMs, parts }: Diagnosis,
  network: NetworkSpec | undefined,
): { readonly intervention: Intervention; readonly value: string }[] {
  const stages = parts
    .filter(({ ms }) => Math.abs(ms) >= leastShare * Math.abs(differenceMs))
    .flatMap(({ stage }) => stage ?? []);
  return interventions.flatMap((intervention) => {
    const value = intervention.valueFor(network);
    if (value === null || !intervention.stages.some((stage) => stages.includes(stage))) return [];
    return [{ intervention, value }];
  });
}
