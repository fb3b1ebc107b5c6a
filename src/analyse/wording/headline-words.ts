import { sentenceCase } from '../../core/model/sentence-case.ts';
import { isPluralTitle, metricDefinition } from '../../core/metrics/registry.ts';
import { directionWords } from '../figures/figures.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { higherOrLower, soonerOrLater, type Predicate, type VerbForm } from './predicate.ts';

/** A metric in a headline. */
export interface HeadlineWords {
  /** What changed, as `load time`. */
  readonly noun: string;
  readonly subject: string;
  /** What the subject does where the candidate has more of it. */
  readonly more: Predicate;
  readonly less: Predicate;
  /** The same as one word behind `HTTP/3 was`. */
  readonly moreWord: string;
  readonly lessWord: string;
  /** In what it is that, where the word alone would not say so: `throughput`. */
  readonly inWhat?: string;
  /** Of times less is told first: some faster, some slower. */
  readonly isLessFirst?: true;
  /** The subject is the metric, not what has it: `Speed Index is higher`. */
  readonly isMetric?: true;
}

const slower = { moreWord: 'slower', lessWord: 'faster', isLessFirst: true } as const;
/** Only times are faster and slower: a rate is higher or lower. */
const higher = { moreWord: 'higher', lessWord: 'lower' } as const;
const longer = {
  more: { verb: 'take', side: 'longer' },
  less: { verb: 'take', side: 'less', rest: 'time' },
  ...slower,
} as const;
const stalling = {
  noun: 'stalls',
  more: { verb: 'stall', side: 'longer' },
  less: { verb: 'stall', side: 'less' },
  ...slower,
} as const;
const throughput = {
  noun: 'throughput',
  ...higherOrLower({ verb: 'get' }, 'throughput'),
  ...higher,
  inWhat: 'throughput',
} as const;
const bitrate: HeadlineWords = {
  noun: 'bitrate',
  subject: 'Videos',
  ...higherOrLower({ verb: 'play', object: 'at' }, 'bitrate'),
  ...higher,
  inWhat: 'bitrate',
};

const words: Readonly<Record<string, HeadlineWords>> = {
  pltMs: {
    noun: 'load time',
    subject: 'Pages',
    more: { verb: 'load', side: 'slower' },
    less: { verb: 'load', side: 'faster' },
    ...slower,
  },
  lcpMs: {
    noun: 'main paint',
    subject: 'Pages',
    ...soonerOrLater({ verb: 'show', own: 'main content' }),
    ...slower,
  },
  fcpMs: {
    noun: 'first paint',
    subject: 'Pages',
    ...soonerOrLater({ verb: 'show', own: 'first content' }),
    ...slower,
  },
  journeyMs: { noun: 'journey time', subject: 'Journeys', ...longer },
  startupDelayMs: { noun: 'start-up', subject: 'Videos', ...soonerOrLater({ verb: 'start' }), ...slower },
  stallTotalMs: { subject: 'Videos', ...stalling },
  frameLatencyP95Ms: {
    noun: 'latency',
    subject: 'Frames',
    ...soonerOrLater({ verb: 'reach', object: 'the screen' }),
    ...slower,
  },
  meanVmaf: {
    noun: 'picture quality',
    subject: 'Videos',
    more: { verb: 'score', side: 'higher', rest: 'in picture quality' },
    less: { verb: 'score', side: 'lower', rest: 'in picture quality' },
    ...higher,
    inWhat: 'picture quality',
  },
  averageChunkBitrateKbps: bitrate,
  timeWeightedBitrateKbps: bitrate,
  meanChunkThroughputMbps: { subject: 'Videos', ...throughput },
  throughputMbps: { subject: 'Downloads', ...throughput },
  uploadStallMs: { subject: 'Uploads', ...stalling },
  uploadMbps: { subject: 'Uploads', ...throughput },
  uploadMs: { noun: 'upload time', subject: 'Uploads', ...longer },
  rateRecoveryMs: {
    noun: 'recovery of the rate',
    subject: 'Rates',
    ...soonerOrLater({ verb: 'recover' }),
    ...slower,
  },
  outageResumeMs: {
    noun: 'resumption',
    subject: 'Transfers',
    ...soonerOrLater({ verb: 'resume' }),
    ...slower,
  },
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
    more: { verb: 'be', side: more },
    less: { verb: 'be', side: less },
    moreWord: more,
    lessWord: less,
    isMetric: true,
  };
}

/** How verbs stand behind the subject: pages are several, and a metric has the number of its title. */
export function subjectForm({ isMetric, noun }: HeadlineWords): VerbForm {
  return isMetric === true && !isPluralTitle(noun) ? 'one' : 'several';
}

/** The word for more or for less of it, with what it is that in: `slower`, `higher in throughput`. */
export function wholeWord({ moreWord, lessWord, inWhat }: HeadlineWords, isMore: boolean): string {
  const word = isMore ? moreWord : lessWord;
  return inWhat === undefined ? word : `${word} in ${inWhat}`;
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
