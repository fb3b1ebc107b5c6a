import { plural } from '../../format/numbers.ts';
import { startSortableTable } from './sortable-table.ts';
import { startTheme } from './theme.ts';

document.documentElement.classList.add('scripted');
startTheme();

const table = document.querySelector<HTMLTableElement>('#runs');
const form = document.querySelector<HTMLFormElement>('#run-filter');
const shown = document.querySelector('#shown');

if (table !== null && form !== null && shown !== null) {
  startSortableTable(table);
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  form.addEventListener('input', () => {
    const value = new FormData(form).get('text');
    const words = (typeof value === 'string' ? value : '').toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    const left = rows.filter(({ hidden }) => !hidden).length;
    shown.textContent =
      left === rows.length ? `${plural(left, 'run')}.` : `${left} of ${plural(rows.length, 'run')}.`;
  });
}
