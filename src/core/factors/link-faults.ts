import type { DirectionSpec, NetworkSpec } from '../model/network-spec.ts';
import { faultsOfSchedule, type ScheduleItem } from '../model/schedule-course.ts';
import { defineFactor } from './factor.ts';
import {
  durationIn,
  durationText,
  durationWords,
  shareForm,
  sizeIn,
  sizeText,
  wholeNumberIn,
} from './forms.ts';

type Schedule = NonNullable<DirectionSpec['schedule']>;

/** What comes once and what repeats keep their places among themselves. */
const scheduleWith = ({ schedule = [] }: DirectionSpec, item: Schedule[number]): Schedule =>
  [...schedule, item].toSorted((a, b) => a.atMs - b.atMs);

/** The network with something that happens to both of its directions at a time. */
export function withItem(spec: NetworkSpec, item: Schedule[number]): NetworkSpec {
  const direction = (own: DirectionSpec): DirectionSpec => ({ ...own, schedule: scheduleWith(own, item) });
  return { ...spec, up: direction(spec.up), down: direction(spec.down) };
}

/** Why it cannot happen in these directions, a clause. */
function misfitIn(directions: readonly DirectionSpec[], item: ScheduleItem): string | undefined {
  const [fault] = directions.flatMap((direction) => faultsOfSchedule(scheduleWith(direction, item)));
  return fault === undefined ? undefined : `its schedule has no place for it: ${fault.message}`;
}

/** Why it cannot happen both ways, a clause. */
const misfitOfItem = ({ up, down }: NetworkSpec, item: ScheduleItem): string | undefined =>
  misfitIn([up, down], item);

/** Loss in bursts (Gilbert 1960, Elliott 1963): chances, at each packet, to begin and to end one; within, all are lost. */
export interface BurstLoss {
  readonly beginPercent: number;
  readonly endPercent: number;
}

/** Mean packets between bursts, and of a burst: presets of str0m-netem 0.2.0, which its authors assumed. */
const burstProfiles: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['wifi', [200, 2]],
  ['lossy-wifi', [40, 2]],
  ['cellular', [100, 2]],
  ['satellite', [100, 3]],
]);

const chanceForm = String.raw`(\d{1,2}(?:\.\d{1,3})?|100)%`;

const lossOf = ([good, bad]: readonly [number, number]): BurstLoss => ({
  beginPercent: 100 / good,
  endPercent: Number((100 / bad).toFixed(3)),
});

function readBurstLoss(text: string): BurstLoss | undefined {
  const profile = burstProfiles.get(text);
  if (profile !== undefined) return lossOf(profile);
  const [, begin, end] = new RegExp(`^${chanceForm}/${chanceForm}$`).exec(text) ?? [];
  const loss = { beginPercent: Number(begin), endPercent: Number(end) };
  return loss.beginPercent > 0 && loss.endPercent > 0 ? loss : undefined;
}

function writeBurstLoss({ beginPercent, endPercent }: BurstLoss): string {
  const [name] = [...burstProfiles].find(([, profile]) => {
    const loss = lossOf(profile);
    return loss.beginPercent === beginPercent && loss.endPercent === endPercent;
  }) ?? [`${beginPercent}%/${endPercent}%`];
  return name;
}

const withBursts = (direction: DirectionSpec, { beginPercent, endPercent }: BurstLoss): DirectionSpec => ({
  ...direction,
  lossPercent: 0,
  gilbertElliott: {
    goodToBadPercent: beginPercent,
    badToGoodPercent: endPercent,
    lossInGoodPercent: direction.lossPercent,
    lossInBadPercent: 100,
  },
});

/** Loss in bursts over a link, both ways, besides the random loss that it has. */
export const burstloss = defineFactor({
  id: 'burstloss',
  title: 'loss in bursts',
  example: 'wifi, lossy-wifi, cellular, satellite, 1%/25%',
  unsetLabel: 'no loss in bursts beyond the network’s own',
  form: {
    words: `${[...burstProfiles.keys()].join(', ')}, or the chances that a burst begins and that it ends, at each packet: 1%/25%`,
    read: readBurstLoss,
    write: writeBurstLoss,
  },
  appliedBy: ['link'],
  shape: (loss: BurstLoss, spec) => ({
    ...spec,
    up: withBursts(spec.up, loss),
    down: withBursts(spec.down, loss),
  }),
  incompatibility: (_, { up, down }) =>
    (up.gilbertElliott ?? down.gilbertElliott) === undefined ? undefined : 'it has bursts of its own',
  setBy: 'emulator or netem',
  provenBy: 'the link’s check',
  readBack: 'testbed.links.checksPassed',
});

