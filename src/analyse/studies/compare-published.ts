import { metricDefinition } from '../../core/metrics/registry.ts';
import { instrumentationOf } from '../../core/metrics/metric.ts';
import type { Names } from '../../core/model/names.ts';
import type { PublishedComparison, PublishedFigure } from '../../core/model/published.ts';
import { reasonOf, writtenReason, type Reason } from '../../core/model/reasons.ts';
import { unmetDemand } from './unmet-demand.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { locationTests, testMargin, type LocationTest } from '../statistics/location-test.ts';
import { describeSample } from '../statistics/quantile.ts';
import { counted } from '../figures/figures.ts';
import { blocksToDecide } from './blocks-to-decide.ts';
import { blockEffects, contrastsOf, type Contrasts } from './contrasts.ts';
import { changeText, placeWords, publishedWords } from './published-words.ts';
import type { PublishedPlace } from './published-places.ts';
import { valuesOf } from './study-cells.ts';

const level = 0.95;
const alpha = 1 - level;

/** By how much more recording slows one arm than the other where a place was recorded: the bound of the logarithm. */
export type OverheadBound = (place: PublishedPlace) => number | undefined;

type Judged = Pick<PublishedComparison, 'outcome' | 'reason' | 'reasonCode'>;

/** An interval that lies wholly beyond the margin on one side, and stays there when lost trials count against it. */
function sideOf(contrasts: Contrasts, test: LocationTest, widerBy: number): -1 | 0 | 1 {
  const beyond = contrasts.margin + widerBy;
  const at = (lostAs: number | null): -1 | 0 | 1 => {
    const [interval] = test.locate(blockEffects(contrasts, lostAs), [level]).intervals;
    if (interval === null || interval === undefined) return 0;
    if (interval[0] > beyond) return 1;
    return interval[1] < -beyond ? -1 : 0;
  };
  const side = at(null);
  return side === 0 || at(-side) === side ? side : 0;
}

/** Whether an effect within the margin is shown (two one-sided tests), lost trials counted at both ends. */
function isEquivalent(contrasts: Contrasts, test: LocationTest, widerBy: number): boolean {
  return [null, 1, -1].every((lostAs) => {
    const within = contrasts.margin - widerBy;
    const margins = testMargin(test, blockEffects(contrasts, lostAs), contrasts.margin, within);
    return margins !== null && margins.pEquivalent < alpha;
  });
}

interface JudgeOptions {
  readonly test: LocationTest;
  readonly widerBy: number;
  /** Why sides that look alike may not be called so; null where they may. */
  readonly unmet: Reason | null;
}

function judge(
  figure: PublishedFigure,
  contrasts: Contrasts,
  { test, widerBy, unmet }: JudgeOptions,
): Judged {
  const { expects } = figure;
  const sided = sideOf(contrasts, test, widerBy);
  const looksAlike = isEquivalent(contrasts, test, widerBy);
  const alike = looksAlike && unmet === null;
  const tooLittle = looksAlike && unmet !== null ? writtenReason(unmet) : {};
  if (expects === undefined) return { outcome: 'none' };
  if (isOfRange(figure)) {
    const judged = judgeWithin(rangeOf(figure, contrasts), contrasts, test, widerBy);
    // Too little of what is counted happened to show that the change is less than asked for.
    return figure.least !== undefined && judged.outcome === 'other' && unmet !== null
      ? { outcome: 'undecided', ...writtenReason(unmet) }
      : judged;
  }
  if (expects === 'equivalent') {
    if (alike) return { outcome: 'same' };
    if (sided !== 0) return { outcome: 'other' };
    return { outcome: 'undecided', ...tooLittle };
  }
  const wanted = wantedSide(figure);
  // First: no difference that is shown contradicts a direction, on whichever side of zero its interval lies.
  if (alike || sided === -wanted) return { outcome: 'other' };
  if (sided === wanted) return { outcome: 'same' };
  const lost = contrasts.lost.some((blocks) => blocks.length > 0);
  const withoutLost =
    lost && sideOf({ ...contrasts, lost: contrasts.lost.map(() => []) }, test, widerBy) !== 0;
  return {
    outcome: 'undecided',
    ...tooLittle,
    ...(withoutLost && writtenReason(reasonOf('losses-could-turn'))),
  };
}

/** Whether values rise or fall where a direction is as expected. */
function wantedSide({ expects, atMost, metric }: PublishedFigure): 1 | -1 {
  const higherIsBetter = atMost !== undefined || metricDefinition(metric)?.higherIsBetter === true;
  return (expects === 'better') === higherIsBetter ? 1 : -1;
}

