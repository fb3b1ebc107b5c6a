import type { RunComparison, RunContrast } from '../../src/model/run-comparison.ts';
import { csvText } from './csv-text.ts';
import type { CsvField } from './csv-text.ts';

const columns: readonly (readonly [string, (contrast: RunContrast) => CsvField])[] = [
  ['what', ({ what }) => what],
  ['workload', ({ workload }) => workload],
  ['workload_kind', ({ workloadKind }) => workloadKind],
  ['client', ({ client }) => client],
  ['network', ({ network }) => network],
  ['server', ({ server }) => server],
  ['metric', ({ metric }) => metric],
  ['unit', ({ unit }) => unit],
  ['arms', ({ arms }) => arms.join(' ')],
  ['primary', ({ primary }) => primary],
  ['a_n', ({ a }) => a.n],
  ['a_median', ({ a }) => a.median],
  ['b_n', ({ b }) => b.n],
  ['b_median', ({ b }) => b.median],
  ['ratio', ({ ratio }) => ratio],
  ['ratio_low', ({ ratioInterval }) => ratioInterval?.[0]],
  ['ratio_high', ({ ratioInterval }) => ratioInterval?.[1]],
  ['difference', ({ difference }) => difference],
  ['difference_low', ({ differenceInterval }) => differenceInterval?.[0]],
  ['difference_high', ({ differenceInterval }) => differenceInterval?.[1]],
  ['margin', ({ margin }) => margin],
  ['p_value', ({ pValue }) => pValue],
  ['adjusted_p_value', ({ adjustedPValue }) => adjustedPValue],
  ['cliffs_delta', ({ cliffsDelta }) => cliffsDelta],
  ['verdict', ({ verdict }) => verdict],
  ['reason', ({ reason }) => reason],
];

/** One row a contrast between two runs. */
export function renderContrastsCsv({ contrasts }: RunComparison): string {
  return csvText([
    columns.map(([name]) => name),
    ...contrasts.map((contrast) => columns.map(([, valueOf]) => valueOf(contrast))),
  ]);
}
