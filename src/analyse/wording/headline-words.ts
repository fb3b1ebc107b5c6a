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
/** Only times are faster and slower: a rate is higher or lower. */
const throughput = {
  noun: 'throughput',
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
  lcpMs: {
    noun: 'main paint',
    subject: 'Pages',
    more: 'show their main content {} later',
    less: 'show their main content {} sooner',
    ...slower,
  },
  fcpMs: {
    noun: 'first paint',
    subject: 'Pages',
    more: 'show their first content {} later',
    less: 'show their first content {} sooner',
    ...slower,
  },
  journeyMs: {
    noun: 'journey time',
    subject: 'Journeys',
    more: 'take {} longer',
    less: 'take {} less time',
    ...slower,
  },
  startupDelayMs: {
    noun: 'start-up',
    subject: 'Videos',
    more: 'start {} later',
    less: 'start {} sooner',
    ...slower,
  },
  stallTotalMs: {
    noun: 'stalls',
    subject: 'Videos',
    more: 'stall {} longer',
    less: 'stall {} less',
    ...slower,
  },
  frameLatencyP95Ms: {
    noun: 'latency',
    subject: 'Frames',
    more: 'reach the screen {} later',
    less: 'reach the screen {} sooner',
    ...slower,
  },
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
  meanChunkThroughputMbps: {
    ...throughput,
    subject: 'Videos',
    more: 'get {} higher throughput',
    less: 'get {} lower throughput',
  },
  throughputMbps: {
    ...throughput,
    subject: 'Downloads',
    more: 'get {} higher throughput',
    less: 'get {} lower throughput',
  },
  uploadStallMs: {
    noun: 'stalls',
    subject: 'Uploads',
    more: 'stall {} longer',
    less: 'stall {} less',
    ...slower,
  },
  uploadMbps: {
    ...throughput,
    subject: 'Uploads',
    more: 'get {} higher throughput',
    less: 'get {} lower throughput',
  },
  uploadMs: {
    noun: 'upload time',
    subject: 'Uploads',
    more: 'take {} longer',
    less: 'take {} less time',
    ...slower,
  },
  totalRequestTimeMs: {
    noun: 'download time',
    subject: 'Downloads',
    more: 'take {} longer',
    less: 'take {} less time',
    ...slower,
  },
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

/** Shares of the time that a trial takes: a side that is done sooner has more of them for the same work. No cost, and no headline. */
export const utilisationMetrics: readonly string[] = ['networkServiceCpuPercent', 'browserCpuPercent'];
