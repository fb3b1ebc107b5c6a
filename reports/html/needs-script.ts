import { markup } from './markup.ts';

/** Stands where the page's script draws plots. */
export const needsScript = markup`<noscript
  ><p class="empty">Plots need JavaScript. The tables have all their numbers.</p></noscript
>`;
