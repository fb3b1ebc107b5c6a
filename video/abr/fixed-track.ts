import type { OwnAbrRule } from './abr-rule.ts';

/** Always the same track: `rank` 1 is the lowest. */
export function fixedTrack(rank: number): OwnAbrRule {
  return {
    id: `fixed${rank}`,
    title: `always track ${rank} from below`,
    source: 'fixed quality, as in Kakhki et al., IMC 2017',
    kind: 'ours',
    fixedRank: rank,
    decide: (input) => ({
      index: Math.min(rank, input.bitratesKbps.length) - 1,
      why: `fixed to track ${rank}`,
    }),
  };
}
