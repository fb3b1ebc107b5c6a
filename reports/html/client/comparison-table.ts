import { formatCount, plural } from '../../format/numbers.ts';
import type { PageComparison } from '../page-data.ts';
import { comparisonRow } from '../sections/comparison-row.ts';
import { copyText, csvOf } from './copy.ts';
import { element } from './read-page.ts';
import type { Page } from './read-page.ts';
import { addOpener, toggleDetail } from './row-detail.ts';

interface Row {
  readonly row: HTMLTableRowElement;
  readonly comparison: PageComparison;
  readonly searchText: string;
}

/** Adds the rows that the page's markup left out; what they hold is escaped by `comparisonRow`. */
function addRows(body: HTMLTableSectionElement, page: Page): void {
  const rest = page.comparisons.slice(body.rows.length);
  body.insertAdjacentHTML('beforeend', rest.map((one) => comparisonRow(one).text).join(''));
}

function rowsOf(body: HTMLTableSectionElement, page: Page): Row[] {
  return [...body.rows].flatMap((row) => {
    const comparison = page.byId.get(row.id);
    if (comparison === undefined) return [];
    addOpener(row, comparison);
    const { workload, metric, metricName, condition, verdict } = comparison;
    return {
      row,
      comparison,
      searchText: [workload, metric, metricName, condition, verdict].join(' ').toLowerCase(),
    };
  });
}

function wantedOf(form: HTMLFormElement): (comparison: PageComparison, searchText: string) => boolean {
  const values = new FormData(form);
  const wanted = (name: string): string => {
    const value = values.get(name);
    return typeof value === 'string' ? value : '';
  };
  const [kind, metric, verdict] = [wanted('kind'), wanted('metric'), wanted('verdict')];
  const words = wanted('text').toLowerCase().split(/\s+/).filter(Boolean);
  return (one, searchText) =>
    (kind === '' || one.kind === kind) &&
    (metric === '' || one.metricName === metric) &&
    (verdict === '' || one.verdict === verdict) &&
    (!values.has('primary') || one.primary) &&
    words.every((word) => searchText.includes(word));
}

/** Hides the rows that the filters do not want, closes what is open, and says in words how many are left. */
function applyFilters(rows: readonly Row[], form: HTMLFormElement): void {
  const fits = wantedOf(form);
  let shown = 0;
  for (const { row, comparison, searchText } of rows) {
    toggleDetail(row, comparison, false);
    row.hidden = !fits(comparison, searchText);
    if (!row.hidden) shown += 1;
  }
  element('shown').textContent =
    shown === 0
      ? 'No comparison fits these filters.'
      : `Showing ${formatCount(shown)} of ${plural(rows.length, 'comparison')}.`;
}

function keyOf(row: HTMLTableRowElement, column: number): string {
  const cell = row.cells[column];
  return cell?.dataset['k'] ?? cell?.textContent.toLowerCase() ?? '';
}

const inWords = new Intl.Collator('en', { numeric: true });

/** Sorts by a column; rows without a value stay last in both directions. */
function sortBy(rows: readonly Row[], body: HTMLTableSectionElement, head: HTMLTableCellElement): void {
  const up = head.getAttribute('aria-sort') !== 'ascending';
  for (const other of head.parentElement?.querySelectorAll('[aria-sort]') ?? [])
    other.setAttribute('aria-sort', 'none');
  head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  const numeric = head.dataset['type'] === 'number';
  const compare = (a: string, b: string): number => (numeric ? Number(a) - Number(b) : inWords.compare(a, b));
  const keyed = rows.map(({ row, comparison }) => {
    toggleDetail(row, comparison, false);
    return { row, key: keyOf(row, head.cellIndex) };
  });
  keyed.sort((a, b) => Number(a.key === '') - Number(b.key === '') || compare(a.key, b.key) * (up ? 1 : -1));
  body.append(...keyed.map(({ row }) => row));
}

function clearFilters(form: HTMLFormElement): void {
  for (const control of form.elements) {
    if (control instanceof HTMLSelectElement) control.selectedIndex = 0;
    else if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = false;
    else if (control instanceof HTMLInputElement) control.value = '';
  }
}

/** Shows the row that the address names, whatever the filters say, and opens it. */
function followAddress(rows: readonly Row[], form: HTMLFormElement): void {
  const wanted = decodeURIComponent(location.hash.slice(1));
  const found = rows.find(({ row }) => row.id === wanted);
  for (const { row } of rows) row.classList.toggle('marked', row === found?.row);
  if (found === undefined) return;
  if (found.row.hidden) {
    clearFilters(form);
    applyFilters(rows, form);
  }
  toggleDetail(found.row, found.comparison, true);
  found.row.scrollIntoView({ block: 'start' });
  found.row.querySelector<HTMLElement>('.open-row')?.focus({ preventScroll: true });
}

const csvColumns: readonly (readonly [string, (one: PageComparison) => string | number | null])[] = [
  ['workload', ({ workload }) => workload],
  ['condition', ({ condition }) => condition],
  ['metric', ({ metricName }) => metricName],
  ['unit', ({ unit }) => unit],
  ['baseline_median', ({ baseline }) => baseline.median],
  ['candidate_median', ({ candidate }) => candidate.median],
  ['ratio', ({ ratio }) => ratio],
  ['ratio_low', ({ ratioInterval }) => ratioInterval?.[0] ?? null],
  ['ratio_high', ({ ratioInterval }) => ratioInterval?.[1] ?? null],
  ['difference', ({ difference }) => difference],
  ['difference_low', ({ differenceInterval }) => differenceInterval?.[0] ?? null],
  ['difference_high', ({ differenceInterval }) => differenceInterval?.[1] ?? null],
  ['n', ({ blocks }) => blocks],
  ['p', ({ pValue }) => pValue],
  ['adjusted_p', ({ adjustedPValue }) => adjustedPValue],
  ['verdict', ({ verdict }) => verdict],
];

function shownAsCsv(rows: readonly Row[]): string {
  const shown = rows.filter(({ row }) => !row.hidden);
  return csvOf([
    csvColumns.map(([name]) => name),
    ...shown.map(({ comparison }) => csvColumns.map(([, valueOf]) => valueOf(comparison))),
  ]);
}

/** Sorting, filtering, opening rows and following links into the table. */
export function startComparisonTable(page: Page): void {
  const table = document.getElementById('comparison-table');
  const form = document.getElementById('filters');
  if (!(table instanceof HTMLTableElement) || !(form instanceof HTMLFormElement)) return;
  const body = table.tBodies[0];
  if (body === undefined) return;
  addRows(body, page);
  const rows = rowsOf(body, page);
  const refresh = (): void => {
    applyFilters(rows, form);
  };
  form.addEventListener('input', refresh);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    clearFilters(form);
    refresh();
  });
  for (const head of table.tHead?.rows[0]?.cells ?? []) {
    head.querySelector('button')?.addEventListener('click', () => {
      sortBy(rows, body, head);
    });
  }
  const copy = element('copy-table');
  copy.addEventListener('click', () => void copyText(shownAsCsv(rows), copy));
  refresh();
  addEventListener('hashchange', () => {
    followAddress(rows, form);
  });
  // A link to the row that the address already names changes no address.
  table.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement && target.hash === location.hash) followAddress(rows, form);
  });
  followAddress(rows, form);
}
