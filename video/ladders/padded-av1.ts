import type { Ladder } from './ladder.ts';
import { padded } from './padded.ts';

/** The padded ladder in AV1. */
export const paddedAv1: Ladder = {
  ...padded,
  id: 'padded-av1',
  title: '20 to 200 Mbit/s, 720p AV1 padded to the exact rate',
  codec: 'av1',
  base: { maxBitrateKbps: 4000, quantiser: 45 },
};
