import { candidateNameOfLabel } from '../../src/core/factors/arm-name.ts';
import type { Gate } from '../../src/core/model/gate.ts';
import { nextStepLines } from '../terminal/next-step-lines.ts';
import { alignedRows, painter, wrap } from '../terminal/terminal-text.ts';
import type { Tone } from '../terminal/terminal-text.ts';
import type { TerminalOptions } from '../terminal/render-terminal-summary.ts';
import { effectText, verdictSigns, verdictTitles } from '../format/verdict-words.ts';
import { metricWords } from '../format/metric-words.ts';
import { plural } from '../format/numbers.ts';
import { typed } from '../format/rerun-command.ts';
import { gateRows, interimSentence, networkOf } from './gate-words.ts';

/** So many secondary metrics are named. */
const maxNamed = 8;

const toneOf: Readonly<Record<Gate['outcome'], Tone>> = {
  passed: 'better',
  worse: 'worse',
  undecided: 'inconclusive',
};

function firstOf(items: readonly string[]): string {
  const rest = items.length - maxNamed;
  return `${items.slice(0, maxNamed).join(', ')}${rest > 0 ? `, and ${rest} more in gate.json` : ''}`;
}

/** Narrow terminals get the arms by their labels, and no interval. */
function narrowRows(gate: Gate): string[][] {
  const rows = gate.comparisons.map((comparison) => [
    `${verdictSigns[comparison.verdict]} ${verdictTitles[comparison.verdict]}`,
    `${candidateNameOfLabel(comparison.candidateArm)}${networkOf(comparison, gate)}: ${metricWords(comparison.metric).title}`,
    effectText(comparison),
    `${comparison.blocks}`,
  ]);
  return [['verdict', 'candidate', 'change', 'blocks'], ...rows];
}

/** The table in the form that fits; none where not even the narrow one does. */
function fittingTable(gate: Gate, width: number): string[] {
  const forms = [gateRows(gate), narrowRows(gate)].map(alignedRows);
  return forms.find((lines) => lines.every((line) => [...line].length <= width)) ?? [];
}

/** Who gains and who loses, and who is not in it; the segments are in the comment and in the report. */
function usersOf({ audience }: Gate): readonly string[] {
  return audience === undefined ? [] : [...audience.noticeableSentences, ...audience.coverageSentences];
}

/** The gate in a terminal: outcome, table where it fits, every comparison in words, whose fault it is, warnings. */
export function renderGateText(gate: Gate, { columns, colour }: TerminalOptions): string {
  const width = Math.max(40, columns || 80);
  const paint = painter(colour);
  const table = fittingTable(gate, width);
  const first = gate.firstScreen.warnings ?? [];
  const rest = gate.warnings.length - first.length;
  return [
    '',
    ...gate.headline.flatMap((line) => wrap(line, width)).map((line) => paint(line, toneOf[gate.outcome])),
    ...wrap(interimSentence(gate), width),
    '',
    ...(gate.comparisons.length > 0 ? [...table, ''] : []),
    ...gate.comparisons.flatMap(({ sentence }) => wrap(`- ${sentence}`, width)),
    ...usersOf(gate).flatMap((sentence) => wrap(`- ${sentence}`, width)),
    ...gate.attribution.flatMap(({ sentence }) => wrap(`- ${sentence}`, width)),
    ...(gate.reasons ?? []).flatMap((sentence) => wrap(`- ${sentence}`, width)),
    ...nextStepLines(gate.next ?? [], width),
    ...(gate.bisect === undefined ? [] : wrap(`To come closer to the change: ${typed(gate.bisect)}`, width)),
    ...(gate.secondaryWorse.length > 0
      ? wrap(`Secondary metrics that look worse and fail nothing: ${firstOf(gate.secondaryWorse)}.`, width)
      : []),
    ...first.flatMap((warning) => wrap(`Warning: ${warning}`, width)),
    ...(rest > 0
      ? [`${first.length > 0 ? `and ${plural(rest, 'more warning')}` : plural(rest, 'warning')} in gate.json`]
      : []),
    '',
  ].join('\n');
}
