import { copyText } from './copy.ts';

/** So many runs are compared at a time. */
const wanted = 2;

/**
 * Two runs ticked in the list give the page that compares them, or the command where no server could make it; the older one
 * first. A third takes the place of the first.
 */
export function startPicking(): void {
  const line = document.querySelector<HTMLElement>('#compare-two');
  if (!line) return;
  const code = line.querySelector('code');
  const link = line.querySelector('a');
  const button = line.querySelector('button');
  const picked: HTMLInputElement[] = [];
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.classList.contains('pick')) return;
    const place = picked.indexOf(target);
    if (place >= 0) picked.splice(place, 1);
    if (target.checked) picked.push(target);
    const dropped = picked.length > wanted ? picked.shift() : undefined;
    if (dropped !== undefined) dropped.checked = false;
    line.hidden = picked.length < wanted;
    const oldestFirst = picked.toSorted((a, b) =>
      (a.dataset['started'] ?? '') < (b.dataset['started'] ?? '') ? -1 : 1,
    );
    if (code !== null)
      code.textContent = ['npx h2h3 compare', ...oldestFirst.map(({ value }) => value)].join(' ');
    const [a = '', b = ''] = oldestFirst.map(({ dataset }) => dataset['folder']);
    if (link !== null) link.href = `compare?${new URLSearchParams({ a, b }).toString()}`;
  });
  button?.addEventListener('click', () => void copyText(code?.textContent ?? '', button));
}
