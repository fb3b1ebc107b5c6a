import type { DirectionSpec } from '../model/network-spec.ts';
import { defineFactor } from './factor.ts';

/** Loss in bursts (Gilbert 1960, Elliott 1963): chances, at each packet, to begin and to end one; within, all are lost. */
export interface BurstLoss {
  readonly beginPercent: number;
  readonly endPercent: number;
}

/** Mean packets between bursts, and of a burst: presets of str0m-netem 0.2.0, which its authors assumed. */
const named: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['wifi', [200, 2]],
  ['lossy-wifi', [40, 2]],
  ['cellular', [100, 2]],
  ['satellite', [100, 3]],
]);

const chance = String.raw`(\d{1,2}(?:\.\d{1,3})?|100)%`;

const lossOf = ([good, bad]: readonly [number, number]): BurstLoss => ({
  beginPercent: 100 / good,
  endPercent: Number((100 / bad).toFixed(3)),
});

function read(text: string): BurstLoss | undefined {
  const profile = named.get(text);
  if (profile !== undefined) return lossOf(profile);
  const [, begin, end] = new RegExp(`^${chance}/${chance}$`).exec(text) ?? [];
  const loss = { beginPercent: Number(begin), endPercent: Number(end) };
  return loss.beginPercent > 0 && loss.endPercent > 0 ? loss : undefined;
}

function write({ beginPercent, endPercent }: BurstLoss): string {
  const [name] = [...named].find(([, profile]) => {
    const loss = lossOf(profile);
    return loss.beginPercent === beginPercent && loss.endPercent === endPercent;
  }) ?? [`${beginPercent}%/${endPercent}%`];
  return name;
}

const bursts = (direction: DirectionSpec, { beginPercent, endPercent }: BurstLoss): DirectionSpec => ({
  ...direction,
  lossPercent: 0,
  gilbertElliott: {
    goodToBadPercent: beginPercent,
    badToGoodPercent: endPercent,
    lossInGoodPercent: direction.lossPercent,
    lossInBadPercent: 100,
  },
});

/** Loss in bursts over a link, both ways, beside the random loss that it has. */
export const burstloss = defineFactor({
  id: 'burstloss',
  title: 'loss in bursts',
  example: 'wifi, lossy-wifi, cellular, satellite, 1%/25%',
  unsetLabel: 'no loss in bursts beyond the network’s own',
  form: {
    words: `${[...named.keys()].join(', ')}, or the chances that a burst begins and that it ends, at each packet: 1%/25%`,
    read,
    write,
  },
  honouredBy: ['link'],
  shape: (loss: BurstLoss, spec) => ({ ...spec, up: bursts(spec.up, loss), down: bursts(spec.down, loss) }),
  unfit: (_, { up, down }) =>
    (up.gilbertElliott ?? down.gilbertElliott) === undefined ? undefined : 'it has bursts of its own',
  setBy: 'emulator or netem',
  provenBy: 'the link’s check',
  readBack: 'testbed.links.checksPassed',
});
