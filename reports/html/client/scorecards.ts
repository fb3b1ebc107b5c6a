import { chosen, remember } from './address.ts';
import { afterPaint } from './after-paint.ts';

/** Rows that a folded scorecard shows where its markup does not say. */
const rowsFolded = 10;

/** Rows that one frame lays out; a hundred at once would hold up the next paint. */
const rowsInFrame = 6;

function rowsOf(table: HTMLTableElement): HTMLTableRowElement[] {
  return [...(table.tBodies[0]?.rows ?? [])];
}

/** Shows the rows of a folded scorecard, some with each frame. */
function unfold(table: HTMLTableElement): void {
  const hidden = rowsOf(table).filter((row) => row.classList.contains('extra'));
  for (const row of hidden.slice(0, rowsInFrame)) row.classList.remove('extra');
  if (hidden.length <= rowsInFrame) {
    table.classList.remove('folded');
    return;
  }
  afterPaint(() => {
    unfold(table);
  });
}

const latestOrder = new WeakMap<HTMLTableElement, readonly HTMLTableRowElement[]>();

/** Rows of a scorecard, worst first or as they come. The markup has the place of each in both orders. */
function order(table: HTMLTableElement, worstFirst: boolean): void {
  const rows = rowsOf(table);
  const place = (row: HTMLTableRowElement): number =>
    Number(row.dataset[worstFirst ? 'worst' : 'place'] ?? 0);
  const ordered = rows.toSorted((a, b) => place(a) - place(b));
  if (!latestOrder.has(table) && ordered.every((row, i) => row === rows[i])) return;
  // A folded table shows as many rows as before, those that come first now; a long one fills up again with the frames.
  const isFolded = table.classList.contains('folded');
  const folded = rows.findIndex((row) => row.classList.contains('extra'));
  const shown = folded < 0 ? rowsFolded : folded;
  const isLong = rows.length > shown;
  ordered.forEach((row, i) => row.classList.toggle('extra', isLong && i >= shown));
  table.classList.toggle('folded', isLong);
  latestOrder.set(table, ordered);
  table.tBodies[0]?.prepend(...ordered.slice(0, shown));
  // Those out of sight come with the next frame, unless the reader has chosen another order by then.
  afterPaint(() => {
    if (latestOrder.get(table) !== ordered) return;
    table.tBodies[0]?.append(...ordered.slice(shown));
    if (isLong && !isFolded) unfold(table);
  });
}

function unfoldAll(): void {
  for (const button of document.querySelectorAll('.unfold')) button.remove();
  afterPaint(() => {
    for (const table of document.querySelectorAll<HTMLTableElement>('table.folded')) unfold(table);
  });
}

/** Unfolding of long scorecards, and their order by what fared worst. */
export function startScorecards(): void {
  for (const button of document.querySelectorAll('.unfold-scorecard'))
    button.addEventListener('click', unfoldAll);
  const toggle = document.getElementById('worst-first');
  if (!(toggle instanceof HTMLInputElement)) return;
  const apply = (): void => {
    for (const table of document.querySelectorAll<HTMLTableElement>('table.scorecard'))
      order(table, toggle.checked);
  };
  const restore = (): void => {
    toggle.checked = chosen('order') === 'worst';
    apply();
  };
  toggle.addEventListener('change', () => {
    remember({ order: toggle.checked ? 'worst' : '' });
    afterPaint(apply);
  });
  addEventListener('hashchange', restore);
  restore();
}