/** Share of packets that skip the delay of a link and so overtake others, both ways. */
export const reorder = defineFactor({
  id: 'reorder',
  title: 'reordered packets',
  example: '2%, 0.5%',
  unsetLabel: 'reordering as the network has it',
  form: shareForm,
  appliedBy: ['link'],
  shape: ({ percent }, spec) => ({
    ...spec,
    up: { ...spec.up, reorderPercent: percent },
    down: { ...spec.down, reorderPercent: percent },
  }),
  incompatibility: (_, { up, down }) =>
    up.delayMs > 0 && down.delayMs > 0 ? undefined : 'it has no delay that packets could skip',
  setBy: 'emulator or netem',
  provenBy: 'the link’s check',
  readBack: 'testbed.links.checksPassed',
});

/** Share of packets behind which a copy follows over the link, both ways. */
export const duplicate = defineFactor({
  id: 'duplicate',
  title: 'packets twice',
  example: '1%, 0.2%',
  unsetLabel: 'no packet twice',
  form: shareForm,
  appliedBy: ['link'],
  shape: ({ percent }, spec) => ({
    ...spec,
    up: { ...spec.up, duplicatePercent: percent },
    down: { ...spec.down, duplicatePercent: percent },
  }),
  setBy: 'emulator or netem',
  provenBy: 'the link’s check',
  readBack: 'testbed.links.checksPassed',
});

/** Nothing passes for a time. */
export interface Outage {
  readonly forMs: number;
  /** After navigation start. */
  readonly atMs: number;
}

const maxOutageMs = 60_000;

const maxStartMs = 600_000;

function readOutage(text: string): Outage | undefined {
  const [duration = '', start = '', ...more] = text.split('@');
  const forMs = durationIn(duration);
  const atMs = durationIn(start);
  if (forMs === undefined || atMs === undefined || more.length > 0) return undefined;
  return forMs > 0 && forMs <= maxOutageMs && atMs <= maxStartMs ? { forMs, atMs } : undefined;
}

const itemOfOutage = ({ forMs, atMs }: Outage) => ({ atMs, forMs, outage: true }) as const;

/** A time in which nothing passes a link, both ways. */
export const outage = defineFactor({
  id: 'outage',
  title: 'outage',
  example: '2s@3s, 500ms@1500ms',
  words: (text) => {
    const given = readOutage(text);
    return given === undefined
      ? `an outage of ${text}`
      : `an outage of ${durationWords(given.forMs)} after ${durationWords(given.atMs)}`;
  },
  form: {
    words: 'how long nothing passes, and when after navigation start, such as 2s@3s (60s at most)',
    read: readOutage,
    write: ({ forMs, atMs }: Outage) => `${durationText(forMs)}@${durationText(atMs)}`,
  },
  appliedBy: ['link'],
  shape: (value: Outage, spec) => withItem(spec, itemOfOutage(value)),
  incompatibility: (value, spec) => misfitOfItem(spec, itemOfOutage(value)),
  setBy: 'emulator',
  provenBy: 'the link’s own count, time after time',
  readBack: 'linkSchedule.down',
});

/** A share of the packets is lost for a time. */
export interface LossBurst {
  readonly percent: number;
  readonly forMs: number;
  /** After navigation start. */
  readonly atMs: number;
}

const maxLossMs = 600_000;

const lossBurstForm = /^(?<share>(?:0|[1-9]\d?)(?:\.\d{1,3})?)%\/(?<duration>[^/@]+)@(?<start>[^/@]+)$/;

function readLossBurst(text: string): LossBurst | undefined {
  const { share = '', duration = '', start = '' } = lossBurstForm.exec(text)?.groups ?? {};
  const percent = Number(share);
  const forMs = durationIn(duration);
  const atMs = durationIn(start);
  if (forMs === undefined || atMs === undefined || percent === 0) return undefined;
  return forMs > 0 && forMs <= maxLossMs && atMs <= maxLossMs ? { percent, forMs, atMs } : undefined;
}

