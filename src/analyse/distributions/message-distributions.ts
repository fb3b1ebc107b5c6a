import type { MessageSpread } from '../../core/model/message-spread.ts';
import type { Arm } from '../../core/model/plan.ts';
import type { Summary } from '../../core/model/summary.ts';
import { trialsByArm, type ArmTrials } from './arm-trials.ts';
import type { TrialTable } from '../comparison/trial-table.ts';
import { equalShares } from '../statistics/quantile.ts';

/** How long messages took, over all valid trials of each condition and arm; nothing for a run without messages. */
export function messageDistributions(arms: readonly Arm[], table: TrialTable): Pick<Summary, 'messages'> {
  const trials = trialsByArm(arms, table, { kind: 'messages', series: 'messages', shownBy: 'messageP99Ms' });
  return trials.length === 0 ? {} : { messages: trials.map(spreadOf) };
}

function spreadOf({ place, metrics, usual }: ArmTrials): MessageSpread {
  const all = metrics.flatMap(({ messages = [] }) => messages);
  const delaysMs = all.flatMap(([, delayMs]) => delayMs ?? []).toSorted((a, b) => a - b);
  return {
    ...place,
    sent: all.length,
    lost: all.length - delaysMs.length,
    behind: all.filter(([, , isBehind]) => isBehind).length,
    quantilesMs: equalShares(delaysMs),
    samples: usual.messages ?? [],
  };
}
