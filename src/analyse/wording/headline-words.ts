import { sentenceCase } from '../../core/model/sentence-case.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import { beOf, directionWords } from '../figures/figures.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';

/** A metric in a headline; `{}` stands for the amount. */
export interface HeadlineWords {
  /** What changed, as `load time`. */
  readonly noun: string;
  readonly subject: string;
  /** The predicate where the candidate has more of it. */
  readonly more: string;
  readonly less: string;
  /** The same as one word behind `HTTP/3 was`. */
  readonly moreWord: string;
  readonly lessWord: string;
  /** The subject is the metric, not what has it: `Speed Index is higher`. */
  readonly isMetric?: true;
}

const slower = { moreWord: 'slower', lessWord: 'faster' } as const;
const later = (what: string) => ({ more: `${what} {} later`, less: `${what} {} sooner`, ...slower }) as const;
const longer = { more: 'take {} longer', less: 'take {} less time', ...slower } as const;
const stalling = { noun: 'stalls', more: 'stall {} longer', less: 'stall {} less', ...slower } as const;
/** Only times are faster and slower: a rate is higher or lower. */
const throughput = {
  noun: 'throughput',
  more: 'get {} higher throughput',
  less: 'get {} lower throughput',
  moreWord: 'higher in throughput',
  lessWord: 'lower in throughput',
} as const;
const bitrate: HeadlineWords = {
  noun: 'bitrate',
  subject: 'Videos',
  more: 'play at {} higher bitrate',
  less: 'play at {} lower bitrate',
  moreWord: 'higher in bitrate',
  lessWord: 'lower in bitrate',
};

const words: Readonly<Record<string, HeadlineWords>> = {
  pltMs: { noun: 'load time', subject: 'Pages', more: 'load {} slower', less: 'load {} faster', ...slower },
  lcpMs: { noun: 'main paint', subject: 'Pages', ...later('show their main content') },
  fcpMs: { noun: 'first paint', subject: 'Pages', ...later('show their first content') },
  journeyMs: { noun: 'journey time', subject: 'Journeys', ...longer },
  startupDelayMs: { noun: 'start-up', subject: 'Videos', ...later('start') },
  stallTotalMs: { subject: 'Videos', ...stalling },
  frameLatencyP95Ms: { noun: 'latency', subject: 'Frames', ...later('reach the screen') },
  meanVmaf: {
    noun: 'picture quality',
    subject: 'Videos',
    more: 'score {} higher in picture quality',
    less: 'score {} lower in picture quality',
    moreWord: 'higher in picture quality',
    lessWord: 'lower in picture quality',
  },
  averageChunkBitrateKbps: bitrate,
  timeWeightedBitrateKbps: bitrate,
  meanChunkThroughputMbps: { subject: 'Videos', ...throughput },
  throughputMbps: { subject: 'Downloads', ...throughput },
  uploadStallMs: { subject: 'Uploads', ...stalling },
  uploadMbps: { subject: 'Uploads', ...throughput },
  uploadMs: { noun: 'upload time', subject: 'Uploads', ...longer },
  totalRequestTimeMs: { noun: 'download time', subject: 'Downloads', ...longer },
};

/** How a headline speaks of a metric; one without words of its own by its title. */
export function headlineWords(metric: string): HeadlineWords {
  const known = Object.hasOwn(words, metric) ? words[metric] : undefined;
  if (known !== undefined) return known;
  const definition = metricDefinition(metric);
  const noun = definition?.title ?? metric;
  const [more, less] = directionWords(noun, definition?.unit ?? '');
  return {
    noun,
    subject: sentenceCase(noun),
    more: `${beOf([noun])} {} ${more}`,
    less: `${beOf([noun])} {} ${less}`,
    moreWord: more,
    lessWord: less,
    isMetric: true,
  };
}

/** What users notice, the primary metric of the plan apart; in the order in which they notice it. */
export const usersMetrics: Readonly<Record<WorkloadKind, readonly string[]>> = {
  page: ['pltMs', 'lcpMs', 'fcpMs'],
  journey: ['journeyMs'],
  video: ['stallTotalMs', 'meanVmaf', 'averageChunkBitrateKbps', 'startupDelayMs'],
  download: ['throughputMbps'],
  upload: ['uploadMs', 'uploadStallMs'],
  messages: ['messageP99Ms', 'messageP50Ms'],
};

/** What the client pays in CPU for the same work, the whole client first, each behind `2.5 times the`. */
export const cpuMetrics: Readonly<Record<string, string>> = {
  cpuSeconds: 'CPU time',
  networkingCpuSeconds: 'networking CPU time',
  cpuSecondsPerGigabyte: 'CPU per gigabyte',
};

/** What the server pays for the same work, each behind `2.5 times the`. */
export const serverCpuMetrics: Readonly<Record<string, string>> = {
  serverCpuSeconds: 'server CPU time',
  serverCpuSecondsPerGigabyte: 'server CPU per gigabyte',
};

/** What a metric of CPU time is called behind an amount. */
export const cpuNoun = (metric: string): string => cpuMetrics[metric] ?? serverCpuMetrics[metric] ?? metric;

/** Shares of the time that a trial takes: a side that is done sooner has more of them for the same work. No cost, and no headline. */
export const utilisationMetrics: readonly string[] = ['networkServiceCpuPercent', 'browserCpuPercent'];
