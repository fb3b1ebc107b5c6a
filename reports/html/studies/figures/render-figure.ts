import { isMeasured, type StudyFigure } from '../../../../src/core/model/study-figure.ts';
import { markup, type Insert, type Markup } from '../../markup.ts';
import { drawClasses } from './classes.ts';
import { drawDistribution } from './distribution.ts';
import { heightPx, widthPx } from './frame.ts';
import { drawHeat, heatKeys } from './heat.ts';
import { key, lineKey } from './marks.ts';
import { drawPoints } from './points.ts';
import { drawStates } from './states.ts';

const drawings: Readonly<Record<StudyFigure['kind'], (figure: StudyFigure) => Markup>> = {
  points: drawPoints,
  values: drawDistribution,
  ratios: drawDistribution,
  heat: drawHeat,
  classes: drawClasses,
  states: drawStates,
};

const hasSeries = ({ kind }: StudyFigure): boolean => ['points', 'values', 'ratios'].includes(kind);

/** Whether there is anything to draw, published or measured. */
export function isDrawn(figure: StudyFigure): boolean {
  return isMeasured(figure) || figure.series.some(({ published }) => published.length > 0);
}

function keys(figure: StudyFigure): Insert {
  if (figure.kind === 'heat') return heatKeys(figure);
  if (!hasSeries(figure)) return '';
  const seriesKey = figure.kind === 'points' ? key : lineKey;
  return markup`<p class="sf-keys">${figure.series.map(({ name }, index) => markup`<span>${seriesKey(index)} ${name}</span>`)}</p>`;
}

interface FigureOptions {
  /** Whether its title is shown, where no heading says what it is of. */
  readonly titled: boolean;
  /** What was found here of it. */
  readonly found: Insert;
}

/** The drawing alone, as the inside of an SVG of `widthPx` by `heightPx`. */
export function drawFigure(figure: StudyFigure): Markup {
  return drawings[figure.kind](figure);
}

/** One figure of a study, drawn again: published values in one colour, ours with their intervals in another. */
export function renderFigure(figure: StudyFigure, { titled, found }: FigureOptions): Markup {
  const { title, place, shows } = figure;
  const state = isMeasured(figure) ? '' : ' Not measured here yet.';
  return markup`<figure class="sf"><svg viewBox="0 0 ${widthPx} ${heightPx}" role="img" aria-label="${`${title}, ${place}. ${shows}${state}`}">${drawFigure(figure)}</svg>${keys(figure)}<figcaption>${found}${titled && markup`<b>${title}.</b> `}Study, ${place}: ${shows}${state}</figcaption></figure>`;
}
