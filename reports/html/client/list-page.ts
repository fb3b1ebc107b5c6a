import { formatCount } from '../../format/numbers.ts';
import { csvOf, copyText } from './copy.ts';
import { chosen, remember, startAddress } from './address.ts';
import { startPicking } from './pick-two.ts';
import { startSortableTable } from './sortable-table.ts';
import { startTheme } from './theme.ts';

/** The script of pages that are one table: the list of runs, the comparison of two runs. */
document.documentElement.classList.add('scripted');
startTheme();
startPicking();

const table = document.querySelector<HTMLTableElement>('#rows');
const form = document.querySelector<HTMLFormElement>('#row-filter');
const shown = document.querySelector('#shown');

function rowsOf(from: HTMLTableElement): HTMLTableRowElement[] {
  return [...from.tBodies].flatMap((body) => [...body.rows]);
}

function cells(row: HTMLTableRowElement): string[] {
  return [...row.cells].map((cell) => cell.dataset['csv'] ?? cell.innerText.replace(/\s+/g, ' ').trim());
}

if (table !== null && form !== null && shown !== null) {
  startSortableTable(table);
  const [one = 'row', many = 'rows'] = (table.dataset['nouns'] ?? '').split('|');
  const say = (left: number, all: number): void => {
    const noun = all === 1 ? one : many;
    shown.textContent =
      left === all ? `${formatCount(all)} ${noun}.` : `${formatCount(left)} of ${formatCount(all)} ${noun}.`;
  };
  const filter = (): void => {
    const values = new FormData(form);
    const words = [...values.values()]
      .flatMap((value) => (typeof value === 'string' ? value.toLowerCase().split(/\s+/) : []))
      .filter(Boolean);
    const rows = rowsOf(table);
    for (const row of rows) {
      const text = (row.dataset['text'] ?? row.textContent).toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    say(rows.filter(({ hidden }) => !hidden).length, rows.length);
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  const fields = [...form.elements].filter(
    (field) => field instanceof HTMLInputElement || field instanceof HTMLSelectElement,
  );
  for (const field of fields) field.value = chosen(field.name) ?? field.value;
  form.addEventListener('input', () => {
    remember(Object.fromEntries(fields.map(({ name, value }) => [name, value])));
    filter();
  });
  const [search] = fields.filter(({ type }) => type === 'search');
  table.addEventListener('click', ({ target }) => {
    if (search === undefined || !(target instanceof HTMLElement) || !target.matches('.find')) return;
    search.value = search.value === target.innerText ? '' : target.innerText;
    search.dispatchEvent(new Event('input', { bubbles: true }));
  });
  filter();
  startAddress();
  const copy = form.querySelector<HTMLButtonElement>('#copy-rows');
  copy?.addEventListener('click', () => {
    const head = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.innerText.trim());
    const visible = rowsOf(table).filter(({ hidden }) => !hidden);
    void copyText(csvOf([head, ...visible.map(cells)]), copy);
  });
}
