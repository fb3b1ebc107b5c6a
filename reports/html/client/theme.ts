import { chosen, remember } from './address.ts';
import { afterPaint } from './after-paint.ts';
import { element } from './read-page.ts';

const choices = ['automatic', 'light', 'dark'] as const;
const listeners: (() => void)[] = [];

/** Calls `redraw` whenever the page's colours have changed: by choice, by the system, or for print. */
export function onThemeChange(redraw: () => void): void {
  listeners.push(redraw);
}

/** Colours as they were last read; each reading makes the browser style the page anew. */
const palette = new Map<string, string>();

function tell(): void {
  palette.clear();
  for (const listener of listeners) listener();
}

/** A colour of the page's palette as it stands now. */
export function colour(name: string): string {
  const known = palette.get(name);
  if (known !== undefined) return known;
  const probe = element('theme');
  const before = probe.style.color;
  probe.style.color = `var(--${name})`;
  const value = getComputedStyle(probe).color;
  probe.style.color = before;
  palette.set(name, value);
  return value;
}

/** The same colour, see-through: 0 is invisible. */
export function faded(name: string, opacity: number): string {
  const channels = colour(name)
    .match(/[\d.]+/g)
    ?.slice(0, 3) ?? ['128', '128', '128'];
  return `rgba(${channels.join(', ')}, ${opacity})`;
}

/** On narrow screens the sections stand behind a button. */
function startMenu(): void {
  const menu = document.getElementById('menu');
  const sections = document.getElementById('sections');
  if (menu === null || sections === null) return;
  const show = (open: boolean): void => {
    sections.classList.toggle('open', open);
    menu.setAttribute('aria-expanded', String(open));
  };
  menu.addEventListener('click', () => {
    show(!sections.classList.contains('open'));
  });
  sections.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement) show(false);
  });
}

export function startTheme(): void {
  startMenu();
  const button = element('theme');
  const set = (choice: (typeof choices)[number]): void => {
    if (choice === 'automatic') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.setAttribute('data-theme', choice);
  };
  const say = (choice: (typeof choices)[number]): void => {
    const name = button.querySelector('.theme-name');
    if (name !== null) name.textContent = `Theme: ${choice}`;
  };
  let place = Math.max(
    0,
    choices.findIndex((choice) => choice === chosen('theme')),
  );
  set(choices[place] ?? 'automatic');
  say(choices[place] ?? 'automatic');
  button.addEventListener('click', () => {
    place = (place + 1) % choices.length;
    const choice = choices[place] ?? 'automatic';
    say(choice);
    // Other colours are another style of every element; the button has answered by then.
    afterPaint(() => {
      set(choice);
      remember({ theme: choice === 'automatic' ? '' : choice });
      tell();
    });
  });
  for (const query of ['(prefers-color-scheme: dark)', 'print']) {
    matchMedia(query).addEventListener('change', tell);
  }
}
