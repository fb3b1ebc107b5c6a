import { takeaway } from '../../format/verdict-words.ts';
import type { PageComparison } from '../page-data.ts';
import { distributionFigure } from './distribution.ts';
import { figure, removeFigures } from './figure.ts';
import { make } from './read-page.ts';

function detailOf(comparison: PageComparison): HTMLElement {
  const spec = distributionFigure(comparison);
  const evidence =
    spec === null
      ? make('p', { class: 'empty' }, takeaway(comparison, comparison.candidate.title))
      : figure(spec);
  const notes = [comparison.condition, ...comparison.warnings.map((warning) => `Warning: ${warning}`)];
  return make(
    'div',
    {},
    evidence,
    make('ul', { class: 'warnings' }, ...notes.map((note) => make('li', {}, note))),
    make('a', { href: `#${comparison.id}` }, 'Link to this comparison'),
  );
}

function detailBelow(row: HTMLTableRowElement): Element | null {
  const next = row.nextElementSibling;
  return next?.classList.contains('detail') === true ? next : null;
}

/** Opens or closes the evidence below a row. */
export function toggleDetail(row: HTMLTableRowElement, comparison: PageComparison, open: boolean): void {
  const present = detailBelow(row);
  row.querySelector('.open-row')?.setAttribute('aria-expanded', String(open));
  if (open && present === null) {
    const cell = make('td', { colspan: String(row.cells.length) }, detailOf(comparison));
    row.after(make('tr', { class: 'detail' }, cell));
  } else if (!open && present !== null) {
    removeFigures(present);
    present.remove();
  }
}

/** Turns the name of a row's workload into the button that opens the row. */
export function addOpener(row: HTMLTableRowElement, comparison: PageComparison): void {
  const name = row.cells[0]?.firstChild;
  if (!name) return;
  const button = make('button', { type: 'button', class: 'open-row', 'aria-expanded': 'false' });
  name.replaceWith(button);
  button.append(name);
  button.addEventListener('click', () => {
    toggleDetail(row, comparison, button.getAttribute('aria-expanded') !== 'true');
  });
}
