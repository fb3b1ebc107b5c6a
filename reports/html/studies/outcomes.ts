import type { Agreement } from '../../../src/core/model/published.ts';

const names: Readonly<Record<Agreement, string>> = {
  same: 'same',
  partly: 'open',
  other: 'other',
  undecided: 'open',
  'precondition absent': 'none',
  'no direction': 'none',
  'not measured': 'none',
};

/** An outcome has a colour that no series of a figure has. */
export const outcomeClass = (agreement: Agreement): string => `o-${names[agreement]}`;
