import { armNameOfLabel } from '../../core/factors/arm-name.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import { byArm } from '../../core/model/factor.ts';
import type { Names } from '../../core/model/names.ts';
import type { PublishedComparison, PublishedFigure } from '../../core/model/published.ts';
import { percentDigits, valueDigits } from '../../core/model/rounding.ts';
import { counted, quantity } from '../figures/figures.ts';
import { describeSample } from '../statistics/quantile.ts';
import type { PlacedSide, PublishedPlace } from './published-places.ts';
import { valuesOf } from './study-cells.ts';

const minus = '−';

function signed(value: number, digits: (magnitude: number) => string): string {
  const text = digits(Math.abs(value));
  return Number(text) === 0 ? text : `${value < 0 ? minus : '+'}${text}`;
}

/** A change as people say it: `−12 %`, `+3.4 ms`. */
export function changeWords(value: number, form: PublishedComparison['form'], unit: string): string {
  return [changeDigits(value, form), form === 'ratio' ? '%' : unit].filter(Boolean).join(' ');
}

/** The same without its unit. */
function changeDigits(value: number, form: PublishedComparison['form']): string {
  return form === 'ratio' ? signed(value * 100, percentDigits) : signed(value, valueDigits);
}

/** From three times on nobody reads percent. */
const timesFrom = 2;

/** `55 times as much (55 to 56)`. */
function timesWords(effect: number, interval: readonly [number, number], why: string): string {
  const [times, low, high] = [effect, ...interval].map((value) => valueDigits(1 + value));
  return `${times} times as much (${low} to ${high}${why})`;
}

/** `−16 to −6.4 %`. */
export function intervalWords(
  [low, high]: readonly [number, number],
  form: PublishedComparison['form'],
  unit: string,
): string {
  return `${changeDigits(low, form)} to ${changeWords(high, form, unit)}`;
}

/** Why a metric that is compared by ratio is compared by difference. */
export const noRatio = 'a value of zero has no ratio';

/** Whether a comparison has the form `difference` for want of a ratio, and not because its metric has. */
export function hasNoRatio(
  { metric, atMost }: Pick<PublishedFigure, 'metric' | 'atMost'>,
  form: PublishedComparison['form'],
): boolean {
  return form === 'difference' && atMost === undefined && metricDefinition(metric)?.form === 'ratio';
}

/** Of a difference, whose percent are no percent of the baseline. */
export function differenceUnit({ metric, atMost }: Pick<PublishedFigure, 'metric' | 'atMost'>): string {
  if (atMost !== undefined) return 'points of all loads';
  const unit = metricDefinition(metric)?.unit ?? '';
  return unit === '%' ? 'percentage points' : unit;
}

/** What all sides share, in words. @param namesServer whether with the server */
export function placeWords(
  { shared, compare: [{ cells }] }: PublishedPlace,
  names: Names,
  namesServer: boolean,
): string {
  const kind = cells[0]?.kind ?? 'page';
  const { workload, client, network, server } = shared;
  return [
    ...(workload === undefined ? [] : [names.workload(workload, kind)]),
    ...(client === undefined || client === byArm ? [] : [names.client(client)]),
    ...(network === undefined ? [] : [names.shortNetwork(network)]),
    ...(namesServer && server !== undefined ? [names.server(server)] : []),
  ].join(', ');
}

type PlacePart = 'arm' | 'workload' | 'network' | 'client' | 'metric';

function partsOf({ cells, metric }: PlacedSide, names: Names): Record<PlacePart, string> {
  const [cell] = cells;
  if (cell === undefined) return { arm: '', workload: '', network: '', client: '', metric: '' };
  return {
    arm: armNameOfLabel(cell.arm),
    workload: cells.length > 1 ? '' : names.workload(cell.workload, cell.kind),
    network: names.shortNetwork(cell.network),
    client: cell.client === byArm ? '' : names.client(cell.client),
    metric: metricDefinition(metric)?.title ?? metric,
  };
}

const told: readonly PlacePart[] = ['metric', 'arm', 'client', 'workload', 'network'];

