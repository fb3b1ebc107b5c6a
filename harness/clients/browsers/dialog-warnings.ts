import { startOfText } from '../../../src/core/model/cut-text.ts';

const maxNamed = 3;
const maxCharacters = 100;

/** What a trial says of dialogs that were answered while it ran: the page stood still for each. */
export function dialogWarnings(asked: readonly string[]): string[] {
  if (asked.length === 0) return [];
  const named = asked.slice(0, maxNamed).map((text) => startOfText(text, maxCharacters));
  const more = asked.length > named.length ? ', …' : '';
  return [`dialogs of the page that were answered with yes (${asked.length}): ${named.join(', ')}${more}`];
}
