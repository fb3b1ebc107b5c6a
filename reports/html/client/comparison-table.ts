import { formatCount, plural } from '../../format/numbers.ts';
import type { PageComparison } from '../page-data.ts';
import { comparisonRow } from '../sections/comparison-row.ts';
import { addressedName, chosen, remember } from './address.ts';
import { afterPaint } from './after-paint.ts';
import { comparisonsAsCsv } from './comparison-csv.ts';
import { filterOf, inOrder } from './comparison-order.ts';
import { copyText } from './copy.ts';
import { element } from './read-page.ts';
import type { Page } from './read-page.ts';
import { isOpen, toggleDetail } from './row-detail.ts';

/** Rows shown at once; a browser takes seconds to lay out thousands. */
const rowsAtOnce = 20;

/** Rows that one frame lays out; all at once would hold up the answer to the next click. */
const rowsInFrame = 6;

interface Table {
  readonly page: Page;
  readonly table: HTMLTableElement;
  readonly body: HTMLTableSectionElement;
  readonly form: HTMLFormElement;
  readonly more: HTMLElement;
  readonly rows: Map<string, HTMLTableRowElement>;
  /** All comparisons in the chosen order. */
  ordered: readonly PageComparison[];
  /** Those that pass the filters. */
  fitting: readonly PageComparison[];
  limit: number;
  /** What the address names; it stands first where its place lies beyond the rows shown. */
  named: PageComparison | undefined;
  /** Rows that the table shows once all are in place. */
  count: number;
  /** Rows that have yet to be put into the table, in their order. */
  missing: readonly PageComparison[];
  /** What the reader has chosen since the rows were last made, each in its turn. */
  changes: (() => void)[];
}

/** The row of a comparison, made when it is first shown; what it holds is escaped by `comparisonRow`. */
function rowOf({ rows }: Table, comparison: PageComparison): HTMLTableRowElement {
  const present = rows.get(comparison.id);
  if (present) return present;
  const template = document.createElement('template');
  template.innerHTML = comparisonRow(comparison).text;
  const row = template.content.firstElementChild as HTMLTableRowElement;
  rows.set(comparison.id, row);
  return row;
}

function closeAll({ body, page }: Table): void {
  for (const row of [...body.rows]) {
    const comparison = page.byId.get(row.id);
    if (comparison && isOpen(row)) toggleDetail(row, comparison, false, page);
  }
}

/** The first rows of those that fit; hundreds before the one that the address names would take seconds to lay out. */
function rowsShown({ fitting, limit, named }: Table): readonly PageComparison[] {
  const first = fitting.slice(0, limit);
  return named === undefined || !fitting.includes(named) || first.includes(named) ? first : [named, ...first];
}

/** Puts the next rows where they belong; what stood there before goes down and out at the end. */
function place(state: Table, portion: number): void {
  const { body, table, count: most } = state;
  const first = most - state.missing.length;
  state.missing.slice(0, portion).forEach((comparison, i) => {
    const row = rowOf(state, comparison);
    if (body.rows[first + i] !== row) body.insertBefore(row, body.rows[first + i] ?? null);
  });
  state.missing = state.missing.slice(portion);
  while (body.rows.length > most) body.lastElementChild?.remove();
  table.setAttribute('aria-busy', String(state.missing.length > 0));
}

/** Puts the rows still missing into the table, some with each frame. */
function placeWithFrames(state: Table): void {
  const waitedFor = state.missing;
  if (waitedFor.length === 0) return;
  afterPaint(() => {
    // Another choice of the reader has its own frames.
    if (state.missing !== waitedFor) return;
    place(state, rowsInFrame);
    placeWithFrames(state);
  });
}

/** Puts the rows that fit into the table and says in words how many they are. */
function refresh(state: Table): void {
  closeAll(state);
  state.fitting = state.ordered.filter(filterOf(state.form));
  const shown = rowsShown(state);
  const firstOther = shown.findIndex(({ id }, i) => state.body.rows[i]?.id !== id);
  state.count = shown.length;
  state.missing = firstOther < 0 ? [] : shown.slice(firstOther);
  place(state, rowsInFrame);
  placeWithFrames(state);
  const left = state.fitting.length - shown.length;
  state.more.hidden = left === 0;
  state.more.textContent = `Show ${formatCount(Math.min(left, rowsAtOnce))} more of ${formatCount(left)}`;
  element('shown').textContent =
    shown.length === 0
      ? 'No comparison fits these filters.'
      : `Showing ${formatCount(shown.length)} of ${plural(state.page.comparisons.length, 'comparison')}.`;
}

/** Makes the rows anew after a choice, when the control itself has shown it; choices in quick succession share that. */
function refreshSoon(state: Table, change: () => void): void {
  state.changes.push(change);
  state.table.setAttribute('aria-busy', 'true');
  if (state.changes.length > 1) return;
  afterPaint(() => {
    for (const listener of state.changes) listener();
    state.changes = [];
    refresh(state);
  });
}

