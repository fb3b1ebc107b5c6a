import type { Agreement } from '../../../src/core/model/published.ts';

const names: Readonly<Record<Agreement, string>> = {
  same: 'same',
  partly: 'partly',
  other: 'other',
  undecided: 'open',
  'no direction': 'none',
  'not measured': 'none',
};

/** An outcome has a colour that no series of a figure has. */
export const outcomeClass = (agreement: Agreement): string => `o-${names[agreement]}`;
