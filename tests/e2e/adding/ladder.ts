import type { Ladder } from '../../../video/ladders/ladder.ts';

export const added: Ladder = {
  id: 'added',
  title: '1 and 3 Mbit/s, 180p H.264 padded to the exact rate',
  codec: 'h264',
  form: 'padded',
  framesPerSecond: 30,
  gopSeconds: 1,
  chunkSeconds: [2],
  tracks: [1, 3].map((megabits) => ({ bitrateKbps: megabits * 1000, width: 320, height: 180 })),
  base: { maxBitrateKbps: 300, quantiser: 36 },
  mediaBufferMegabytes: 0,
};
