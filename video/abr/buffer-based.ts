import type { AbrChoice, AbrInput, OwnAbrRule } from './abr-rule.ts';

/**
 * BBA-0 of Huang, Johari, McKeown, Trunnell, Watson: "A Buffer-Based Approach to Rate Adaptation" (SIGCOMM 2014),
 * section 4 and algorithm 1: https://doi.org/10.1145/2619239.2626296
 * There the buffer holds 240 s, the reservoir is 90 s, and the rate map reaches the top at 90 % of the buffer
 * (216 s): a cushion of 126 s. Players of today hold far less, so both are kept as shares, taken of the highest level
 * at which a chunk is still requested (buffer minus one chunk): else a short buffer could never reach the top.
 */
const reservoirShare = 90 / 240;
const cushionShare = 126 / 240;

export interface BufferBasedSizes {
  readonly reservoirSeconds: number;
  readonly cushionSeconds: number;
}

export function bufferBasedSizes(bufferTargetSeconds: number, chunkSeconds: number): BufferBasedSizes {
  const highestSeconds = bufferTargetSeconds - Math.min(chunkSeconds, bufferTargetSeconds / 2);
  return { reservoirSeconds: highestSeconds * reservoirShare, cushionSeconds: highestSeconds * cushionShare };
}

/** f(B): linear over the cushion from the lowest to the highest rate (kbit/s). */
export function rateMapKbps(
  bufferSeconds: number,
  bitratesKbps: readonly number[],
  sizes: BufferBasedSizes,
): number {
  const lowest = bitratesKbps[0] ?? 0;
  const highest = bitratesKbps[bitratesKbps.length - 1] ?? 0;
  const position = (bufferSeconds - sizes.reservoirSeconds) / sizes.cushionSeconds;
  return lowest + (highest - lowest) * Math.min(1, Math.max(0, position));
}

/** Algorithm 1: the rate only moves when f(B) has crossed the next higher or the next lower rate. */
export function bufferBasedIndex(input: AbrInput, sizes: BufferBasedSizes): number {
  const { bitratesKbps: rates, bufferSeconds } = input;
  const top = rates.length - 1;
  if (bufferSeconds <= sizes.reservoirSeconds) return 0;
  if (bufferSeconds >= sizes.reservoirSeconds + sizes.cushionSeconds) return top;
  const previous = Math.min(top, input.previousIndex ?? 0);
  const mapped = rateMapKbps(bufferSeconds, rates, sizes);
  const above = rates[Math.min(top, previous + 1)] ?? 0;
  const below = rates[Math.max(0, previous - 1)] ?? 0;
  if (mapped >= above)
    return Math.max(
      0,
      rates.findLastIndex((rate) => rate < mapped),
    );
  if (mapped <= below) return rates.findIndex((rate) => rate > mapped);
  return previous;
}

function decide(input: AbrInput): AbrChoice {
  const sizes = bufferBasedSizes(input.bufferTargetSeconds, input.chunkSeconds);
  const mapped = rateMapKbps(input.bufferSeconds, input.bitratesKbps, sizes);
  return {
    index: bufferBasedIndex(input, sizes),
    why: `buffer ${input.bufferSeconds.toFixed(2)} s, rate map ${Math.round(mapped)} kbit/s`,
  };
}

export const bufferBased: OwnAbrRule = {
  id: 'bba',
  title: 'buffer-based, BBA-0',
  source: 'Huang et al., SIGCOMM 2014',
  kind: 'ours',
  decide,
};
