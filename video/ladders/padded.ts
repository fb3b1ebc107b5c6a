import type { Ladder } from './ladder.ts';

const width = 1280;
const height = 720;

/** The bitrates of Zhang et al. 2024 (WWW, section 4.1), light on the decoder: for machines that cannot decode 4K at 200 Mbit/s. */
export const padded: Ladder = {
  id: 'padded',
  title: '20 to 200 Mbit/s, 720p H.264 padded to the exact rate',
  codec: 'h264',
  form: 'padded',
  framesPerSecond: 30,
  gopSeconds: 1,
  chunkSeconds: [1, 2, 4],
  tracks: [20, 40, 80, 120, 160, 200].map((megabits) => ({ bitrateKbps: megabits * 1000, width, height })),
  base: { maxBitrateKbps: 4000, quantiser: 26 },
  mediaBufferMegabytes: 2000,
};
