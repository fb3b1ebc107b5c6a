import type { MessageSpread } from '../model/message-spread.ts';
import type { Arm } from '../model/plan.ts';
import type { Summary } from '../model/summary.ts';
import type { ConditionTrials, TrialTable } from './comparison/trial-table.ts';
import { mostUsual } from './most-usual.ts';
import { equalShares } from './statistics/quantile.ts';

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
  const shown = mostUsual(records, 'messageP99Ms');
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
    quantilesMs: equalShares(delaysMs),
    blockIndex: shown.blockIndex,
    samples: shown.metrics.messages ?? [],
  };
}
