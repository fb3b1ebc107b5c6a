import { broadcastLatencyOf } from './evidence/broadcast-latency.ts';
import { nearestRank } from './evidence/messages.ts';
import { finiteOrNull } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';
import { decodeStalls, framesPerHour, whilePlaying } from './rare-events.ts';

/** What became of the frames of a video. */
export const frameMetrics: readonly Metric[] = [
  {
    name: 'decodeStallCount',
    title: 'decode stalls',
    isPlural: true,
    meaning: 'How often playback stopped although enough was buffered: the machine did not keep up.',
    unit: '',
    form: 'difference',
    // The margins of network stalls; they tell that the machine, not the path, was the limit.
    margin: 0.1,
    higherIsBetter: false,
    kinds: ['video'],
    onDeadline: 'missing',
    rareEvents: decodeStalls,
    formulas: {
      video: ({ stalls }) => stalls.decode.intervals.length,
    },
  },
  {
    name: 'decodeStallTotalMs',
    title: 'decode stall time',
    meaning: 'Total time in which playback waited although enough was buffered.',
    unit: 'ms',
    form: 'difference',
    margin: 100,
    higherIsBetter: false,
    kinds: ['video'],
    onDeadline: 'missing',
    rareEvents: decodeStalls,
    formulas: {
      video: ({ stalls }) => stalls.decode.totalMs,
    },
  },
  {
    name: 'liveLatencyMs',
    title: 'latency to the live edge',
    meaning: 'How far the picture was behind the live edge, on average from the first frame on.',
    unit: 'ms',
    form: 'difference',
    // A tenth of a second, as for stall time.
    margin: 100,
    higherIsBetter: false,
    kinds: ['video'],
    onDeadline: 'missing',
    formulas: {
      video: ({ session }) => broadcastLatencyOf(session),
    },
  },
  {
    name: 'frameLatencyMs',
    title: 'latency of frames on the screen',
    meaning:
      'From the moment at which a frame of a broadcast was made to its being seen in the page, median. Each picture says its number.',
    unit: 'ms',
    form: 'difference',
    // A tenth of a second, as for the latency to the live edge.
    margin: 100,
    higherIsBetter: false,
    kinds: ['video'],
    onDeadline: 'missing',
    formulas: {
      video: ({ frames }) => frames && nearestRank(frames.latenciesMs, 0.5),
    },
  },
  {
    name: 'frameLatencyP95Ms',
    title: 'latency of frames on the screen, 95th percentile',
    meaning: 'The same latency: 95 % of the frames that were seen had no more.',
    unit: 'ms',
    form: 'difference',
    // A tenth of a second, as for the latency to the live edge.
    margin: 100,
    higherIsBetter: false,
    kinds: ['video'],
    onDeadline: 'missing',
    formulas: {
      video: ({ frames }) => frames && nearestRank(frames.latenciesMs, 0.95),
    },
  },
  {
    name: 'lateFrames',
    title: 'late frames',
    isPlural: true,
    meaning: 'Broadcast frames whose latency exceeds the session’s median by more than 100 ms.',
    unit: 'frames',
    form: 'difference',
    // As for dropped frames.
    margin: 5,
    higherIsBetter: false,
    kinds: ['video'],
    onDeadline: 'missing',
    rareEvents: whilePlaying('lateFrames', ['late frame', 'late frames'], framesPerHour),
    formulas: {
      video: ({ frames }) => frames?.late,
    },
  },
  {
    name: 'lostFrames',
    title: 'lost frames',
    isPlural: true,
    meaning: 'Broadcast frames never seen after the first one shown.',
    unit: 'frames',
    form: 'difference',
    // As for dropped frames.
    margin: 5,
    higherIsBetter: false,
    kinds: ['video'],
    onDeadline: 'missing',
    rareEvents: whilePlaying('lostFrames', ['lost frame', 'lost frames'], framesPerHour),
    formulas: {
      video: ({ frames }) => frames?.lost,
    },
  },
  {
    name: 'droppedFrames',
    title: 'dropped frames',
    isPlural: true,
    meaning: 'Frames decoded too late to be shown.',
    unit: 'frames',
    form: 'difference',
    // The margin is 1 % of the 450 frames of a 15 s session.
    margin: 5,
    higherIsBetter: false,
    kinds: ['video'],
    onDeadline: 'missing',
    rareEvents: whilePlaying('droppedFrames', ['dropped frame', 'dropped frames'], framesPerHour),
    formulas: {
      video: ({ session }) => finiteOrNull(session.droppedFrames),
    },
  },
  {
    name: 'decodedFrames',
    title: 'decoded frames',
    isPlural: true,
    meaning: 'Frames that the decoder put out.',
    unit: 'frames',
    form: 'ratio',
    margin: 0.05,
    higherIsBetter: true,
    kinds: ['video'],
    onDeadline: 'missing',
    formulas: {
      video: ({ session }) => finiteOrNull(session.decodedFrames),
    },
  },
];
