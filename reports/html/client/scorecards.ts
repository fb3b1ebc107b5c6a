import { chosen, remember } from './address.ts';

/** Rows of a scorecard, worst first or as they come. The markup has the place of each in both orders. */
function order(table: HTMLTableElement, worstFirst: boolean): void {
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  const place = (row: HTMLTableRowElement): number =>
    Number(row.dataset[worstFirst ? 'worst' : 'place'] ?? 0);
  table.tBodies[0]?.append(...rows.toSorted((a, b) => place(a) - place(b)));
}

function unfold(): void {
  for (const table of document.querySelectorAll('table.folded')) table.classList.remove('folded');
  for (const button of document.querySelectorAll('.unfold')) button.remove();
}

/** Unfolding of long scorecards, and their order by what fared worst. */
export function startScorecards(): void {
  for (const button of document.querySelectorAll('.unfold-scorecard'))
    button.addEventListener('click', unfold);
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
    apply();
  });
  addEventListener('hashchange', restore);
  restore();
}
