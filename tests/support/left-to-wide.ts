/**
 * Why `npm run test:all` skips a test: the same is tried in Chromium, and twice would take too long. False where
 * `npm run test:wide` asks for all of it.
 */
export const leftToWide: string | false =
  process.env['H2H3_TEST_WIDE'] === undefined && 'tried in Chromium; npm run test:wide tries Firefox too';

/** The options of a test that runs in each of two browsers and proves the same in both. */
export function inBrowser(name: string): { readonly skip: string | false } {
  return { skip: name === 'firefox' && leftToWide };
}