function sortBy(state: Table, head: HTMLTableCellElement): void {
  const direction = head.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending';
  for (const other of state.table.querySelectorAll('[aria-sort]')) other.setAttribute('aria-sort', 'none');
  head.setAttribute('aria-sort', direction);
  refreshSoon(state, () => {
    const key = head.dataset['key'] ?? '';
    remember({ sort: `${key} ${direction}` });
    state.ordered = inOrder(state.page.comparisons, key, direction);
    state.named = undefined;
  });
}

/** Names of the controls of the filters; their values stand in the address under these names. */
const controls = ['text', 'kind', 'metric', 'verdict'] as const;

/** Puts the filters into the address; `primary` is written out, because its start depends on the run. */
function rememberFilters(form: HTMLFormElement): void {
  const values = new FormData(form);
  const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value : '');
  const entries = controls.map((name) => [name, textOf(values.get(name))] as const);
  remember({ ...Object.fromEntries(entries), primary: values.has('primary') ? 'yes' : 'no' });
}

/** Takes filters and order from the address. */
function restore(state: Table): void {
  const { form, table } = state;
  for (const name of controls) {
    const control = form.elements.namedItem(name);
    const value = chosen(name);
    if (value !== null && (control instanceof HTMLSelectElement || control instanceof HTMLInputElement))
      control.value = value;
  }
  const primary = form.elements.namedItem('primary');
  const wanted = chosen('primary');
  if (wanted !== null && primary instanceof HTMLInputElement) primary.checked = wanted === 'yes';
  const [key = '', direction] = (chosen('sort') ?? '').split(' ');
  const head = table.querySelector(`th[data-key="${CSS.escape(key)}"]`);
  if (!(head instanceof HTMLTableCellElement) || (direction !== 'ascending' && direction !== 'descending'))
    return;
  head.setAttribute('aria-sort', direction);
  state.ordered = inOrder(state.page.comparisons, key, direction);
}

function clearFilters(form: HTMLFormElement): void {
  for (const control of form.elements) {
    if (control instanceof HTMLSelectElement) control.selectedIndex = 0;
    else if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = false;
    else if (control instanceof HTMLInputElement) control.value = '';
  }
}

/** Shows the row that the address names, whatever the filters say, and opens it. */
function followAddress(state: Table): void {
  const comparison = state.page.byId.get(addressedName());
  for (const row of state.table.querySelectorAll('.marked')) row.classList.remove('marked');
  if (comparison === undefined) return;
  state.named = comparison;
  const fits = state.fitting.includes(comparison);
  if (!fits) clearFilters(state.form);
  if (!fits || !state.body.contains(rowOf(state, comparison))) refresh(state);
  if (state.missing.includes(comparison)) place(state, state.missing.length);
  const row = rowOf(state, comparison);
  row.classList.add('marked');
  toggleDetail(row, comparison, true, state.page);
  row.scrollIntoView({ block: 'start' });
  row.querySelector<HTMLElement>('.open-row')?.focus({ preventScroll: true });
}

function listen(state: Table): void {
  const { form, table, page } = state;
  const startOver = (): void => {
    refreshSoon(state, () => {
      state.limit = rowsAtOnce;
      state.named = undefined;
      rememberFilters(form);
    });
  };
  form.addEventListener('input', startOver);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    clearFilters(form);
    startOver();
  });
  state.more.addEventListener('click', () => {
    refreshSoon(state, () => {
      state.limit += rowsAtOnce;
    });
  });
  table.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const head = target.closest('th');
    if (target.closest('.sort') && head) sortBy(state, head);
    const row = target.closest('tr');
    const comparison = page.byId.get(row?.id ?? '');
    if (target.closest('.open-row') && row && comparison) {
      const open = !isOpen(row);
      target.closest('.open-row')?.setAttribute('aria-expanded', String(open));
      afterPaint(() => {
        toggleDetail(row, comparison, open && row.isConnected, page);
      });
    }
    // A link to the row that the address already names changes no address.
    if (target instanceof HTMLAnchorElement && target.hash.split('?')[0] === location.hash.split('?')[0])
      followAddress(state);
  });
  const copy = element('copy-table');
  copy.addEventListener('click', () => void copyText(comparisonsAsCsv(state.fitting), copy));
  addEventListener('hashchange', () => {
    followAddress(state);
  });
}

/** Sorting, filtering, opening rows and following links into the table. */
export function startComparisonTable(page: Page): void {
  const table = document.getElementById('comparison-table');
  const form = document.getElementById('filters');
  const body = table instanceof HTMLTableElement ? table.tBodies[0] : undefined;
  if (!(table instanceof HTMLTableElement) || !(form instanceof HTMLFormElement) || !body) return;
  const state: Table = {
    page,
    table,
    body,
    form,
    more: element('more-rows'),
    rows: new Map([...body.rows].map((row) => [row.id, row])),
    ordered: page.comparisons,
    fitting: [],
    limit: rowsAtOnce,
    named: undefined,
    count: 0,
    missing: [],
    changes: [],
  };
  restore(state);
  listen(state);
  refresh(state);
  followAddress(state);
}
