import type { RunComparison, RunContrast } from '../../src/core/model/run-comparison.ts';
import { effectColumns, placeColumns, verdictColumns } from './comparison-columns.ts';
import { csvTable, type CsvColumn } from './csv-text.ts';

const columns: readonly CsvColumn<RunContrast>[] = [
  ['what', ({ what }) => what],
  ...placeColumns,
  ['arms', ({ arms }) => arms.join(' ')],
  ['primary', ({ primary }) => primary],
  ['a_n', ({ a }) => a.n],
  ['a_median', ({ a }) => a.median],
  ['b_n', ({ b }) => b.n],
  ['b_median', ({ b }) => b.median],
  ...effectColumns,
  ...verdictColumns,
];

/** One row a contrast between two runs. */
export function renderContrastsCsv({ contrasts }: RunComparison): string {
  return csvTable(columns, contrasts);
}
