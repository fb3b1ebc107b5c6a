import { sentenceCase } from '../../src/core/model/sentence-case.ts';
import type { Agreement, AgreementKind, AgreementRow } from '../../src/core/model/agreement.ts';
import { armTitle } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { plural } from '../format/numbers.ts';
import { effectText, intervalText, verdictTitles } from '../format/verdict-words.ts';
import { plain, table } from './markdown-text.ts';

/** What one comparison does, and what several do, in the order in which they are said. */
const kinds: readonly (readonly [AgreementKind, several: string])[] = [
  ['agrees', 'agree'],
  ['agrees in direction', 'agree in direction'],
  ['differs', 'differ'],
  ['not decided', 'not decided'],
];

/** `5 primary comparisons: 3 agree, 1 differs …`, in one sentence. */
export function agreementSentence({ rows }: Agreement): string {
  const primary = rows.filter(({ primary: isPrimary }) => isPrimary);
  const counts = kinds.flatMap(([kind, several]) => {
    const count = primary.filter(({ agreement }) => agreement === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? kind : several}`];
  });
  if (primary.length === 0) return 'No primary comparison could be matched.';
  return `Of ${plural(primary.length, 'primary comparison')}: ${counts.join(', ')}.`;
}

/** Verdict, estimate and interval in one cell. */
const measuredText = (measured: AgreementRow['original']): string =>
  `${verdictTitles[measured.verdict]}, ${effectText(measured)} (${intervalText(measured)})`;

/** What a row compares, without the values. */
export function rowWords({ metric, workload, client, network, arms }: AgreementRow): string {
  const sides = `${armTitle(arms[1])} against ${armTitle(arms[0])}`;
  return `${metricWords(metric).title}, ${sides} (${workload}, ${client}, ${network})`;
}

/** The table of agreement: what differs between the machines first, then each comparison twice. */
export function renderAgreementMarkdown(agreement: Agreement): string {
  const { differences, rows, trials, unmatched } = agreement;
  const lost = trials.again.invalid + trials.again.failed;
  return `${[
    '# Measured again',
    agreementSentence(agreement),
    differences.length === 0
      ? 'Machine and programs are the same.'
      : table(
          ['differs', 'original', 'here'],
          differences.map(({ what, a, b }) => [what, a, b].map(plain)),
        ),
    table(
      ['comparison', 'original', 'here', 'agreement'],
      rows.map((row) =>
        [rowWords(row), measuredText(row.original), measuredText(row.again), sentenceCase(row.agreement)].map(
          plain,
        ),
      ),
    ),
    `Trials here: ${plural(trials.again.ok, 'valid trial')}, ${lost} lost.${unmatched === 0 ? '' : ` Only one of the runs has ${plural(unmatched, 'comparison')}.`}`,
  ].join('\n\n')}\n`;
}
