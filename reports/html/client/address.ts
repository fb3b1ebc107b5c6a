/**
 * What stands behind # in the address: an anchor, and behind a ? the reader's choices, so that a link leads others to the
 * same view and a reload keeps it.
 */
function parts(): readonly [anchor: string, choices: string] {
  const [anchor = '', choices = ''] = location.hash.slice(1).split('?');
  return [anchor, choices];
}

/** What the address names; nothing where its escapes are broken. */
export function addressedName(): string {
  try {
    return decodeURIComponent(parts()[0]);
  } catch {
    return ''; // such an address names nothing on the page
  }
}

/** A choice that the address carries; null where it carries none. */
export function chosen(name: string): string | null {
  return new URLSearchParams(parts()[1]).get(name);
}

/** Puts choices into the address; an empty value takes one out. No step back is made of it. */
export function remember(choices: Readonly<Record<string, string>>): void {
  const [anchor, before] = parts();
  const all = new URLSearchParams(before);
  for (const [name, value] of Object.entries(choices)) {
    if (value === '') all.delete(name);
    else all.set(name, value);
  }
  const text = all.toString();
  const hash = `#${anchor}${text === '' ? '' : `?${text}`}`;
  if (hash !== (location.hash || '#')) history.replaceState(history.state, '', hash);
}

/** Links with choices name no element for the browser to scroll to, so this does. Choices of the view stay. */
export function startAddress(): void {
  const scroll = (): void => {
    if (parts()[1] === '') return;
    document.getElementById(addressedName())?.scrollIntoView({ block: 'start' });
  };
  // Links to another part of the page keep the theme and other choices.
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href') ?? '';
    const choices = parts()[1];
    if (!href.startsWith('#') || choices === '' || event.defaultPrevented) return;
    const [anchor = '', own = ''] = href.slice(1).split('?');
    const all = new URLSearchParams(choices);
    for (const [name, value] of new URLSearchParams(own)) all.set(name, value);
    event.preventDefault();
    location.hash = `${anchor}?${all.toString()}`;
  });
  addEventListener('hashchange', scroll);
  scroll();
}
