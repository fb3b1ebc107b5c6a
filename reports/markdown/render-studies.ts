import type { ExperimentResult, Studies } from '../../src/core/model/studies.ts';
import { agreementText, campaignWords, isUnexplained } from '../format/agreement-words.ts';
import { runState } from '../format/run-state.ts';
import { code, plain, table } from './markdown-text.ts';

const heads = ['id', 'experiment', 'published', 'measured here', 'outcome', 'size'];

/** Longest list of comparisons in one cell; the page has all. */
const maxShown = 4;

/** The page of all experiments as Markdown: a row for each published result. */
export function renderStudiesMarkdown({ experiments }: Studies): string {
  const isLater = ({ question }: ExperimentResult): boolean => question !== undefined;
  const rows = experiments.filter((experiment) => !isLater(experiment)).flatMap(rowsOf);
  const later = experiments.filter(isLater).flatMap(rowsOf);
  return [
    table(heads, rows),
    ...(later.length === 0 ? [] : ['', '## Research after the four studies', '', table(heads, later)]),
    '',
  ].join('\n');
}

function rowsOf(result: ExperimentResult): string[][] {
  const { id, preset, title, study, place, needs, run, results, differs, question } = result;
  const asked = question === undefined ? '' : ` ${plain(question)}`;
  const head = [id, `${code(preset)}: ${plain(title)} (${plain(`${study}, ${place}`)})${asked}`];
  if (needs !== undefined) return [[...head, '', `unsupported: needs ${plain(needs)}`, '', '']];
  if (run === undefined || results.length === 0) return [[...head, '', 'not run', '', '']];
  return results.map((published, index) => {
    const { experiment, figure, source, ours, agreement, sizeWords } = published;
    const shown = ours
      .slice(0, maxShown)
      .map(({ place: where, text }) => (where === '' ? text : `${text} (${where})`));
    const more = ours.length - shown.length;
    const measured = [
      ...shown,
      ...(more > 0 ? [`and ${more} more on the page`] : []),
      ...(index === 0 ? [runState(run)] : []),
    ];
    return [
      ...(index === 0 ? head : ['', '']),
      plain(`${experiment}: ${figure} (${source})`),
      measured.map(plain).join('<br>') || 'not measured in this run',
      [
        [plain(agreementText(published)), campaignWords(published)].filter(Boolean).join(', '),
        ...(differs !== undefined && isUnexplained(agreement) ? [`Set-ups differ: ${plain(differs)}`] : []),
      ].join('. '),
      sizeWords,
    ];
  });
}
