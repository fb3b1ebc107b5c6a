import { markup } from './markup.ts';
import type { Markup } from './markup.ts';

/** A table that scrolls by itself where it is wider than the page; by keyboard too. */
export function scrolling(label: string, table: Markup): Markup {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}
