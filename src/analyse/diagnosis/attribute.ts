import type { Diagnosis, StageTime } from '../../core/model/diagnosis.ts';
import { meanInterval } from '../statistics/mean-interval.ts';
import { quantileOfSorted } from '../statistics/quantile.ts';

/** One block: what each arm spent on each stage, ms. */
export interface StagePair {
  readonly baseline: Readonly<Record<string, number>>;
  readonly candidate: Readonly<Record<string, number>>;
}

export interface AttributeOptions {
  /** Confidence of all intervals. */
  readonly level: number;
  /** Fewer blocks than this say nothing. */
  readonly minBlocks: number;
}

/** Stages in the words of reports, in the order of a load. */
const causes: Readonly<Record<string, string>> = {
  connection: 'connection',
  queueing: 'queueing',
  firstByte: 'first byte',
  transfer: 'transfer',
  receiverCpu: 'transfer while the client’s networking process was saturated',
  senderCpu: 'transfer while the server was saturated',
  linkFull: 'transfer while the link was saturated',
  windowWait: 'transfer while the server waited for its window or for lost packets',
  processing: 'processing',
  player: 'no chunk under way: manifest, player, decoder',
  decoding: 'stalls with enough buffered: the decoder',
  path: 'the path, as half of the messages have it',
  headOfLine: 'waiting behind an earlier message (head-of-line blocking)',
  lateAlone: 'messages late by themselves',
  up: 'the body on its way up',
  upPauses: 'times without a byte on its way up',
  answer: 'waiting for the answer when all has come',
};

/**
 * The mean difference of the blocks' times split over stages. A stage whose own interval contains zero is not
 * attributed: it goes to what is unexplained, so that parts and rest add up. Null where the difference itself may be zero.
 */
export function attribute(
  pairs: readonly StagePair[],
  { level, minBlocks }: AttributeOptions,
): Pick<Diagnosis, 'differenceMs' | 'parts' | 'unexplainedMs' | 'stages'> | null {
  if (pairs.length < minBlocks) return null;
  const total = (stages: Readonly<Record<string, number>>): number =>
    Object.values(stages).reduce((sum, ms) => sum + ms, 0);
  const whole = meanInterval(
    pairs.map(({ baseline, candidate }) => total(candidate) - total(baseline)),
    level,
  );
  if (!isDecided(whole?.interval) || whole === null) return null;
  const names = new Set(
    pairs.flatMap(({ baseline, candidate }) => [...Object.keys(baseline), ...Object.keys(candidate)]),
  );
  const parts = [...names].flatMap((name) => partOf(name, pairs, level)).toSorted(bySize);
  const explainedMs = parts.reduce((sum, { ms }) => sum + ms, 0);
  const stages = [...names].toSorted(inOrderOfLoad).map((name) => stageTime(name, pairs));
  return { differenceMs: whole.mean, parts, unexplainedMs: whole.mean - explainedMs, stages };
}

const stageOrder = Object.keys(causes);

function inOrderOfLoad(a: string, b: string): number {
  const place = (name: string): number =>
    stageOrder.includes(name) ? stageOrder.indexOf(name) : stageOrder.length;
  return place(a) - place(b);
}

function stageTime(name: string, pairs: readonly StagePair[]): StageTime {
  const meanMs = (side: keyof StagePair): number =>
    pairs.reduce((sum, pair) => sum + (pair[side][name] ?? 0), 0) / pairs.length;
  return {
    stage: name,
    title: causes[name] ?? name,
    baselineMs: meanMs('baseline'),
    candidateMs: meanMs('candidate'),
  };
}

function partOf(name: string, pairs: readonly StagePair[], level: number): Diagnosis['parts'] {
  const before = pairs.map(({ baseline }) => baseline[name] ?? 0);
  const after = pairs.map(({ candidate }) => candidate[name] ?? 0);
  const estimate = meanInterval(
    after.map((ms, block) => ms - (before[block] ?? 0)),
    level,
  );
  const interval = estimate?.interval ?? null;
  if (estimate === null || interval === null || !isDecided(interval)) return [];
  return [
    {
      cause: causes[name] ?? name,
      stage: name,
      ms: estimate.mean,
      interval: [...interval],
      evidence: `median ${medianMs(after)} ms instead of ${medianMs(before)} ms, in ${pairs.length} blocks`,
      confirmed: false,
    },
  ];
}

/** Whether a difference lies beyond chance: its interval is known and leaves out zero. */
export function isDecided(interval: readonly [number, number] | null | undefined): boolean {
  if (interval === null || interval === undefined) return false;
  return interval[0] > 0 || interval[1] < 0;
}

function bySize(a: { readonly ms: number }, b: { readonly ms: number }): number {
  return Math.abs(b.ms) - Math.abs(a.ms);
}

function medianMs(values: readonly number[]): string {
  const median =
    quantileOfSorted(
      values.toSorted((a, b) => a - b),
      0.5,
    ) ?? 0;
  return median.toFixed(Math.abs(median) < 10 ? 1 : 0);
}
