import type { Ladder } from './ladder.ts';

/** Tracks as Shreedhar et al. (2022, section VII) saw them chosen, 144p to 720p, at the bitrates usual for them. */
export const streaming720p: Ladder = {
  id: 'streaming-720p',
  title: '0.1 to 2.5 Mbit/s, 144p to 720p H.264 encoded with capped peaks',
  codec: 'h264',
  form: 'capped',
  framesPerSecond: 30,
  gopSeconds: 1,
  chunkSeconds: [2, 4],
  tracks: [
    { bitrateKbps: 100, width: 256, height: 144 },
    { bitrateKbps: 250, width: 426, height: 240 },
    { bitrateKbps: 500, width: 640, height: 360 },
    { bitrateKbps: 1000, width: 854, height: 480 },
    { bitrateKbps: 2500, width: 1280, height: 720 },
  ],
  mediaBufferMegabytes: 100,
};
