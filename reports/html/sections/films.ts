import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';

/** A film of both arms side by side that lies next to the report. */
export interface ReportFilm {
  /** What it shows: page, and which of its blocks. */
  readonly title: string;
  /** Relative to the report. */
  readonly webm: string;
  readonly webp: string;
}

/** Films to look at, to keep and to send; nothing where there are none. */
export function films(all: readonly ReportFilm[]): Markup {
  if (all.length === 0) return markup``;
  const items = all.map(
    ({ title, webm, webp }) => markup`<figure>
      <video controls muted loop playsinline preload="none" poster="${webp}" aria-label="${title}"><source src="${webm}" type="video/webm"></video>
      <figcaption>${title}. <a href="${webm}" download>WebM</a> <a href="${webp}" download>WebP for pull requests</a></figcaption>
    </figure>`,
  );
  return markup`<section id="films" aria-labelledby="films-title">
    <h2 id="films-title">Side by side</h2>
    <p class="note">Both on one clock at true speed. Speed Index chose the blocks: the one closest to the result, the best and the worst for the candidate.</p>
    <div class="figures pair">${items}</div>
  </section>`;
}
