import { armNameOfLabel } from '../../factors/arm-name.ts';
import { metricDefinition } from '../../metrics/registry.ts';
import { byArm } from '../../model/factor.ts';
import type { Names } from '../../model/names.ts';
import type { PublishedComparison, PublishedFigure } from '../../model/published.ts';
import { percentDigits, valueDigits } from '../../model/rounding.ts';
import { counted } from '../wording/figures.ts';
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
  if (form === 'ratio') return `${signed(value * 100, percentDigits)} %`;
  return [signed(value, (magnitude) => valueDigits(magnitude)), unit].filter(Boolean).join(' ');
}

/** `−16 to −6.4 %`. */
export function intervalWords(
  [low, high]: readonly [number, number],
  form: PublishedComparison['form'],
  unit: string,
): string {
  const from = changeWords(low, form, '').replace(/ %$/, '');
  return `${from} to ${changeWords(high, form, unit)}`;
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
  if (atMost !== undefined) return 'of all loads';
  const unit = metricDefinition(metric)?.unit ?? '';
  return unit === '%' ? 'percentage points' : unit;
}

/** What all sides share, in words. */
export function placeWords({ shared, compare: [{ cells }] }: PublishedPlace, names: Names): string {
  const kind = cells[0]?.kind ?? 'page';
  const { workload, client, network } = shared;
  return [
    ...(workload === undefined ? [] : [names.workload(workload, kind)]),
    ...(client === undefined || client === byArm ? [] : [names.client(client)]),
    ...(network === undefined ? [] : [names.shortNetwork(network)]),
  ].join(', ');
}

type Told = 'arm' | 'workload' | 'network' | 'client' | 'metric';

function partsOf({ cells, metric }: PlacedSide, names: Names): Record<Told, string> {
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

const told: readonly Told[] = ['metric', 'arm', 'client', 'workload', 'network'];

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

interface Measured extends Pick<PublishedComparison, 'form' | 'effect' | 'interval' | 'blocks'> {
  readonly names: Names;
}

/** One comparison in a line: who against whom, levels, change, interval, blocks. */
export function publishedWords(
  figure: PublishedFigure,
  place: PublishedPlace,
  { form, effect, interval, blocks, names }: Measured,
): string {
  const unit = differenceUnit(figure);
  const who = pairsApart(place, names);
  if (effect === null) return `${who}: no value`;
  const range = interval === null ? 'no interval' : intervalWords(interval, form, unit);
  const levels =
    place.against === undefined && figure.atMost === undefined
      ? levelsWords(place, effect, metricDefinition(figure.metric)?.unit ?? '')
      : '';
  const why = hasNoRatio(figure, form) ? `, a difference because ${noRatio}` : '';
  return `${who}: ${changeWords(effect, form, unit)} (${range})${levels}, ${counted(blocks, 'block')}${why}`;
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
  const why = isOpposite ? ' (medians of all blocks, where the change is that within blocks)' : '';
  return `, ${before} → ${[after, unit].filter(Boolean).join(' ')}${why}`;
}