/** Each of these by what sets it apart from the others. */
function apart(sides: readonly PlacedSide[], names: Names): string[] {
  const parts = sides.map((side) => partsOf(side, names));
  const differing = told.filter((name) => new Set(parts.map((part) => part[name])).size > 1);
  return parts.map((part) =>
    differing
      .map((name) => part[name])
      .filter(Boolean)
      .join(', '),
  );
}

function pairWords(pair: readonly [PlacedSide, PlacedSide], names: Names): string {
  const [baseline = '', candidate = ''] = apart(pair, names);
  return `${candidate} against ${baseline}`;
}

/** What two pairs share within each, and what sets the pairs apart. */
function pairsApart({ compare, against }: PublishedPlace, names: Names): string {
  if (against === undefined) return pairWords(compare, names);
  const [own = '', other = ''] = apart([compare[1], against[1]], names);
  const first = pairWords(compare, names);
  const second = pairWords(against, names);
  return first === second ? `${first}: ${own} compared with ${other}` : `${first}, compared with ${second}`;
}

function groupWords({ than, metric }: PublishedFigure, place: PublishedPlace, names: Names): string {
  const [cell] = place.compare[1].cells;
  if (than === undefined || cell === undefined) return pairsApart(place, names);
  return `${armNameOfLabel(cell.arm)} against ${quantity(than, metricDefinition(metric)?.unit ?? '')}`;
}

interface Measured extends Pick<
  PublishedComparison,
  'form' | 'effect' | 'interval' | 'byOneBlock' | 'blocks'
> {
  readonly names: Names;
}

/** `−16 % (−18 to −14 %)`, and without percent where the candidate has a multiple. */
export function changeText(
  figure: PublishedFigure,
  { form, effect, interval, byOneBlock }: Pick<Measured, 'form' | 'effect' | 'interval' | 'byOneBlock'>,
): string {
  if (effect === null) return 'no value';
  const unit = differenceUnit(figure);
  // A share of loads is told in points of a hundred.
  const per = figure.atMost === undefined ? 1 : 100;
  const change = changeWords(effect * per, form, unit);
  if (interval === null) return `${change} (no interval)`;
  const [low, high] = interval;
  if (low === high) return `${change} in nearly all blocks`;
  const why = byOneBlock === true ? ', so wide by one block' : '';
  return form === 'ratio' && low >= timesFrom
    ? timesWords(effect, interval, why)
    : `${change} (${intervalWords([low * per, high * per], form, unit)}${why})`;
}

/** One comparison in a line: who against whom, levels, change, interval, blocks. */
export function publishedWords(
  figure: PublishedFigure,
  place: PublishedPlace,
  { form, effect, interval, byOneBlock, blocks, names }: Measured,
): string {
  const who = groupWords(figure, place, names);
  const change = changeText(figure, { form, effect, interval, byOneBlock });
  if (effect === null) return `${who}: ${change}`;
  const levels =
    place.against === undefined && figure.atMost === undefined && figure.than === undefined
      ? levelsWords(place, effect, metricDefinition(figure.metric)?.unit ?? '')
      : '';
  const why = hasNoRatio(figure, form) ? `, a difference because ${noRatio}` : '';
  return `${who}: ${change}${levels}, ${counted(blocks, 'block')}${why}`;
}

/** Medians of each side. They may move the other way than the change, which is that of pairs. */
function levelsWords({ compare }: PublishedPlace, effect: number, unit: string): string {
  const levels = compare.map(({ cells, metric }) => {
    const [cell] = cells;
    return cell === undefined || cells.length > 1
      ? null
      : describeSample([...valuesOf(cell, metric).values()]).median;
  });
  const [from, to] = levels;
  if (from === null || to === null || from === undefined || to === undefined) return '';
  const before = valueDigits(from);
  const after = valueDigits(to);
  const isOpposite = before !== after && Math.sign(to - from) === -Math.sign(effect);
  const why = isOpposite ? ' (medians of all blocks)' : '';
  return `, ${before} → ${quantity(to, unit)}${why}`;
}