/** Whether a range of changes decides, and not the margin alone. */
const isOfRange = ({ expects, least }: PublishedFigure): boolean =>
  expects === 'within' || (least !== undefined && expects !== 'equivalent');

/** The range of such a figure on the scale of the test; undefined where none can be. */
function rangeOf(figure: PublishedFigure, contrasts: Contrasts): [number, number] | undefined {
  return figure.expects === 'within'
    ? publishedRange(figure, contrasts)
    : rangeFromLeast(figure, contrasts.form);
}

/** From the least change that counts, in the expected direction; undefined where that is no change of this form. */
function rangeFromLeast(figure: PublishedFigure, form: Contrasts['form']): [number, number] | undefined {
  const { least } = figure;
  const side = wantedSide(figure);
  if (least === undefined || 'percent' in least !== (form === 'ratio')) return undefined;
  const end = 'percent' in least ? Math.log1p((side * least.percent) / 100) : side * least.difference;
  // Nothing is less than nothing: a fall of 100 % and more is none.
  if (Number.isNaN(end) || end === -Infinity) return undefined;
  return side === 1 ? [end, Infinity] : [-Infinity, end];
}

/** The published range of percent with the margin around it, on the scale of the test; undefined where none can be. */
function publishedRange(
  { expects, size }: PublishedFigure,
  { form, margin }: Contrasts,
): [number, number] | undefined {
  if (expects !== 'within' || size === undefined || !('percent' in size) || form !== 'ratio')
    return undefined;
  const ends = [size.percent].flat().map((percent) => Math.log1p(percent / 100));
  return [Math.min(...ends) - margin, Math.max(...ends) + margin];
}

/** Whether the interval lies in the published range, or wholly outside, wherever lost trials count. */
function judgeWithin(
  range: readonly [number, number] | undefined,
  contrasts: Contrasts,
  test: LocationTest,
  widerBy: number,
): Judged {
  if (range === undefined) return { outcome: 'undecided', ...writtenReason(reasonOf('no-published-range')) };
  const [low, high] = range;
  const intervals = ([null, 1, -1] as const).map(
    (lostAs) => test.locate(blockEffects(contrasts, lostAs), [level]).intervals[0] ?? [-Infinity, Infinity],
  );
  if (intervals.every(([from, to]) => from - widerBy > low && to + widerBy < high))
    return { outcome: 'same' };
  const isOutside = intervals.every(([from, to]) => from - widerBy > high || to + widerBy < low);
  return { outcome: isOutside ? 'other' : 'undecided' };
}

/** Recorded times alone are judged with what recording may have made of them. */
function widening(
  figure: PublishedFigure,
  place: PublishedPlace,
  { form, boundOf }: { readonly form: Contrasts['form']; readonly boundOf: OverheadBound },
): number | undefined {
  const definition = metricDefinition(figure.metric);
  if (
    definition === undefined ||
    instrumentationOf(definition) === 'uninstrumented' ||
    definition.unit !== 'ms'
  )
    return 0;
  // The bound is one of a ratio: what recording makes of a difference is not known.
  return form === 'ratio' || figure.atMost !== undefined ? boundOf(place) : undefined;
}

/** Whether one block alone makes an interval that matters more than twice as wide as the others do. */
function isWideByOne(effects: readonly number[], test: LocationTest, margin: number): boolean {
  const { estimate, intervals } = test.locate(effects, [level]);
  const [whole] = intervals;
  if (estimate === null || !whole || effects.length <= test.minValues) return false;
  if (whole[1] - whole[0] <= margin) return false;
  const away = effects.map((effect) => Math.abs(effect - estimate));
  const farthest = away.indexOf(Math.max(...away));
  const [rest] = test.locate(effects.toSpliced(farthest, 1), [level]).intervals;
  return !!rest && 2 * (rest[1] - rest[0]) < whole[1] - whole[0];
}

interface CompareOptions {
  readonly names: Names;
  readonly boundOf: OverheadBound;
  /** Whether the place is said with its server. */
  readonly namesServer?: boolean;
}

