import { cut } from '../../../src/core/model/cut.ts';
import { betterIsLeft } from '../../format/change-axis.ts';
import { dumbbellOf } from '../../format/dumbbell-rows.ts';
import type { Dumbbell } from '../../format/dumbbell-rows.ts';
import { dumbbellSvg } from '../../svg/dumbbell.ts';
import { Markup, markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

/** Longer names of arms are cut below the picture. */
const maxArmCharacters = 40;

/** The picture of the first screen: baseline to candidate on one axis. */
export function dumbbellFigure({ summary, labels }: ReportContext): Markup {
  return figureOf(dumbbellOf(summary, labels));
}

/** The same of any rows; nothing without rows. */
export function figureOf(dumbbell: Dumbbell): Markup {
  if (dumbbell.rows.length === 0) return markup``;
  const { baseline, candidate, metric } = dumbbell;
  return markup`<figure class="dumbbell-figure" id="picture">${new Markup(dumbbellSvg(dumbbell))}
    <figcaption>${metric !== '' && markup`<b>${metric}</b>`} <span>${betterIsLeft}</span> <span class="k-from">${cut(baseline, maxArmCharacters)}</span> <span class="k-to">${cut(candidate, maxArmCharacters)}</span> <span class="k-i">interval</span> <span class="k-band">too small to matter</span></figcaption></figure>`;
}
