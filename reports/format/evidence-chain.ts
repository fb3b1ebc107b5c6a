import { sentenceCase } from '../../src/core/model/sentence-case.ts';
import type { Diagnosis, LimitShare, NetworkingCpu } from '../../src/core/model/diagnosis.ts';
import { armsOf } from './diagnosis-words.ts';
import { interventionSentence } from './intervention-sentence.ts';
import { formatNumber, formatShare, formatSigned } from './numbers.ts';

/** One link of the chain from a difference to what causes it. */
export interface ChainLink {
  /** What it is, such as a part or a cause; stands first. */
  readonly what: string;
  /** What was measured of it. */
  readonly measured: string;
  /** An experiment confirmed it. */
  readonly isConfirmed?: boolean;
}

/** Parts that cost less of the whole stand in the table only. */
const minShare = 0.1;
/** Of what a process computes; the table has all. */
const maxCpuStages = 3;

function spanText([low, high]: readonly [number, number], unit: string): string {
  return `95 % interval ${formatSigned(low)} to ${formatSigned(high)} ${unit}`;
}

function isDecided([low, high]: readonly [number, number]): boolean {
  return low > 0 || high < 0;
}

function whole({ differenceMs, stages }: Diagnosis, before: string, after: string): ChainLink {
  const sum = (of: 'baselineMs' | 'candidateMs'): string =>
    formatNumber(
      stages.reduce((all, stage) => all + stage[of], 0),
      4,
    );
  const figures =
    stages.length === 0
      ? ''
      : `: ${sum('candidateMs')} ms against ${sum('baselineMs')} ms, means of the blocks`;
  const way = differenceMs > 0 ? 'longer' : 'less';
  return {
    what: `${sentenceCase(after)} takes ${formatNumber(Math.abs(differenceMs))} ms ${way} than ${before}`,
    measured: figures,
  };
}

function parts({ parts: all, differenceMs }: Diagnosis): ChainLink[] {
  return all
    .filter(({ ms }) => Math.abs(ms) >= minShare * Math.abs(differenceMs))
    .map(({ cause, ms, interval, confirmed }) => {
      const range = interval === null ? '' : ` (${spanText(interval, 'ms')})`;
      const isTowards = Math.sign(ms) === Math.sign(differenceMs);
      return {
        what: isTowards ? `${formatShare(ms / differenceMs)} of it is ${cause}` : `Offset by ${cause}`,
        measured: `: ${formatSigned(ms)} ms${range}`,
        isConfirmed: confirmed,
      };
    });
}

function cpu({ by, stages }: NetworkingCpu, before: string, after: string): ChainLink[] {
  const decided = stages
    .filter(({ interval }) => isDecided(interval))
    .map((stage) => ({ ...stage, ms: stage.candidateMs - stage.baselineMs }))
    .toSorted((a, b) => Math.abs(b.ms) - Math.abs(a.ms));
  const sum = (of: 'baselineMs' | 'candidateMs'): number => stages.reduce((all, stage) => all + stage[of], 0);
  const baselineMs = sum('baselineMs');
  const candidateMs = sum('candidateMs');
  if (decided.length === 0 || baselineMs <= 0) return [];
  const told = decided
    .slice(0, maxCpuStages)
    .map(({ title, ms, interval }) => `${title} ${formatSigned(ms)} ms (${spanText(interval, 'ms')})`);
  return [
    {
      what: `For the same work ${after} needs ${formatNumber(candidateMs / baselineMs)} times the CPU time of the client’s networking process`,
      measured: `: ${formatNumber(candidateMs)} ms against ${formatNumber(baselineMs)} ms over ${before}, by ${by === 'task' ? 'the tasks of the browser’s trace' : 'the names of what ran'}: ${told.join(', ')}`,
    },
  ];
}

function limit(
  { title, baselinePercent, candidatePercent, interval }: LimitShare,
  arms: string[],
): ChainLink {
  const [before = '', after = ''] = arms;
  const share = (percent: number): string => formatShare(percent / 100);
  return {
    what: `The transfer is ${title} for ${share(candidatePercent)} of its time with ${after}, ${share(baselinePercent)} with ${before}`,
    measured: ` (difference: ${spanText(interval, 'percentage points')})`,
  };
}

/**
 * The chain from a difference to its cause, a sentence each: the whole, its parts with their shares, what held the transfer
 * back, what was computed, the causes that were named, the experiments, and what stays unexplained.
 */
export function evidenceChain(diagnosis: Diagnosis): ChainLink[] {
  const { differenceMs, unexplainedMs, causes = [], limits = [] } = diagnosis;
  const { before, after } = armsOf(diagnosis);
  const experiments = diagnosis.parts.flatMap(({ interventions = [] }) => interventions);
  return [
    whole(diagnosis, before, after),
    ...parts(diagnosis),
    ...limits.filter(({ interval }) => isDecided(interval)).map((share) => limit(share, [before, after])),
    ...(diagnosis.networkingCpu ?? []).flatMap((division) => cpu(division, before, after)),
    ...causes.map(({ title, ms, evidence }) => ({
      what: sentenceCase(title),
      measured: `: ${formatSigned(ms)} ms, ${formatShare(ms / differenceMs)} of the difference (${evidence})`,
    })),
    ...experiments.map((result) => ({
      what: result.confirms ? 'Confirmed by an experiment' : 'Not confirmed by an experiment',
      measured: `: ${interventionSentence(result).replace(/\.$/, '')}`,
      isConfirmed: result.confirms,
    })),
    {
      what: `${formatShare(Math.abs(unexplainedMs / differenceMs))} of it is not explained`,
      measured: `: ${formatSigned(unexplainedMs)} ms`,
    },
  ];
}
