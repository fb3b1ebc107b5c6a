interface SavedOrigin {
  readonly origin: string;
  readonly localStorage: readonly { readonly name: string; readonly value: string }[];
}

/** Runs before every document's scripts: what the page changed since stays as it is. */
export function fillStorage(saved: readonly SavedOrigin[]): void {
  const items = saved.find(({ origin }) => origin === location.origin)?.localStorage ?? [];
  for (const { name, value } of items)
    if (localStorage.getItem(name) === null) localStorage.setItem(name, value);
}
