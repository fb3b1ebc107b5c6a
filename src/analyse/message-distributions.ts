import type { MessageSpread } from '../model/message-spread.ts';
import { numericMetric } from '../model/metrics.ts';
import type { Arm } from '../model/plan.ts';
import type { TrialRecord } from '../model/record.ts';
import type { Summary } from '../model/summary.ts';
import type { ConditionTrials, TrialTable } from './comparison/trial-table.ts';
import { describeSample, quantileOfSorted } from './statistics/quantile.ts';

/** Steps of a distribution: finer ones cannot be told apart on a screen. */
const steps = 200;

/** How long messages took, over all valid trials of each condition and arm; nothing for a run without messages. */
export function messageDistributions(
  arms: readonly Arm[],
  { conditions }: TrialTable,
): Pick<Summary, 'messages'> {
  const spreads = conditions
    .filter(({ kind }) => kind === 'messages')
    .flatMap((trials) => arms.flatMap(({ label }) => spreadOf(trials, label) ?? []));
  return spreads.length === 0 ? {} : { messages: spreads };
}

function spreadOf({ condition, recordsByArm }: ConditionTrials, arm: string): MessageSpread | undefined {
  const records = [...(recordsByArm.get(arm)?.values() ?? [])].filter(
    ({ status, metrics }) => status === 'ok' && metrics.messages !== undefined,
  );
  const shown = mostUsual(records);
  if (shown === undefined) return undefined;
  const all = records.flatMap(({ metrics }) => metrics.messages ?? []);
  const delaysMs = all.flatMap(([, delayMs]) => delayMs ?? []).toSorted((a, b) => a - b);
  const { workload, client, network, server } = condition;
  return {
    workload,
    client,
    network,
    server,
    arm,
    trials: records.length,
    sent: all.length,
    lost: all.length - delaysMs.length,
    behind: all.filter(([, , isBehind]) => isBehind).length,
    quantilesMs: Array.from({ length: steps + 1 }, (_, step) =>
      quantileOfSorted(delaysMs, step / steps),
    ).filter((quantile) => quantile !== undefined),
    blockIndex: shown.blockIndex,
    samples: shown.metrics.messages ?? [],
  };
}

/** The trial whose slowest messages are closest to those of all. */
function mostUsual(records: readonly TrialRecord[]): TrialRecord | undefined {
  const slowestOf = ({ metrics }: TrialRecord): number => numericMetric(metrics, 'messageP99Ms') ?? 0;
  const middle = describeSample(records.map(slowestOf)).median ?? 0;
  const distance = (record: TrialRecord): number => Math.abs(slowestOf(record) - middle);
  return records.toSorted((a, b) => distance(a) - distance(b))[0];
}
