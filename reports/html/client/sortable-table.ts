const inWords = new Intl.Collator('en', { numeric: true });

function keyOf(row: HTMLTableRowElement, column: number): string {
  const cell = row.cells[column];
  return cell?.dataset['sort'] ?? cell?.textContent ?? '';
}

function sortBy(table: HTMLTableElement, head: HTMLTableCellElement): void {
  const direction = head.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending';
  for (const other of table.querySelectorAll('[aria-sort]')) other.setAttribute('aria-sort', 'none');
  head.setAttribute('aria-sort', direction);
  const sign = direction === 'ascending' ? 1 : -1;
  for (const body of table.tBodies) {
    const rows = [...body.rows].map((row) => ({ row, key: keyOf(row, head.cellIndex) }));
    // What is unknown comes last in both directions.
    rows.sort((a, b) =>
      a.key === '' || b.key === ''
        ? Number(a.key === '') - Number(b.key === '')
        : sign * inWords.compare(a.key, b.key),
    );
    body.append(...rows.map(({ row }) => row));
  }
}

/** Makes the heads with a `.sort` button sort the rows by `data-sort`, or by their text. */
export function startSortableTable(table: HTMLTableElement): void {
  table.addEventListener('click', ({ target }) => {
    const head = target instanceof Element ? target.closest('th') : null;
    if (head !== null && target instanceof Element && target.closest('.sort') !== null) sortBy(table, head);
  });
}
