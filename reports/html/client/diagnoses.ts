import { addressedName } from './address.ts';
import { flameFigure } from './flame-figure.ts';
import { figure } from './figure.ts';
import { make } from './read-page.ts';
import type { Page } from './read-page.ts';
import { timeLineFigures } from './time-lines.ts';

function fill(holder: HTMLElement, { diagnoses }: Page): void {
  if (holder.childElementCount > 0) return;
  const diagnosis = diagnoses[Number(holder.dataset['diagnosis'])];
  if (diagnosis === undefined || diagnosis === null) return;
  holder.append(
    ...timeLineFigures(diagnosis).map(figure),
    ...diagnosis.flames.map((graph) => flameFigure(graph, diagnosis)),
  );
  if (diagnosis.leftOut.length > 0) {
    const words = `There is no room here for ${diagnosis.leftOut.join(' and ')}. See summary.json.`;
    holder.append(make('p', { class: 'empty' }, words));
  }
}

/** A folded explanation that the address names is unfolded; browsers do it for some addresses only. */
function followAddress(): void {
  const name = addressedName();
  const target = name.startsWith('why-') ? document.getElementById(name) : null;
  const folded = target?.closest('details');
  if (target === null || folded === null || folded === undefined || folded.open) return;
  folded.open = true;
  target.scrollIntoView({ block: 'start' });
}

/** Draws what was recorded of each difference when it comes near the screen, and all of it before print. */
export function startDiagnoses(page: Page): void {
  const holders = [...document.querySelectorAll<HTMLElement>('.diagnosis-plots')];
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting && target instanceof HTMLElement) {
          near.unobserve(target);
          fill(target, page);
        }
    },
    { rootMargin: '300px' },
  );
  for (const holder of holders) near.observe(holder);
  addEventListener('beforeprint', () => {
    for (const holder of holders) fill(holder, page);
  });
  addEventListener('hashchange', followAddress);
  followAddress();
}
