import type { Diagnosis, NamedCause } from '../../model/diagnosis.ts';
import type { TrialRecord } from '../../model/record.ts';
import { meanInterval } from '../statistics/mean-interval.ts';
import { causes, type Cause, type Indicator } from './causes.ts';

/** The trials of one workload in one block. */
export interface RecordPair {
  readonly baseline: TrialRecord;
  readonly candidate: TrialRecord;
}

/** Parts that are a smaller share of the whole difference name no cause. */
const leastShare = 0.1;
const leastBlocks = 4;

/**
 * What a difference comes from. A cause is named where the parts that it acts upon go the way of the whole difference and
 * are a tenth of it or more, and where what it is known by changed in the same direction: beyond chance (Student's interval
 * of the paired blocks leaves out zero), and by what is worth naming.
 */
export function nameCauses(
  { differenceMs, parts }: Pick<Diagnosis, 'differenceMs' | 'parts'>,
  blocks: readonly (readonly RecordPair[])[],
  level: number,
): NamedCause[] {
  const towards = Math.sign(differenceMs);
  return causes.flatMap((cause) => {
    const moved = parts.filter(
      ({ stage, ms }) => cause.stages.includes(stage ?? '') && Math.sign(ms) === towards,
    );
    const ms = moved.reduce((sum, part) => sum + part.ms, 0);
    if (moved.length === 0 || Math.abs(ms) < leastShare * Math.abs(differenceMs)) return [];
    const evidence = cause.indicator
      ? shownBy(cause.indicator, blocks, { towards, level })
      : moved.map((part) => part.evidence).join('; ');
    return evidence === null ? [] : [named(cause, moved, ms, evidence)];
  });
}

function named(
  { id, title }: Cause,
  moved: readonly { readonly stage?: string | undefined }[],
  ms: number,
  evidence: string,
): NamedCause {
  return { id, title, stages: moved.flatMap(({ stage }) => stage ?? []), ms, evidence };
}

/** The figures that show a cause; null where they do not. */
function shownBy(
  { words, of, least }: Indicator,
  blocks: readonly (readonly RecordPair[])[],
  { towards, level }: { readonly towards: number; readonly level: number },
): string | null {
  const values = blocks.flatMap((pairs) => {
    const [before, after] = [
      meanOf(pairs.map(({ baseline }) => of(baseline))),
      meanOf(pairs.map(({ candidate }) => of(candidate))),
    ];
    return before === null || after === null ? [] : [{ before, after }];
  });
  const change = meanInterval(
    values.map(({ before, after }) => (after - before) * towards),
    level,
  );
  const reach = change?.interval ?? null;
  if (change === null || reach === null || values.length < leastBlocks) return null;
  if (reach[0] <= 0 || change.mean < least) return null;
  const [before, after] = [values.map((one) => one.before), values.map((one) => one.after)].map((figures) =>
    figure(meanOf(figures) ?? 0),
  );
  return `${words}: ${before} before, ${after} after, mean of ${values.length} blocks`;
}

/** Null where one of them is unknown. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.flatMap((value) => value ?? []);
  if (known.length === 0 || known.length < values.length) return null;
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}
