import { plural } from '../../format/numbers.ts';
import { takeaway } from '../../format/verdict-words.ts';
import type { PageComparison } from '../page-data.ts';
import { copyText, csvOf } from './copy.ts';
import { distributionFigure } from './distribution.ts';
import { figure, removeFigures } from './figure.ts';
import { element, make } from './read-page.ts';
import type { Page } from './read-page.ts';

interface Row {
  readonly row: HTMLTableRowElement;
  readonly comparison: PageComparison;
  readonly searchText: string;
}

function rowsOf(table: HTMLTableElement, page: Page): Row[] {
  return [...(table.tBodies[0]?.rows ?? [])].flatMap((row) => {
    const comparison = page.byId.get(row.id);
    if (comparison === undefined) return [];
    const searchText = [row.textContent, comparison.metricName, comparison.condition].join(' ').toLowerCase();
    return { row, comparison, searchText };
  });
}

/** Which rows the filters leave, and how many that is in words. */
function applyFilters(rows: readonly Row[], form: HTMLFormElement): void {
  const values = new FormData(form);
  const wanted = (name: string): string => {
    const value = values.get(name);
    return typeof value === 'string' ? value : '';
  };
  const words = wanted('text').toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { row, comparison, searchText } of rows) {
    const fits =
      (wanted('kind') === '' || comparison.kind === wanted('kind')) &&
      (wanted('metric') === '' || comparison.metricName === wanted('metric')) &&
      (wanted('verdict') === '' || comparison.verdict === wanted('verdict')) &&
      (!values.has('primary') || comparison.primary) &&
      words.every((word) => searchText.includes(word));
    row.hidden = !fits;
    if (fits) shown += 1;
  }
  element('shown').textContent =
    shown === 0
      ? 'No comparison fits these filters.'
      : `Showing ${shown} of ${plural(rows.length, 'comparison')}.`;
}

function closeDetails(table: HTMLTableElement): void {
  for (const detail of table.querySelectorAll('tr.detail')) {
    removeFigures(detail);
    detail.remove();
  }
  for (const button of table.querySelectorAll('.open-row[aria-expanded="true"]')) {
    button.setAttribute('aria-expanded', 'false');
  }
}

function keyOf(row: HTMLTableRowElement, column: number): string {
  const cell = row.cells[column];
  return cell?.dataset['k'] ?? cell?.textContent.toLowerCase() ?? '';
}

function compareKeys(a: string, b: string, numeric: boolean): number {
  if (a === '' || b === '') return 0;
  return numeric ? Number(a) - Number(b) : a.localeCompare(b, 'en', { numeric: true });
}

/** Sorts by a column; rows without a value stay last in both directions. */
function sortBy(rows: readonly Row[], table: HTMLTableElement, head: HTMLTableCellElement): void {
  const up = head.getAttribute('aria-sort') !== 'ascending';
  for (const other of table.tHead?.rows[0]?.cells ?? []) other.setAttribute('aria-sort', 'none');
  head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  closeDetails(table);
  const numeric = head.dataset['type'] === 'number' || head.dataset['key'] === 'verdict';
  const keyed = rows.map(({ row }) => ({ row, key: keyOf(row, head.cellIndex) }));
  keyed.sort((a, b) => {
    const absent = Number(a.key === '') - Number(b.key === '');
    return absent !== 0 ? absent : compareKeys(a.key, b.key, numeric) * (up ? 1 : -1);
  });
  table.tBodies[0]?.append(...keyed.map(({ row }) => row));
}

function detailOf(comparison: PageComparison, page: Page): HTMLElement {
  const spec = distributionFigure(comparison, page);
  const panel = make('div', {});
  if (spec === null) {
    panel.append(make('p', { class: 'empty' }, takeaway(comparison, page.candidate.title)));
  } else panel.append(figure(spec));
  const notes = [
    `Where: ${comparison.condition}.`,
    ...comparison.warnings.map((warning) => `Warning: ${warning}`),
  ];
  panel.append(
    make('ul', { class: 'warnings' }, ...notes.map((note) => make('li', {}, note))),
    make('p', {}, make('a', { href: `#${comparison.id}` }, 'Link to this comparison')),
  );
  return panel;
}

