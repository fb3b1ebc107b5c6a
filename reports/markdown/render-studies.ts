import type { ExperimentResult, Studies } from '../../src/model/studies.ts';
import { runState } from '../format/run-state.ts';
import { code, plain, table } from './markdown-text.ts';

const agreementWords = {
  same: 'same direction',
  other: '**other direction**',
  partly: 'partly the same',
  undecided: 'undecided',
  'no direction': '–',
  'not measured': 'not measured',
} as const;

/** Longest list of comparisons in one cell; the report of the run has all. */
const mostShown = 4;

/** The page of all experiments as Markdown: a row for each published figure. */
export function renderStudiesMarkdown({ experiments }: Studies): string {
  const rows = experiments.flatMap(rowsOf);
  return `${table(['id', 'experiment', 'published', 'measured here', 'direction'], rows)}\n`;
}

function rowsOf(result: ExperimentResult): string[][] {
  const { id, preset, title, study, place, needs, run, figures } = result;
  const head = [id, `${code(preset)}: ${plain(title)} (${plain(`${study}, ${place}`)})`];
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
      agreementWords[figure.agreement],
    ];
  });
}
