import { sentenceCase } from '../../../src/core/model/sentence-case.ts';
import type { Agreement, PublishedResult } from '../../../src/core/model/published.ts';
import type { ExperimentResult } from '../../../src/core/model/studies.ts';
import type { StudyFigure } from '../../../src/core/model/study-figure.ts';
import { agreementMarks, agreementWords } from '../../format/agreement-words.ts';
import { markup, type Insert, type Markup } from '../markup.ts';
import { outcomeClass } from './outcomes.ts';

/** So many results fit below a picture: the table has all. */
const maxShown = 2;

/** So many comparisons of one result are said. */
const maxSaid = 2;

/** Change and interval of a result, of each of its first comparisons. */
function effectWords({ ours }: Pick<PublishedResult, 'ours'>): string {
  const said = ours.slice(0, maxSaid).map(({ change }) => change);
  const more = ours.length - said.length;
  return more > 0 ? `${said.join(', ')}, ${more} more` : said.join(' and ');
}

/** What is contradicted is said first, for nobody to overlook it. */
const order: readonly Agreement[] = ['other', 'same', 'undecided', 'precondition absent'];

/** A place in a study by kind, number and panel: `figure`, `4`, `c`. */
interface FigureCell {
  readonly kind: string;
  readonly number: string;
  readonly panel: string;
}

const namesOfPlaces = /\b(section|figure|table)s? ([\dIVX][\w.-]*(?:(?:, | and )[\dIVX][\w.-]*)*)/g;

/** The places that a text names: `section 3.3, figures 4 and 8` has three. */
function placesIn(text: string): FigureCell[] {
  return [...text.matchAll(namesOfPlaces)].flatMap(([, kind = '', numbers = '']) =>
    numbers.split(/, | and /).map((name): FigureCell => {
      const [, number = name, panel = ''] = /^(\d+|[IVX]+)([a-z])$/.exec(name) ?? [];
      return { kind, number, panel };
    }),
  );
}

/** A figure and one of its panels are the same place, and two of its panels are not. */
function isSamePlace(a: FigureCell, b: FigureCell): boolean {
  return (
    a.kind === b.kind && a.number === b.number && (a.panel === b.panel || a.panel === '' || b.panel === '')
  );
}

/** A result of a figure or a table is not one of all others in its section. */
function narrowest(places: readonly FigureCell[]): readonly FigureCell[] {
  const numbered = places.filter(({ kind }) => kind !== 'section');
  return numbered.length > 0 ? numbered : places;
}

function isAt(figure: StudyFigure, text: string): boolean {
  const places = narrowest(placesIn(figure.place));
  return narrowest(placesIn(text)).some((own) => places.some((place) => isSamePlace(own, place)));
}

/**
 * Of figures at one place each shows what is of its metrics: shares of loads in classes, values elsewhere. A figure that is
 * alone at its place may show them in another unit, as rates for shares.
 */
function resultsOf(
  figure: StudyFigure,
  { figures, results }: Pick<ExperimentResult, 'figures' | 'results'>,
): PublishedResult[] {
  const there = results.filter(({ source }) => isAt(figure, source));
  const ofMetric = there.filter(
    ({ metric, atMost }) =>
      figure.metrics.includes(metric) && (atMost !== undefined) === (figure.kind === 'classes'),
  );
  const isAlone = figures.filter(({ place }) => isAt(figure, place)).length === 1;
  return ofMetric.length === 0 && isAlone ? there : ofMetric;
}

/** One of each outcome before a second of any. Those without a direction are said where no other was measured. */
function shownOf(results: readonly PublishedResult[]): PublishedResult[] {
  const measured = results.filter(({ ours }) => ours.some(({ effect }) => effect !== null));
  const directed = order.flatMap((agreement) => {
    const those = measured.filter((result) => result.agreement === agreement);
    return those.length === 0 ? [] : [those];
  });
  const groups = directed.length > 0 ? directed : [measured];
  const firsts = groups.flatMap(([first]) => first ?? []);
  const others = groups.flatMap(([, ...more]) => more);
  const shown = new Set([...firsts, ...others].slice(0, maxShown));
  return [...groups.flat()].filter((result) => shown.has(result));
}

function clause(agreement: Agreement, those: readonly PublishedResult[]): Markup {
  const each = those.map(
    (result) =>
      `${result.experiment} ${effectWords(result)}${result.afterTheFact === true ? ', judged after the fact' : ''}`,
  );
  return markup`<b class="${outcomeClass(agreement)}">${agreementMarks[agreement]} ${sentenceCase(agreementWords[agreement])}:</b> ${each.join(', ')}. `;
}

/** What was found here of a figure, as one line; nothing where no published result is of its place. */
export function figureResults(
  figure: StudyFigure,
  experiment: Pick<ExperimentResult, 'figures' | 'results'>,
): Insert {
  const shown = Map.groupBy(shownOf(resultsOf(figure, experiment)), ({ agreement }) => agreement);
  if (shown.size === 0) return '';
  return markup`<p class="sf-result">${[...shown].map(([agreement, those]) => clause(agreement, those))}</p>`;
}
