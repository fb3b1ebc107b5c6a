import type { AbrChoice, AbrInput, OwnAbrRule } from './abr-rule.ts';

/**
 * "RB" as Mao, Netravali, Alizadeh describe it for comparison in "Neural Adaptive Video Streaming with Pensieve"
 * (SIGCOMM 2017, section 5.1): predict the throughput as the harmonic mean of the last five chunks, take the
 * highest bitrate below it. https://doi.org/10.1145/3098822.3098843
 */
const windowChunks = 5;

/** Harmonic mean; null without samples. */
export function harmonicMean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.length / values.reduce((sum, value) => sum + 1 / value, 0);
}

function decide(input: AbrInput): AbrChoice {
  const predicted = harmonicMean(input.chunkThroughputsKbps.slice(-windowChunks));
  if (predicted === null) return { index: 0, why: 'no throughput measured yet' };
  return {
    index: Math.max(
      0,
      input.bitratesKbps.findLastIndex((rate) => rate < predicted),
    ),
    why: `predicted ${Math.round(predicted)} kbit/s`,
  };
}

export const rateBased: OwnAbrRule = {
  id: 'rate',
  title: 'rate-based, harmonic mean of five chunks',
  source: 'Mao et al., SIGCOMM 2017',
  kind: 'ours',
  decide,
};
