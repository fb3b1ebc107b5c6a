import type { Ladder } from './ladder.ts';

const width = 640;
const height = 360;

/** Small enough to encode in a second and to play on any machine: for tests. */
export const ci: Ladder = {
  id: 'ci',
  title: '1 to 10 Mbit/s, 360p H.264 padded to the exact rate',
  codec: 'h264',
  form: 'padded',
  framesPerSecond: 30,
  gopSeconds: 1,
  chunkSeconds: [1, 2, 4],
  tracks: [1, 2, 4, 6, 8, 10].map((megabits) => ({ bitrateKbps: megabits * 1000, width, height })),
  base: { maxBitrateKbps: 500, quantiser: 36 },
  mediaBufferMegabytes: 0,
};
