import type { Ladder } from './ladder.ts';
import { padded } from './padded.ts';

/** The padded ladder in VP9. */
export const paddedVp9: Ladder = {
  ...padded,
  id: 'padded-vp9',
  title: '20 to 200 Mbit/s, 720p VP9 padded to the exact rate',
  codec: 'vp9',
  base: { maxBitrateKbps: 4000, quantiser: 40 },
};
