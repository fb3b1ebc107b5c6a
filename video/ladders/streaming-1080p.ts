import type { Ladder } from './ladder.ts';
import { streaming } from './streaming.ts';

const maxKbps = 6000;

/** The ladder `streaming` as far as a 1080p screen needs it: two tracks fewer to encode, compare and decode. */
export const streaming1080p: Ladder = {
  ...streaming,
  id: 'streaming-1080p',
  title: '0.3 to 6 Mbit/s, 240p to 1080p H.264 encoded with capped peaks',
  tracks: streaming.tracks.filter(({ bitrateKbps }) => bitrateKbps <= maxKbps),
  mediaBufferMegabytes: 0,
};
