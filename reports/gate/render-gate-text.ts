import type { Gate } from '../../src/model/gate.ts';
import { painter, wrap } from '../terminal/terminal-text.ts';
import type { Tone } from '../terminal/terminal-text.ts';
import type { TerminalOptions } from '../terminal/render-terminal-summary.ts';
import { gateRows, lookSentence } from './gate-words.ts';

const mostWarnings = 8;
const toneOf: Readonly<Record<Gate['outcome'], Tone>> = {
  passed: 'better',
  worse: 'worse',
  undecided: 'inconclusive',
};

function firstOf(items: readonly string[]): string {
  const rest = items.length - mostWarnings;
  return `${items.slice(0, mostWarnings).join('; ')}${rest > 0 ? `; and ${rest} more in gate.json` : ''}`;
}

function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length)))
      .join('  ')
      .trimEnd(),
  );
}

/** Columns that stay where the whole table is too wide: all; without interval and margin; verdict, arms and change. */
const columnChoices: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6, 7],
  [0, 1, 2, 3, 6, 7],
  [0, 2, 3, 6],
];

/** The table with as many columns as the terminal is wide; none where not even the fewest fit. */
function fittingTable(rows: readonly (readonly string[])[], width: number): string[] {
  for (const columns of columnChoices) {
    const lines = tableLines(rows.map((row) => columns.map((column) => row[column] ?? '')));
    if (lines.every((line) => [...line].length <= width)) return lines;
  }
  return [];
}

/** The gate in a terminal: outcome, table where it fits, every comparison in words, whose fault it is, warnings. */
export function renderGateText(gate: Gate, { columns, colour }: TerminalOptions): string {
  const width = Math.max(40, columns || 80);
  const paint = painter(colour);
  const table = fittingTable(gateRows(gate), width);
  const rest = gate.warnings.length - mostWarnings;
  return [
    '',
    ...gate.headline.flatMap((line) => wrap(line, width)).map((line) => paint(line, toneOf[gate.outcome])),
    ...wrap(lookSentence(gate), width),
    '',
    ...(gate.comparisons.length > 0 ? [...table, ''] : []),
    ...gate.comparisons.flatMap(({ sentence }) => wrap(`- ${sentence}`, width)),
    ...gate.attribution.flatMap(({ sentence }) => wrap(`- ${sentence}`, width)),
    ...(gate.secondaryWorse.length > 0
      ? wrap(`Secondary metrics that look worse and fail nothing: ${firstOf(gate.secondaryWorse)}.`, width)
      : []),
    ...gate.warnings.slice(0, mostWarnings).flatMap((warning) => wrap(`Warning: ${warning}`, width)),
    ...(rest > 0 ? [`and ${rest} more warnings in gate.json`] : []),
    '',
  ].join('\n');
}
