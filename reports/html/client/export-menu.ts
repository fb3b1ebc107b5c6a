import { formatNumber } from '../../format/numbers.ts';
import { copyText, csvOf } from './copy.ts';
import { make } from './read-page.ts';

type Rows = readonly (readonly (string | number | null)[])[];

/** What a reader may take out of a figure. */
export interface Exported {
  /** Of the figure; buttons of several figures have the same words otherwise. */
  readonly title: string;
  /** What the menu is called where it is no figure's. */
  readonly summary?: string;
  /** The numbers behind it; the first row is the head. */
  readonly rows: () => Rows;
  /** Files of its picture. */
  readonly picture?: {
    readonly savePng?: () => void;
    readonly saveSvg: () => void;
    readonly print: () => void;
  };
  /** Further ways out, such as a link. */
  readonly further?: readonly HTMLElement[];
}

/** Rows as a table, the first row its head. */
function valuesTable(rows: Rows): HTMLElement {
  const [head = [], ...body] = rows;
  const cell = (value: string | number | null): string =>
    typeof value === 'number' ? formatNumber(value, 5) : (value ?? '');
  return make(
    'table',
    { class: 'plain' },
    make('thead', {}, make('tr', {}, ...head.map((value) => make('th', { scope: 'col' }, cell(value))))),
    make(
      'tbody',
      {},
      ...body.map((row) => make('tr', {}, ...row.map((value) => make('td', { class: 'num' }, cell(value))))),
    ),
  );
}

function button(words: string, title: string): HTMLButtonElement {
  return make('button', { type: 'button', 'aria-label': `${words}: ${title}` }, words);
}

/** The one menu of a figure: its numbers as a table and as CSV, and its picture. */
export function exportMenu({
  title,
  summary = 'Values and export',
  rows,
  picture,
  further = [],
}: Exported): HTMLElement {
  const csv = button('Copy CSV', title);
  csv.addEventListener('click', () => void copyText(csvOf(rows()), csv));
  const ways: readonly (readonly [string, (() => void) | undefined])[] = [
    ['Save PNG', picture?.savePng],
    ['Save SVG', picture?.saveSvg],
    ['Print or PDF', picture?.print],
  ];
  const buttons = [csv];
  for (const [words, way] of ways) {
    if (way === undefined) continue;
    const other = button(words, title);
    other.addEventListener('click', way);
    buttons.push(other);
  }
  const values = make('div', {
    class: 'values',
    tabindex: '0',
    role: 'region',
    'aria-label': `Values: ${title}`,
  });
  const details = make(
    'details',
    {},
    make('summary', {}, summary),
    make('div', { class: 'ways-out' }, ...buttons, ...further),
    values,
  );
  details.addEventListener('toggle', () => {
    if (details.open && values.childElementCount === 0) values.append(valuesTable(rows()));
  });
  return make('div', { class: 'tools' }, details);
}