function toggle({ row, comparison }: Row, button: HTMLElement, page: Page, open: boolean): void {
  const next = row.nextElementSibling;
  const present = next?.classList.contains('detail') === true ? next : null;
  if (present !== null) {
    removeFigures(present);
    present.remove();
  }
  button.setAttribute('aria-expanded', String(open));
  if (!open) return;
  const cell = make('td', { colspan: String(row.cells.length) }, detailOf(comparison, page));
  row.after(make('tr', { class: 'detail' }, cell));
}

/** Turns the name of each row's workload into the button that opens the row. */
function addButtons(rows: readonly Row[], page: Page): void {
  for (const row of rows) {
    const name = row.row.cells[0]?.firstChild;
    if (!name) continue;
    const button = make('button', { type: 'button', class: 'open-row', 'aria-expanded': 'false' });
    name.replaceWith(button);
    button.append(name);
    button.addEventListener('click', () => {
      toggle(row, button, page, button.getAttribute('aria-expanded') !== 'true');
    });
  }
}

/** Shows the row that the address names, whatever the filters say, and opens it. */
function followAddress(rows: readonly Row[], form: HTMLFormElement, page: Page): void {
  const wanted = decodeURIComponent(location.hash.slice(1));
  const found = rows.find(({ row }) => row.id === wanted);
  for (const { row } of rows) row.classList.toggle('marked', row === found?.row);
  if (found === undefined) return;
  if (found.row.hidden) {
    for (const control of form.elements) {
      if (control instanceof HTMLInputElement) {
        control.checked = false;
        if (control.type === 'search') control.value = '';
      } else if (control instanceof HTMLSelectElement) control.selectedIndex = 0;
    }
    applyFilters(rows, form);
  }
  const button = found.row.querySelector<HTMLElement>('.open-row');
  if (button) toggle(found, button, page, true);
  found.row.scrollIntoView({ block: 'start' });
}

function tableAsCsv(rows: readonly Row[]): string {
  const head = [
    'workload',
    'condition',
    'metric',
    'unit',
    'baseline_median',
    'candidate_median',
    'ratio',
    'ratio_low',
    'ratio_high',
    'difference',
    'difference_low',
    'difference_high',
    'n',
    'adjusted_p',
    'verdict',
  ];
  const shown = rows
    .filter(({ row }) => !row.hidden)
    .map(({ comparison: one }) => [
      one.workload,
      one.condition,
      one.metricName,
      one.unit,
      one.baseline.median,
      one.candidate.median,
      one.ratio,
      one.ratioInterval?.[0] ?? null,
      one.ratioInterval?.[1] ?? null,
      one.difference,
      one.differenceInterval?.[0] ?? null,
      one.differenceInterval?.[1] ?? null,
      one.blocks,
      one.adjustedPValue ?? one.pValue,
      one.verdict,
    ]);
  return csvOf([head, ...shown]);
}

/** Sorting, filtering, opening rows and following links into the table. */
export function startComparisonTable(page: Page): void {
  const table = document.getElementById('comparison-table');
  const form = document.getElementById('filters');
  if (!(table instanceof HTMLTableElement) || !(form instanceof HTMLFormElement)) return;
  const rows = rowsOf(table, page);
  addButtons(rows, page);
  const refresh = (): void => {
    closeDetails(table);
    applyFilters(rows, form);
  };
  form.addEventListener('input', refresh);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  form.addEventListener('reset', () => {
    setTimeout(() => {
      const primary = form.elements.namedItem('primary');
      if (primary instanceof HTMLInputElement) primary.checked = false;
      refresh();
    });
  });
  for (const head of table.tHead?.rows[0]?.cells ?? []) {
    head.querySelector('button')?.addEventListener('click', () => {
      sortBy(rows, table, head);
    });
  }
  const copy = element('copy-table');
  copy.addEventListener('click', () => void copyText(tableAsCsv(rows), copy));
  applyFilters(rows, form);
  addEventListener('hashchange', () => {
    followAddress(rows, form, page);
  });
  followAddress(rows, form, page);
}
