import { candidateNameOfLabel } from '../../src/core/factors/arm-name.ts';
import type { Gate, GateComparison } from '../../src/core/model/gate.ts';
import { namesFrom } from '../../src/core/model/names.ts';
import type { Names } from '../../src/core/model/names.ts';
import { armTitle } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import {
  effectText,
  intervalText,
  marginText,
  verdictSigns,
  verdictTitles,
} from '../format/verdict-words.ts';
import { formatNumber, formatP, plural } from '../format/numbers.ts';

/** What is loaded, in words; `pooled` stands for all workloads of a kind. */
export function subjectOf({ workload, workloadKind }: GateComparison, names: Names): string {
  return names.workload(workload, workloadKind);
}

/** `, cable`, where a gate compares over several networks: rows of one metric differ in nothing else. */
export function networkOf({ network }: GateComparison, { comparisons, names }: Gate): string {
  const several = new Set(comparisons.map((comparison) => comparison.network)).size > 1;
  return several ? `, ${namesFrom(names).shortNetwork(network)}` : '';
}

/** Head and rows of the gate's table. */
export function gateRows(gate: Gate): string[][] {
  const names = namesFrom(gate.names);
  const rows = gate.comparisons.map((comparison) => [
    `${verdictSigns[comparison.verdict]} ${verdictTitles[comparison.verdict]}`,
    `${subjectOf(comparison, names)}${networkOf(comparison, gate)}: ${metricWords(comparison.metric).title}`,
    `${candidateNameOfLabel(comparison.candidateArm)} against ${armTitle(comparison.baselineArm)}`,
    effectText(comparison),
    `${intervalText(comparison)} (${formatNumber((1 - comparison.level) * 100)} %)`,
    marginText(comparison),
    `${comparison.blocks}`,
    formatP(comparison.adjustedPValue),
  ]);
  return [['verdict', 'what', 'who', 'change', 'interval', 'margin', 'blocks', 'p'], ...rows];
}

/** When the run was judged: `Judged after 12 and 16 of at most 20 blocks.` */
export function interimSentence({ interims, plannedInterims, blocks }: Gate): string {
  const most = plannedInterims.at(-1) ?? blocks;
  if (interims.length === 0)
    return `No interim analysis was reached: ${plural(blocks, 'block')} done, the first one is due after ${plannedInterims[0] ?? most}.`;
  const after = interims.map((interim) => String(interim.blocks));
  const list = after.length === 1 ? after[0] : `${after.slice(0, -1).join(', ')} and ${after.at(-1)}`;
  return `Judged after ${list} of at most ${plural(most, 'block')}.`;
}