const itemOfLossBurst = ({ percent, forMs, atMs }: LossBurst) => ({ atMs, forMs, lossPercent: percent });

/** A time in which a share of the packets is lost over a link, both ways, whatever its own loss is. */
export const lossburst = defineFactor({
  id: 'lossburst',
  title: 'burst of loss',
  example: '30%/2s@1s, 10%/500ms@2s',
  unsetLabel: 'no burst of loss',
  words: (text) => {
    const given = readLossBurst(text);
    return given === undefined
      ? `a burst of loss of ${text}`
      : `${given.percent} % loss for ${durationWords(given.forMs)} after ${durationWords(given.atMs)}`;
  },
  form: {
    words:
      'a share of the packets below 100 %, for how long, and when after navigation start, such as 30%/2s@1s',
    read: readLossBurst,
    write: ({ percent, forMs, atMs }: LossBurst) =>
      `${percent}%/${durationText(forMs)}@${durationText(atMs)}`,
  },
  appliedBy: ['link'],
  shape: (value: LossBurst, spec) => withItem(spec, itemOfLossBurst(value)),
  incompatibility: (value, spec) => misfitOfItem(spec, itemOfLossBurst(value)),
  setBy: 'emulator',
  provenBy: 'the link’s own count, time after time',
  readBack: 'linkSchedule.down',
});

/** Packets towards the client that are lost by their place. */
export type LostPackets =
  | { readonly count: number; readonly atMs: number }
  /** Of each connection, from 1. */
  | { readonly ofEach: number }
  /** The last before a pause, of each connection that has carried so much. */
  | { readonly tailAfterBytes: number };

const maxLostPackets = 1000;
const maxTailBytes = 1e9;

/** Within this what is lost by its number has come. */
const countedForMs = 1000;

function readLostPackets(text: string): LostPackets | undefined {
  const [, ofEach] = /^([1-9]\d{0,3})ofeach$/.exec(text) ?? [];
  if (ofEach !== undefined) return Number(ofEach) > maxLostPackets ? undefined : { ofEach: Number(ofEach) };
  if (text.startsWith('tail@')) {
    const tailAfterBytes = sizeIn(text.slice('tail@'.length), 1000);
    return tailAfterBytes === undefined || tailAfterBytes === 0 || tailAfterBytes > maxTailBytes
      ? undefined
      : { tailAfterBytes };
  }
  const [number = '', start = '', ...more] = text.split('@');
  const count = wholeNumberIn(number);
  const atMs = durationIn(start);
  if (count === undefined || atMs === undefined || more.length > 0) return undefined;
  return count > 0 && count <= maxLostPackets && atMs <= maxLossMs ? { count, atMs } : undefined;
}

function writeLostPackets(lost: LostPackets): string {
  if ('ofEach' in lost) return `${lost.ofEach}ofeach`;
  if ('tailAfterBytes' in lost) return `tail@${sizeText(lost.tailAfterBytes, 1000)}`;
  return `${lost.count}@${durationText(lost.atMs)}`;
}

function itemOfLostPackets(lost: LostPackets): Schedule[number] {
  if ('ofEach' in lost) return { atMs: 0, lostOfEach: lost.ofEach };
  if ('tailAfterBytes' in lost) return { atMs: 0, lostTailAfterBytes: lost.tailAfterBytes };
  return { atMs: lost.atMs, forMs: countedForMs, lostPackets: lost.count };
}

/** Packets towards the client that are lost for certain, over a link. */
export const lostpackets = defineFactor({
  id: 'lostpackets',
  title: 'lost packets',
  example: '1@1500ms, 3@2s, 2ofeach, tail@90kb',
  unsetLabel: 'no packet that is lost by its place',
  form: {
    words:
      'how many packets towards the client in a row, and when after navigation start (3@2s), which of each connection (2ofeach), or the last before a pause once a connection has carried so much (tail@90kb)',
    read: readLostPackets,
    write: writeLostPackets,
  },
  appliedBy: ['link'],
  shape: (lost: LostPackets, spec) => ({
    ...spec,
    down: { ...spec.down, schedule: scheduleWith(spec.down, itemOfLostPackets(lost)) },
  }),
  incompatibility: (lost, { down }) => misfitIn([down], itemOfLostPackets(lost)),
  setBy: 'emulator',
  provenBy: 'the link’s own count, time after time',
  readBack: 'linkSchedule.down',
});
