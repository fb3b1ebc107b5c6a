import type { Ladder } from './ladder.ts';

/** What an ordinary service offers, from a phone on a bad day to a 4K television. */
export const streaming: Ladder = {
  id: 'streaming',
  title: '0.3 to 25 Mbit/s, 240p to 4K H.264 encoded with capped peaks',
  codec: 'h264',
  form: 'capped',
  framesPerSecond: 30,
  gopSeconds: 1,
  chunkSeconds: [1, 2, 4],
  tracks: [
    { bitrateKbps: 300, width: 426, height: 240 },
    { bitrateKbps: 750, width: 640, height: 360 },
    { bitrateKbps: 1500, width: 854, height: 480 },
    { bitrateKbps: 3000, width: 1280, height: 720 },
    { bitrateKbps: 6000, width: 1920, height: 1080 },
    { bitrateKbps: 12_000, width: 2560, height: 1440 },
    { bitrateKbps: 25_000, width: 3840, height: 2160 },
  ],
  mediaBufferMegabytes: 500,
};
