import type { RunComparison, RunDifference } from '../../src/core/model/run-comparison.ts';
import { isNumber } from '../format/numbers.ts';
import { verdictOrder, verdictSigns, verdictTitles } from '../format/verdict-words.ts';
import type { TerminalOptions } from './render-terminal-summary.ts';
import { painter, wrap } from './terminal-text.ts';

/** Differences between two runs, a line each. */
export function differenceLines(differences: readonly RunDifference[]): string[] {
  return differences.map(({ what, a, b }) => `${what}: ${a} | ${b}`);
}

/** What stands in the terminal after `compare`: words, counts, what else differs. Ends in a newline. */
export function renderRunComparisonText(comparison: RunComparison, options: TerminalOptions): string {
  const columns = isNumber(options.columns) ? Math.max(40, options.columns) : 80;
  const paint = painter(options.colour);
  const { headline, caution, differences, contrasts, warnings } = comparison;
  const counts = (['gap', 'level'] as const).map((kind) => {
    const own = contrasts.filter(({ what }) => what === kind);
    const parts = verdictOrder.map(
      (verdict) =>
        `${verdictSigns[verdict]} ${own.filter((contrast) => contrast.verdict === verdict).length} ${verdictTitles[verdict]}`,
    );
    return `${kind === 'gap' ? 'Gaps between arms' : 'Single arms'}: ${parts.join(', ')}`;
  });
  const grave = differences.filter(({ refuses }) => refuses);
  return [
    '',
    ...headline.flatMap((sentence) => wrap(sentence, columns)).map((line) => paint(line, 'bold')),
    '',
    ...counts.flatMap((line) => wrap(line, columns)),
    '',
    ...wrap(`Caution: ${caution}`, columns),
    ...(grave.length > 0 ? wrap('These runs are not comparable. The figures were forced.', columns) : []),
    ...differenceLines(differences).flatMap((line) => wrap(`Differs: ${line}`, columns, '  ')),
    ...warnings.flatMap((warning) => wrap(`Warning: ${warning}`, columns)),
    '',
  ].join('\n');
}
