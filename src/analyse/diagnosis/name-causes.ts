import type { NamedCause } from '../../core/model/diagnosis.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { causes, type Cause } from './causes.ts';
import { changeOf, type Change, type RecordPair } from './paired-change.ts';

/** What costs a smaller share of the whole difference names no cause. */
const minShare = 0.1;

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
  return causes.flatMap(({ id, title, stages, indicator, related = [] }) => {
    const spent = changeOf(blocks, (record) => stagesOf(record, stages), level);
    if (spent === null || !isTowards(spent) || Math.abs(spent.mean) < minShare * Math.abs(differenceMs))
      return [];
    const shown = indicator === undefined ? spent : changeOf(blocks, indicator.of, level);
    if (shown === null || !isTowards(shown) || Math.abs(shown.mean) < (indicator?.least ?? 0)) return [];
    const figures = [
      { words: indicator?.words, change: shown },
      ...related
        .map(({ words, of }) => ({ words, change: changeOf(blocks, of, level) }))
        // What neither arm had any of is no evidence: no quota, nothing that it withheld.
        .filter(({ change }) => change !== null && (change.beforeMean !== 0 || change.afterMean !== 0)),
    ].flatMap(({ words, change }) =>
      change === null
        ? []
        : words === undefined
          ? `${figure(change.afterMean)} ms instead of ${figure(change.beforeMean)} ms`
          : `${words}: ${figure(change.afterMean)} instead of ${figure(change.beforeMean)}`,
    );
    const evidence = `${figures.join(', ')}, means of ${shown.blocks} blocks`;
    return [{ id, title, stages: [...stages], ms: spent.mean, evidence }];
  });
}

function stagesOf({ metrics: { stagesMs = {} } }: TrialRecord, stages: Cause['stages']): number {
  return stages.reduce((sum, stage) => sum + (stagesMs[stage] ?? 0), 0);
}

function figure(value: number): string {
  // Sizes of packets are known to the byte.
  return String(Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
}
