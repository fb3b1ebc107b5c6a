import { element } from './read-page.ts';

const choices = ['automatic', 'light', 'dark'] as const;
const listeners: (() => void)[] = [];

/** Calls `redraw` whenever the page's colours have changed: by choice, by the system, or for print. */
export function onThemeChange(redraw: () => void): void {
  listeners.push(redraw);
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** A colour of the page's palette as it stands now. */
export function colour(name: string): string {
  const probe = element('theme');
  const before = probe.style.color;
  probe.style.color = `var(--${name})`;
  const value = getComputedStyle(probe).color;
  probe.style.color = before;
  return value;
}

/** The same colour, see-through: 0 is invisible. */
export function faded(name: string, opacity: number): string {
  const channels = colour(name)
    .match(/[\d.]+/g)
    ?.slice(0, 3) ?? ['128', '128', '128'];
  return `rgba(${channels.join(', ')}, ${opacity})`;
}

export function startTheme(): void {
  const button = element('theme');
  let chosen = 0;
  button.addEventListener('click', () => {
    chosen = (chosen + 1) % choices.length;
    const choice = choices[chosen] ?? 'automatic';
    if (choice === 'automatic') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.setAttribute('data-theme', choice);
    const name = button.querySelector('.theme-name');
    if (name !== null) name.textContent = `Theme: ${choice}`;
    tell();
  });
  for (const query of ['(prefers-color-scheme: dark)', 'print']) {
    matchMedia(query).addEventListener('change', tell);
  }
}
