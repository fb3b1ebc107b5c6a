import type { BudgetReport, BudgetVerdict } from '../../src/core/model/budget.ts';
import type { TerminalOptions } from '../terminal/render-terminal-summary.ts';
import { painter, wrap, type Tone } from '../terminal/terminal-text.ts';

const toneOf: Readonly<Record<BudgetVerdict, Tone>> = {
  kept: 'better',
  exceeded: 'worse',
  undecided: 'inconclusive',
};

/** The budgets in a terminal: outcome, then each in words. */
export function renderBudgetsText(report: BudgetReport, { columns, colour }: TerminalOptions): string {
  const width = Math.max(40, columns || 80);
  const paint = painter(colour);
  return [
    ...report.headline
      .flatMap((line) => wrap(line, width))
      .map((line) => paint(line, toneOf[report.outcome])),
    ...report.checks.flatMap(({ sentence }) => wrap(`- ${sentence}`, width)),
    '',
  ].join('\n');
}
