import type { Ladder, LadderTrack } from './ladder.ts';

/** The bitrates of Zhang et al. 2024 (WWW, section 4.1). */
const studiedTracks = (width: number, height: number): LadderTrack[] =>
  [20, 40, 80, 120, 160, 200].map((megabits) => ({ bitrateKbps: megabits * 1000, width, height }));

/** Those bitrates, light on the decoder: for machines that cannot decode 4K at 200 Mbit/s. */
export const padded: Ladder = {
  id: 'padded',
  title: '20 to 200 Mbit/s, 720p H.264 padded to the exact rate',
  codec: 'h264',
  form: 'padded',
  framesPerSecond: 30,
  gopSeconds: 1,
  chunkSeconds: [1, 2, 4],
  tracks: studiedTracks(1280, 720),
  base: { maxBitrateKbps: 4000, quantiser: 26 },
  mediaBufferMegabytes: 2000,
};

/** The padded ladder in VP9. */
export const paddedVp9: Ladder = {
  ...padded,
  id: 'padded-vp9',
  title: '20 to 200 Mbit/s, 720p VP9 padded to the exact rate',
  codec: 'vp9',
  base: { maxBitrateKbps: 4000, quantiser: 40 },
};

/** The padded ladder in AV1. */
export const paddedAv1: Ladder = {
  ...padded,
  id: 'padded-av1',
  title: '20 to 200 Mbit/s, 720p AV1 padded to the exact rate',
  codec: 'av1',
  base: { maxBitrateKbps: 4000, quantiser: 45 },
};

/** The ladder of that study as its authors had it: 4K H.264 that really has these bitrates. */
export const paper: Ladder = {
  id: 'paper',
  title: '20 to 200 Mbit/s, 4K H.264 encoded at the constant rate',
  codec: 'h264',
  form: 'constant',
  framesPerSecond: 30,
  gopSeconds: 1,
  chunkSeconds: [1, 2, 4],
  tracks: studiedTracks(3840, 2160),
  mediaBufferMegabytes: 2000,
};

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

/** The ladder `streaming` as far as a 1080p screen needs it: two tracks fewer to encode, compare and decode. */
export const streaming1080p: Ladder = {
  ...streaming,
  id: 'streaming-1080p',
  title: '0.3 to 6 Mbit/s, 240p to 1080p H.264 encoded with capped peaks',
  tracks: streaming.tracks.filter(({ bitrateKbps }) => bitrateKbps <= 6000),
  mediaBufferMegabytes: 0,
};

/** The same with sound, for what happens where pictures and sound share a connection. */
export const streaming1080pSound: Ladder = {
  ...streaming1080p,
  id: 'streaming-1080p-sound',
  title: `${streaming1080p.title}, with sound`,
  sound: 'aac',
};

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

/** Small enough to encode in a second and to play on any machine: for tests. */
export const ci: Ladder = {
  id: 'ci',
  title: '1 to 10 Mbit/s, 360p H.264 padded to the exact rate',
  codec: 'h264',
  form: 'padded',
  framesPerSecond: 30,
  gopSeconds: 1,
  chunkSeconds: [1, 2, 4],
  tracks: [1, 2, 4, 6, 8, 10].map((megabits) => ({ bitrateKbps: megabits * 1000, width: 640, height: 360 })),
  base: { maxBitrateKbps: 500, quantiser: 36 },
  mediaBufferMegabytes: 0,
};
