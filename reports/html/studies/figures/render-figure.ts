import { isMeasured, type StudyFigure } from '../../../../src/model/study-figure.ts';
import { markup, type Insert, type Markup } from '../../markup.ts';
import { drawClasses } from './classes.ts';
import { drawDistribution } from './distribution.ts';
import { heightPx, widthPx } from './frame.ts';
import { drawHeat } from './heat.ts';
import { key } from './marks.ts';
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
  if (!hasSeries(figure)) return '';
  return markup`<p class="sf-keys">${figure.series.map(({ name }, index) => markup`<span>${key(index)} ${name}</span>`)}</p>`;
}

/**
 * One figure of a study, drawn again: published values in one colour, ours with their intervals in another.
 *
 * @param titled whether its title is shown, where no heading says what it is of
 */
export function renderFigure(figure: StudyFigure, { titled }: { readonly titled: boolean }): Markup {
  const { title, place, shows } = figure;
  const state = isMeasured(figure) ? '' : ' Not measured here yet.';
  return markup`<figure class="sf"><svg viewBox="0 0 ${widthPx} ${heightPx}" role="img" aria-label="${`${title}, ${place}. ${shows}${state}`}">${drawings[figure.kind](figure)}</svg>${keys(figure)}<figcaption>${titled && markup`<b>${title}</b>, `}${place}: ${shows}${state}</figcaption></figure>`;
}
