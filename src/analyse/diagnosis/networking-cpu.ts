import type { NetworkingCpu } from '../../core/model/diagnosis.ts';
import { networkingStages, networkingTasks } from '../../core/model/networking-stages.ts';
import { changeOf, type RecordPair } from './paired-change.ts';

const divisions = [
  { by: 'symbol', parts: networkingStages },
  { by: 'task', parts: networkingTasks },
] as const;

/** What the CPU time of the client's networking process went into in both arms, in each way in which trials recorded it. */
export function networkingCpu(blocks: readonly (readonly RecordPair[])[], level: number): NetworkingCpu[] {
  return divisions.flatMap(({ by, parts }) => {
    const stages = parts.flatMap(({ id, title, counter }) => {
      const change = changeOf(blocks, ({ counters = {} }) => counters[counter] ?? null, level);
      if (change === null) return [];
      const { beforeMean, afterMean, interval, blocks: count } = change;
      return [{ count, stage: { id, title, baselineMs: beforeMean, candidateMs: afterMean, interval } }];
    });
    const [first] = stages;
    return first === undefined
      ? []
      : [
          {
            by,
            blocks: first.count,
            stages: stages.map(({ stage }) => ({ ...stage, interval: [...stage.interval] })),
          },
        ];
  });
}
