import type { NamedCause } from '../../model/diagnosis.ts';
import type { TrialRecord } from '../../model/record.ts';
import { meanOfKnown } from '../derive/part.ts';
import { meanInterval } from '../statistics/mean-interval.ts';
import { causes, type Cause, type Indicator } from './causes.ts';

/** The trials of one workload in one block. */
export interface RecordPair {
  readonly baseline: TrialRecord;
  readonly candidate: TrialRecord;
}

/** What costs a smaller share of the whole difference names no cause. */
const leastShare = 0.1;
const leastBlocks = 4;

/** A figure of both arms, block by block, and its change with its interval. */
interface Change {
  readonly beforeMean: number;
  readonly afterMean: number;
  readonly mean: number;
  readonly interval: readonly [number, number];
  readonly blocks: number;
}

/**
 * What a difference comes from. A cause is named where the stages that it acts upon together go the way of the whole
 * difference, beyond chance (Student's interval of the paired blocks leaves out zero) and by a tenth of it or more, and
 * where what it is known by changed in the same direction: beyond chance, and by what is worth naming.
 */
export function nameCauses(
  differenceMs: number,
  blocks: readonly (readonly RecordPair[])[],
  level: number,
): NamedCause[] {
  const towards = Math.sign(differenceMs);
  const isTowards = ({ interval }: Change): boolean => (towards > 0 ? interval[0] > 0 : interval[1] < 0);
  return causes.flatMap(({ id, title, stages, indicator }) => {
    const spent = changeOf(blocks, (record) => stagesOf(record, stages), level);
    if (spent === null || !isTowards(spent) || Math.abs(spent.mean) < leastShare * Math.abs(differenceMs))
      return [];
    const shown = indicator === undefined ? spent : changeOf(blocks, indicator.of, level);
    if (shown === null || !isTowards(shown) || Math.abs(shown.mean) < (indicator?.least ?? 0)) return [];
    const evidence = `${indicator?.words ?? 'ms'}: ${figure(shown.beforeMean)} before, ${figure(shown.afterMean)} after, mean of ${shown.blocks} blocks`;
    return [{ id, title, stages: [...stages], ms: spent.mean, evidence }];
  });
}

function stagesOf({ metrics: { stagesMs = {} } }: TrialRecord, stages: Cause['stages']): number {
  return stages.reduce((sum, stage) => sum + (stagesMs[stage] ?? 0), 0);
}

/** Null where too few blocks have the figure in both arms. */
function changeOf(
  blocks: readonly (readonly RecordPair[])[],
  of: Indicator['of'],
  level: number,
): Change | null {
  const values = blocks.flatMap((pairs) => {
    const [before, after] = [
      meanOfKnown(pairs.map(({ baseline }) => of(baseline))),
      meanOfKnown(pairs.map(({ candidate }) => of(candidate))),
    ];
    return before === null || after === null ? [] : [{ before, after }];
  });
  if (values.length < leastBlocks) return null;
  const change = meanInterval(
    values.map(({ before, after }) => after - before),
    level,
  );
  const interval = change?.interval ?? null;
  if (change === null || interval === null) return null;
  const [beforeMean, afterMean] = [
    meanOfKnown(values.map(({ before }) => before)) ?? 0,
    meanOfKnown(values.map(({ after }) => after)) ?? 0,
  ];
  return { beforeMean, afterMean, mean: change.mean, interval, blocks: values.length };
}

function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}
