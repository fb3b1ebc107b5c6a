import type { Ladder } from './ladder.ts';

/** For broadcasts whose latency is read off the screen: each frame says its number and is a fragment of its own. */
export const clock: Ladder = {
  id: 'clock',
  title: '1.5 Mbit/s, 360p H.264, the number of each frame in its picture, sent frame by frame',
  codec: 'h264',
  form: 'capped',
  framesPerSecond: 30,
  gopSeconds: 1,
  chunkSeconds: [1, 2],
  tracks: [{ bitrateKbps: 1500, width: 640, height: 360 }],
  numbersFrames: true,
  mediaBufferMegabytes: 0,
};
