import type { Ladder } from './ladder.ts';

const width = 3840;
const height = 2160;

/** The ladder of Zhang et al. 2024 (WWW, section 4.1) as they had it: 4K H.264 that really has these bitrates. */
export const paper: Ladder = {
  id: 'paper',
  title: '20 to 200 Mbit/s, 4K H.264 encoded at the constant rate',
  codec: 'h264',
  form: 'constant',
  framesPerSecond: 30,
  gopSeconds: 1,
  chunkSeconds: [1, 2, 4],
  tracks: [20, 40, 80, 120, 160, 200].map((megabits) => ({ bitrateKbps: megabits * 1000, width, height })),
  mediaBufferMegabytes: 2000,
};