/** One place of a published result: change, interval, outcome and words. */
export function comparePublished(
  figure: PublishedFigure,
  place: PublishedPlace,
  { names, boundOf, namesServer = false }: CompareOptions,
): PublishedComparison {
  const contrasts = contrastsOf(figure, place);
  const test = locationTests[figure.pool === true ? 't' : 'signed-rank'];
  const effects = blockEffects(contrasts, null);
  const { estimate, intervals } = test.locate(effects, [level]);
  const interval = intervals[0] ?? null;
  const shown = (value: number): number => (contrasts.form === 'ratio' ? Math.expm1(value) : value);
  const bound = widening(figure, place, { form: contrasts.form, boundOf });
  const measured = {
    form: contrasts.form,
    effect: estimate === null ? null : shown(estimate),
    interval: interval === null ? null : ([shown(interval[0]), shown(interval[1])] as [number, number]),
    ...(isWideByOne(effects, test, contrasts.margin) && { byOneBlock: true as const }),
    ...levelOf(place),
    blocks: effects.length,
  };
  const given = { test, bound, blocks: effects.length, unmet: unmetDemand(figure, place) };
  const judged =
    figure.atMost === undefined || bound === undefined
      ? judgedOf(figure, contrasts, given)
      : judgedShares(figure, place, { ...given, bound });
  return {
    at: place.shared,
    place: placeWords(place, names, namesServer),
    text: publishedWords(figure, place, { ...measured, names }),
    change: changeText(figure, measured),
    ...measured,
    ...judged,
    ...(judged.outcome === 'undecided' && neededOf(figure, contrasts, { test, bound })),
  };
}

/** Shares of loads within a time: they must come out alike if recording made the candidate's times longer or shorter by the bound. */
function judgedShares(
  figure: PublishedFigure,
  place: PublishedPlace,
  { test, bound, blocks }: { readonly test: LocationTest; readonly bound: number; readonly blocks: number },
): Judged {
  const [asSeen = { outcome: 'undecided' }, ...others] = [0, bound, -bound].map((slowedBy) =>
    judgedOf(figure, contrastsOf(figure, place, slowedBy), { test, bound: 0, blocks, unmet: null }),
  );
  return others.every(({ outcome }) => outcome === asSeen.outcome)
    ? asSeen
    : {
        outcome: 'undecided',
        ...writtenReason(reasonOf('recording-may-have-made-it', 'recording may have made it')),
      };
}

/** Nothing where more blocks alone do not decide: no trial has a value, or what recording adds is not known. */
function neededOf(
  figure: PublishedFigure,
  contrasts: Contrasts,
  { test, bound }: { readonly test: LocationTest; readonly bound: number | undefined },
): Pick<PublishedComparison, 'blocksNeeded'> {
  const { length } = blockEffects(contrasts, null);
  if (length === 0 || bound === undefined) return {};
  if (length < test.minValues) return { blocksNeeded: test.minValues };
  // What recording makes of shares was judged by itself.
  const widerBy = figure.atMost === undefined ? bound : 0;
  const range = isOfRange(figure) ? rangeOf(figure, contrasts) : undefined;
  return { blocksNeeded: blocksToDecide(contrasts, test, { widerBy, range }) };
}

function tooFew(blocks: number, { minValues }: LocationTest): Reason {
  return reasonOf('too-few-blocks', `${counted(blocks, 'block')}, and an interval needs ${minValues}`);
}

interface JudgedOptions {
  readonly test: LocationTest;
  readonly bound: number | undefined;
  readonly blocks: number;
  readonly unmet: Reason | null;
}

function judgedOf(
  figure: PublishedFigure,
  contrasts: Contrasts,
  { test, bound, blocks, unmet }: JudgedOptions,
): Judged {
  const open = figure.expects === undefined ? 'none' : 'undecided';
  if (blocks === 0)
    return { outcome: open, ...writtenReason(reasonOf('no-pairs', 'no trial of every side has a value')) };
  if (blocks < test.minValues) return { outcome: open, ...writtenReason(tooFew(blocks, test)) };
  return bound === undefined
    ? {
        outcome: open,
        ...writtenReason(reasonOf('recording-unknown', 'what recording adds to each side was not measured')),
      }
    : judge(figure, contrasts, { test, widerBy: bound, unmet });
}

/** The candidate's own values. Of pooled workloads there is no one level. */
function levelOf({
  compare: [, { cells, metric }],
}: PublishedPlace): Pick<PublishedComparison, 'level' | 'levelInterval'> {
  const [cell] = cells;
  if (cell === undefined || cells.length > 1) return { level: null, levelInterval: null };
  const values = [...valuesOf(cell, metric).values()];
  const interval = medianInterval(values, level);
  return {
    level: describeSample(values).median,
    levelInterval: interval === null ? null : [interval[0], interval[1]],
  };
}
