import { chosen, remember } from './address.ts';

const inWords = new Intl.Collator('en', { numeric: true });

function sortKey(row: HTMLTableRowElement, column: number): string {
  const cell = row.cells[column];
  return cell?.dataset['sort'] ?? cell?.textContent ?? '';
}

type Direction = 'ascending' | 'descending';

function sortBy(table: HTMLTableElement, head: HTMLTableCellElement, direction: Direction): void {
  for (const other of table.querySelectorAll('[aria-sort]')) other.setAttribute('aria-sort', 'none');
  head.setAttribute('aria-sort', direction);
  const sign = direction === 'ascending' ? 1 : -1;
  for (const body of table.tBodies) {
    const rows = [...body.rows].map((row) => ({ row, key: sortKey(row, head.cellIndex) }));
    // What is unknown comes last in both directions.
    rows.sort((a, b) =>
      a.key === '' || b.key === ''
        ? Number(a.key === '') - Number(b.key === '')
        : sign * inWords.compare(a.key, b.key),
    );
    body.append(...rows.map(({ row }) => row));
  }
}

/** Makes the heads with a `.sort` button sort the rows by `data-sort`, or by their text; the order stands in the address. */
export function startSortableTable(table: HTMLTableElement): void {
  table.addEventListener('click', ({ target }) => {
    const head = target instanceof Element ? target.closest('th') : null;
    if (head === null || !(target instanceof Element) || target.closest('.sort') === null) return;
    const direction = head.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending';
    remember({ sort: `${head.cellIndex} ${direction}` });
    sortBy(table, head, direction);
  });
  const [column = '', direction] = (chosen('sort') ?? '').split(' ');
  const head = table.tHead?.rows[0]?.cells[Number(column)];
  if (column !== '' && head !== undefined && (direction === 'ascending' || direction === 'descending'))
    sortBy(table, head, direction);
}
