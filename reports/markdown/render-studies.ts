import type { ExperimentResult, Studies } from '../../src/model/studies.ts';
import { runState } from '../format/run-state.ts';
import { isUnexplained, signWords } from '../format/sign-words.ts';
import { code, plain, table } from './markdown-text.ts';

const agreementWords = {
  same: 'same direction',
  'same, small': 'same direction, too small to call',
  other: '**opposite direction**',
  partly: 'partly the same',
  undecided: 'not decided',
  'no direction': '–',
  'not measured': 'not measured',
} as const;

const heads = ['id', 'experiment', 'published', 'measured here', 'direction'];

/** Longest list of comparisons in one cell; the report of the run has all. */
const mostShown = 4;

/** The page of all experiments as Markdown: the directions that count, then a row for each published figure. */
export function renderStudiesMarkdown({ experiments, signs }: Studies): string {
  const isLater = ({ question }: ExperimentResult): boolean => question !== undefined;
  const rows = experiments.filter((experiment) => !isLater(experiment)).flatMap(rowsOf);
  const later = experiments.filter(isLater).flatMap(rowsOf);
  const signRows = signs.map((sign) => [
    plain(sign.words),
    sign.evidence.map((evidenceSign) => plain(signWords(evidenceSign))).join('<br>'),
    agreementWords[sign.agreement],
  ]);
  return [
    ...(signs.length === 0 ? [] : [table(['wanted', 'measured here', 'direction'], signRows), '']),
    table(heads, rows),
    ...(later.length === 0 ? [] : ['', '## Research after the four studies', '', table(heads, later)]),
    '',
  ].join('\n');
}

function rowsOf(result: ExperimentResult): string[][] {
  const { id, preset, title, study, place, needs, run, figures, differs, question } = result;
  const asked = question === undefined ? '' : ` ${plain(question)}`;
  const head = [id, `${code(preset)}: ${plain(title)} (${plain(`${study}, ${place}`)})${asked}`];
  if (needs !== undefined) return [[...head, '', `unsupported: needs ${plain(needs)}`, '']];
  if (run === undefined || figures.length === 0) return [[...head, '', 'not run', '']];
  return figures.map((figure, index) => {
    const shown = figure.ours.slice(0, mostShown).map(({ place: where, text }) => `${text} (${where})`);
    const more = figure.ours.length - shown.length;
    const measured = [
      ...shown,
      ...(more > 0 ? [`and ${more} more in the report`] : []),
      ...(index === 0 ? [runState(run)] : []),
    ];
    return [
      ...(index === 0 ? head : ['', '']),
      plain(`${figure.experiment}: ${figure.figure} (${figure.source})`),
      measured.map(plain).join('<br>') || 'not measured in this run',
      differs !== undefined && isUnexplained(figure.agreement)
        ? `${agreementWords[figure.agreement]}. Set-ups differ: ${plain(differs)}`
        : agreementWords[figure.agreement],
    ];
  });
}
