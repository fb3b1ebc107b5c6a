import type { BudgetVerdict } from '../../src/core/model/budget.ts';
import type { Gate } from '../../src/core/model/gate.ts';
import type { Verdict } from '../../src/core/model/summary.ts';

/** Colours of verdicts in pictures: those of the light scheme of pages (`reports/html/styles/base.css`). */
export const verdictColours: Readonly<Record<Verdict, string>> = {
  better: '#0b5fa5',
  worse: '#a63f00',
  equivalent: '#3d4a57',
  mixed: '#7a2a86',
  inconclusive: '#5b5470',
};

/** The disc that comes closest to a verdict's colour, for texts that can have no other: what is open has no colour. */
export const verdictDiscs: Readonly<Record<Verdict, string>> = {
  better: '🔵',
  worse: '🟠',
  equivalent: '⚫',
  mixed: '🟣',
  inconclusive: '⚪',
};

/** Of a gate's outcome. */
export const outcomeDiscs: Readonly<Record<Gate['outcome'], string>> = {
  passed: verdictDiscs.better,
  worse: verdictDiscs.worse,
  undecided: verdictDiscs.inconclusive,
};

/** Of what became of a budget, as pages colour it. */
export const budgetDiscs: Readonly<Record<BudgetVerdict, string>> = {
  kept: verdictDiscs.better,
  exceeded: verdictDiscs.worse,
  undecided: verdictDiscs.inconclusive,
};
