import { cpu as cpuFactor } from '../../core/factors/client-settings.ts';
import { valuesOf } from '../../core/factors/values.ts';
import type { Diagnosis } from '../../core/model/diagnosis.ts';
import type { FactorName } from '../../core/factors/registry.ts';
import type { Factors } from '../../core/model/factor.ts';
import type { DirectionSpec, NetworkSpec } from '../../core/model/network-spec.ts';
import type { ArmProtocol } from '../../core/model/protocol.ts';

/** A change, made for both arms alike, from which a cause can be told: the difference follows if the cause is right. */
export interface Intervention {
  readonly id: string;
  /** What is changed, for people. */
  readonly title: string;
  readonly factor: FactorName;
  /** Arms over these protocols alone are changed. Absent: all over whose protocol the factor means something. */
  readonly protocols?: readonly ArmProtocol[];
  /**
   * The factor's value on a link, for arms that have these factors in common; null where nothing of the kind can be changed
   * there.
   */
  readonly valueFor: (
    network: NetworkSpec | undefined,
    common: Factors,
    causes: Diagnosis['causes'],
  ) => string | null;
  /** Parts of a difference that it acts upon, by stage. */
  readonly stages: readonly string[];
  /** What the difference changes by if a part is wholly of this cause, in multiples of the part: −1 takes it away. */
  readonly expectedShare: number;
}

/** A path whose delay, loss and rate are figures in both directions. */
function bothWays(network: NetworkSpec | undefined, of: (direction: DirectionSpec) => number): number {
  return network === undefined ? 0 : Math.min(of(network.up), of(network.down));
}

/** A share of a CPU, percent; null where the arms have whole ones. */
const sharePercent = (common: Factors): number | null => valuesOf(common).cpu?.percent ?? null;

/** The factor's value for such a share; null where it takes none so small. */
function shareText(percent: number): string | null {
  const text = cpuFactor.form.write({ percent });
  return cpuFactor.form.read(text) === undefined ? null : text;
}

/** The experiment that measures how much of a difference is the larger first flight. */
export const equalFirstFlight = 'equal-first-flight';

/**
 * One entry each. Time that a process needs doubles on half the CPU and halves on twice of it, time that waits for round trips
 * doubles with twice the delay; without loss, or with a sender that does not take loss for congestion, what loss costs is gone; what
 * packets cost that are smaller than the other transport's is gone where both have the smaller ones; what comes of one side's
 * priorities is gone where neither obeys any; what a larger first flight gains is gone where both begin alike.
 */
export const interventions: readonly Intervention[] = [
  {
    id: 'half-cpu',
    title: 'half the CPU for the client',
    factor: 'cpu',
    valueFor: (_, common) => shareText(Math.round((sharePercent(common) ?? 100) / 2)),
    stages: ['receiverCpu', 'processing'],
    expectedShare: 1,
  },
  {
    id: 'twice-cpu',
    title: 'twice the CPU for the client',
    factor: 'cpu',
    // A networking process is one thread for the most part: more than a whole CPU is nothing to it.
    valueFor: (_, common) => {
      const share = sharePercent(common);
      return share === null || share >= 100 ? null : shareText(Math.min(100, 2 * share));
    },
    stages: ['receiverCpu', 'processing'],
    expectedShare: -0.5,
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
    id: 'small-mtu',
    title: 'packets of both transports as small as QUIC’s',
    factor: 'mtu',
    valueFor: (network, { mtu }) => (network === undefined || mtu !== undefined ? null : '1280'),
    stages: ['linkFull', 'receiverCpu', 'senderCpu'],
    expectedShare: -1,
  },
  {
    id: 'full-mtu',
    title: 'packets of 1500 bytes',
    factor: 'mtu',
    valueFor: (_, { mtu }) => (mtu === undefined || mtu === '1500' ? null : '1500'),
    stages: ['linkFull', 'receiverCpu', 'senderCpu', 'windowWait'],
    expectedShare: -1,
  },
  {
    id: 'large-buffers',
    title: 'TCP buffers of up to 32 MB',
    factor: 'tcpbuffers',
    valueFor: (_, { tcpbuffers }) => (tcpbuffers === undefined || tcpbuffers === '32mb' ? null : '32mb'),
    stages: ['windowWait', 'transfer'],
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
    id: 'no-priorities',
    title: 'no priorities obeyed',
    factor: 'priorities',
    valueFor: (_, { priorities }) => (priorities === undefined || priorities === 'on' ? 'off' : null),
    stages: ['windowWait', 'transfer', 'firstByte'],
    expectedShare: -1,
  },
  {
    id: equalFirstFlight,
    title: 'a first flight of TCP as large as QUIC’s',
    factor: 'initialwindow',
    protocols: ['h1', 'h2'],
    // Arms over one protocol begin alike, or differ in their servers.
    valueFor: (network, { protocol, initialwindow }, named = []) => {
      const isNamed = named.some(({ id }) => id === 'first-flight');
      const canBeSet = network !== undefined && protocol === undefined && initialwindow === undefined;
      return isNamed && canBeSet ? '32' : null;
    },
    stages: ['firstByte', 'queueing', 'linkFull', 'windowWait', 'transfer', 'lateAlone'],
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
const minShare = 0.1;

/**
 * The experiments that could confirm parts of a difference over this network, with what each would be set to.
 *
 * @param common factors that both arms have, with the same value
 */
export function interventionsFor(
  { differenceMs, parts, causes }: Diagnosis,
  network: NetworkSpec | undefined,
  common: Factors = {},
): { readonly intervention: Intervention; readonly value: string }[] {
  const stages = parts
    .filter(({ ms }) => Math.abs(ms) >= minShare * Math.abs(differenceMs))
    .flatMap(({ stage }) => stage ?? []);
  return interventions.flatMap((intervention) => {
    const value = intervention.valueFor(network, common, causes);
    if (value === null || !intervention.stages.some((stage) => stages.includes(stage))) return [];
    return [{ intervention, value }];
  });
}
