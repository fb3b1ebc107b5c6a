import type { TrialRecord } from '../../core/model/record.ts';
import { meanOfKnown } from '../../core/metrics/evidence/numbers.ts';
import { meanInterval } from '../statistics/mean-interval.ts';

/** The trials of one workload in one block. */
export interface RecordPair {
  readonly baseline: TrialRecord;
  readonly candidate: TrialRecord;
}

const minBlocks = 4;

/** A figure of both arms, block by block, and its change with its interval. */
export interface Change {
  readonly beforeMean: number;
  readonly afterMean: number;
  readonly mean: number;
  readonly interval: readonly [number, number];
  readonly blocks: number;
}

/** Null where too few blocks have the figure in both arms. */
export function changeOf(
  blocks: readonly (readonly RecordPair[])[],
  of: (record: TrialRecord) => number | null,
  level: number,
): Change | null {
  const values = blocks.flatMap((pairs) => {
    const before = meanOfKnown(pairs.map(({ baseline }) => of(baseline)));
    const after = meanOfKnown(pairs.map(({ candidate }) => of(candidate)));
    return before === null || after === null ? [] : [{ before, after }];
  });
  if (values.length < minBlocks) return null;
  const change = meanInterval(
    values.map(({ before, after }) => after - before),
    level,
  );
  const interval = change?.interval ?? null;
  if (change === null || interval === null) return null;
  const beforeMean = meanOfKnown(values.map(({ before }) => before)) ?? 0;
  const afterMean = meanOfKnown(values.map(({ after }) => after)) ?? 0;
  return { beforeMean, afterMean, mean: change.mean, interval, blocks: values.length };
}
