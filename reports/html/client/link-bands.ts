import type { PageLinkBand } from '../page-data.ts';
import { faded } from './theme.ts';

interface Drawn {
  readonly ctx: CanvasRenderingContext2D;
  readonly chartArea: {
    readonly top: number;
    readonly height: number;
    readonly left: number;
    readonly right: number;
  };
  readonly scales: { readonly x: { getPixelForValue(value: number): number } };
}

/** How dark a band is: darker where nothing passes. */
const opacityOf = (isSilent: boolean): number => (isSilent ? 0.4 : 0.12);

/** Behind the lines of a chart over seconds, bands where a schedule changed the link. */
export function linkBandPlugin(bands: readonly PageLinkBand[]): object {
  return {
    id: 'link-bands',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }: Drawn) => {
      const { top, height, left, right } = chartArea;
      const within = (ms: number): number =>
        Math.min(right, Math.max(left, scales.x.getPixelForValue(ms / 1000)));
      for (const [fromMs, toMs, isSilent] of bands) {
        const fromPx = within(fromMs);
        ctx.fillStyle = faded('soft', opacityOf(isSilent));
        ctx.fillRect(fromPx, top, Math.max(1, within(toMs) - fromPx), height);
      }
    },
  };
}

/** Bands named in the words of a picture before the rest is counted. */
const maxNamed = 3;

/** What the bands are; empty where there are none. */
export function linkBandWords(bands: readonly PageLinkBand[]): string {
  if (bands.length === 0) return '';
  const named = bands.slice(0, maxNamed).map(([, , , words]) => words);
  const more = bands.length - named.length;
  return ` Grey bands, set by the link’s schedule: ${[...named, ...(more > 0 ? [`${more} more`] : [])].join('. ')}.`;
}
