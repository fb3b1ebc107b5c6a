import { broadcastLatencyOf } from './evidence/broadcast-latency.ts';
import { nearestRank } from './evidence/messages.ts';
import { finiteOrNull } from './evidence/numbers.ts';
import { numberAsDifference, timeAsDifference, type Metric } from './metric.ts';
import { decodeStalls, framesPerHour, whilePlaying } from './rare-events.ts';

/** Its margin is a tenth of a second, as for stall time. */
const latency = {
  ...timeAsDifference,
  margin: 100,
  kinds: ['video'],
  onDeadline: 'missing',
} as const;

/** The margin is 1 % of the 450 frames of a 15 s session. */
const missedFrames = {
  isPlural: true,
  unit: 'frames',
  form: 'difference',
  margin: 5,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
} as const;

/** What became of the frames of a video. */
export const frameMetrics: readonly Metric[] = [
  {
    name: 'decodeStallCount',
    title: 'decode stalls',
    isPlural: true,
    meaning: 'How often playback stopped although enough was buffered: the machine did not keep up.',
    ...numberAsDifference,
    // The margins of network stalls; they tell that the machine, not the path, was the limit.
    margin: 0.1,
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
    ...timeAsDifference,
    margin: 100,
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
    ...latency,
    formulas: {
      video: ({ session }) => broadcastLatencyOf(session),
    },
  },
  {
    name: 'frameLatencyMs',
    title: 'latency of frames on the screen',
    meaning:
      'From the moment at which a frame of a broadcast was made to its being seen in the page, median. Each picture says its number.',
    ...latency,
    formulas: {
      video: ({ frames }) => frames && nearestRank(frames.latenciesMs, 0.5),
    },
  },
  {
    name: 'frameLatencyP95Ms',
    title: 'latency of frames on the screen, 95th percentile',
    meaning: 'The same latency: 95 % of the frames that were seen had no more.',
    ...latency,
    formulas: {
      video: ({ frames }) => frames && nearestRank(frames.latenciesMs, 0.95),
    },
  },
  {
    name: 'lateFrames',
    title: 'late frames',
    meaning: 'Broadcast frames whose latency exceeds the session’s median by more than 100 ms.',
    ...missedFrames,
    rareEvents: whilePlaying('lateFrames', ['late frame', 'late frames'], framesPerHour),
    formulas: {
      video: ({ frames }) => frames?.late,
    },
  },
  {
    name: 'lostFrames',
    title: 'lost frames',
    meaning: 'Broadcast frames never seen after the first one shown.',
    ...missedFrames,
    rareEvents: whilePlaying('lostFrames', ['lost frame', 'lost frames'], framesPerHour),
    formulas: {
      video: ({ frames }) => frames?.lost,
    },
  },
  {
    name: 'droppedFrames',
    title: 'dropped frames',
    meaning: 'Frames decoded too late to be shown.',
    ...missedFrames,
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
