import { markup, type Insert, type Markup } from './markup.ts';

/** A table that scrolls by itself where it is wider than the page; by keyboard too. */
export function scrolling(label: string, table: Markup): Markup {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}

/** A table whose columns need no more than their names. */
export function plainTable(columns: readonly string[], rows: Insert): Markup {
  const heads = columns.map((column) => markup`<th scope="col">${column}</th>`);
  return markup`<table class="plain"><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>`;
}
