/** The page's results up to now, as a string of JSON; null where the page offers none. */
export function sessionSoFar(): string | null {
  const page = globalThis as { h2h3SessionSoFar?: () => unknown };
  return page.h2h3SessionSoFar === undefined ? null : JSON.stringify(page.h2h3SessionSoFar());
}
