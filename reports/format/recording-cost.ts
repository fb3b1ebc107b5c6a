import type { Summary } from '../../src/core/model/summary.ts';
import type { Dumbbell, DumbbellRow } from './dumbbell-rows.ts';
import { armTitle } from './labels.ts';
import { formatSignedPercent } from './numbers.ts';

/** How much longer pages of each arm load while they are recorded; the arm's timed trials are the baseline. */
export function recordingRows({ instrumentationOverhead }: Summary): DumbbellRow[] {
  return instrumentationOverhead.cost.map(({ arm, ratio }) => {
    const percent = (ratio - 1) * 100;
    const effect = formatSignedPercent(percent);
    const name = armTitle(arm);
    return {
      name,
      leads: true,
      higherIsBetter: false,
      medians: '',
      effect,
      verdict: 'inconclusive',
      estimate: percent,
      interval: null,
      margin: null,
      words: `${name}: ${effect}`,
    };
  });
}

/** The picture of it. */
export function recordingDumbbell(summary: Summary): Dumbbell {
  return {
    rows: recordingRows(summary),
    metric: 'page load time',
    baseline: 'timed trials',
    candidate: 'recorded trials',
  };
}

/** The same in a sentence. */
export function recordingSentence(summary: Summary): string {
  const costs = recordingRows(summary).map(({ name, effect }) => `${name} ${effect}`);
  return costs.length === 0
    ? 'No arm has both timed and recorded trials.'
    : `Recording changes load times: ${costs.join(', ')}.`;
}
