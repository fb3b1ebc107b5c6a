import { nearestRank } from './evidence/messages.ts';
import { elapsedMs, mean, sum } from './evidence/numbers.ts';
import { numberAsDifference, ofPlayedTime, timeAsDifference, timeAsRatio, type Metric } from './metric.ts';
import { networkStalls } from './rare-events.ts';

/** What a player fetched, and how it played. */
export const playbackMetrics: readonly Metric[] = [
  {
    name: 'averageChunkBitrateKbps',
    title: 'average chunk bitrate',
    meaning: 'Mean encoded bitrate of the chunks that were played.',
    source: 'Zhang et al. 2024, Fig. 9',
    unit: 'kbit/s',
    form: 'ratio',
    margin: 0.02,
    higherIsBetter: true,
    ...ofPlayedTime,
    formulas: {
      video: ({ played }) => mean(played.map(({ bitrateKbps }) => bitrateKbps)),
    },
  },
  {
    name: 'timeWeightedBitrateKbps',
    title: 'time-weighted bitrate',
    meaning: 'Encoded bitrate of what was played, weighted by its play time.',
    unit: 'kbit/s',
    form: 'ratio',
    margin: 0.02,
    higherIsBetter: true,
    ...ofPlayedTime,
    formulas: {
      video: ({ played }) => {
        const playedSeconds = sum(played.map((chunk) => chunk.playedSeconds));
        const weighted = sum(played.map((chunk) => chunk.bitrateKbps * chunk.playedSeconds));
        return playedSeconds > 0 ? weighted / playedSeconds : null;
      },
    },
  },
  {
    name: 'meanChunkThroughputMbps',
    title: 'mean chunk throughput',
    meaning: 'Mean over media chunks of their bits over the time from request to last byte.',
    unit: 'Mbit/s',
    form: 'ratio',
    margin: 0.03,
    higherIsBetter: true,
    kinds: ['video'],
    onDeadline: 'rate',
    formulas: {
      video: ({ throughputsMbps }) => mean(throughputsMbps),
    },
  },
  {
    name: 'startupDelayMs',
    title: 'start-up delay',
    meaning:
      'The player’s load call to the first presented frame. Where frames are numbered: to the first that another follows at once.',
    source: 'margin: 0.1 s of the 2 s after which viewers begin to leave (Krishnan & Sitaraman 2012)',
    ...timeAsRatio,
    margin: 0.05,
    kinds: ['video'],
    onDeadline: 'time',
    formulas: {
      video: ({ session, frames }) =>
        frames === undefined
          ? elapsedMs(Math.max(session.loadCallMs, Number.MIN_VALUE), session.firstFrameMs)
          : frames.movesFromMs,
    },
  },
  {
    name: 'stallCount',
    title: 'stalls',
    isPlural: true,
    meaning: 'How often playback stopped on an empty buffer after it had begun.',
    source: 'Shreedhar et al. 2022, §VII-B',
    ...numberAsDifference,
    margin: 0.1,
    ...ofPlayedTime,
    rareEvents: networkStalls,
    formulas: {
      video: ({ stalls }) => stalls.network.intervals.length,
    },
  },
  {
    name: 'stallTotalMs',
    title: 'stall time',
    meaning: 'Total time in which playback waited on an empty buffer.',
    source: 'Shreedhar et al. 2022, §VII-B',
    ...timeAsDifference,
    margin: 100,
    ...ofPlayedTime,
    rareEvents: networkStalls,
    formulas: {
      video: ({ stalls }) => stalls.network.totalMs,
    },
  },
  {
    name: 'stallLengthMs',
    title: 'length of a stall',
    meaning: 'Length of the stalls of a session, median. A session without stalls has none.',
    source: 'Shreedhar et al. 2022, §VII-B, figure 15',
    ...timeAsRatio,
    margin: 0.05,
    kinds: ['video'],
    onDeadline: 'missing',
    formulas: {
      video: ({ stalls }) => {
        const lengthsMs = stalls.network.intervals.map(([startMs, endMs]) => endMs - startMs);
        return lengthsMs.length === 0
          ? undefined
          : nearestRank(
              lengthsMs.toSorted((a, b) => a - b),
              0.5,
            );
      },
    },
  },
  {
    name: 'stallRatio',
    title: 'stall ratio',
    meaning: 'Share of the session spent in stalls.',
    source:
      'Shreedhar et al. 2022, §VII-B; margin: half of the 1 % from which on viewers were seen to watch less (Krishnan & Sitaraman 2012)',
    ...numberAsDifference,
    margin: 0.005,
    ...ofPlayedTime,
    rareEvents: networkStalls,
    formulas: {
      video: ({ stalls, session }) => {
        const watchedMs = session.playedSeconds * 1000 + stalls.network.totalMs;
        return watchedMs > 0 ? stalls.network.totalMs / watchedMs : null;
      },
    },
  },
];
