import { metricDefinition } from '../../src/metrics/registry.ts';
import type { PublishedComparison, PublishedResult } from '../../src/model/published.ts';
import { formatSigned, formatSignedPercent } from './numbers.ts';

/** So many comparisons of one result are said. */
const mostSaid = 2;

/** Of a difference, whose percent are no percent of the baseline. */
function differenceUnit({ metric, atMost }: Pick<PublishedResult, 'metric' | 'atMost'>): string {
  if (atMost !== undefined) return 'of all loads';
  const unit = metricDefinition(metric)?.unit ?? '';
  return unit === '%' ? 'percentage points' : unit;
}

/** `−12 % (−14 to −9.1 %)`. */
function changeWords(
  { form, effect, interval }: PublishedComparison,
  result: Pick<PublishedResult, 'metric' | 'atMost'>,
): string {
  if (effect === null) return 'no value';
  const ends = [effect, ...(interval ?? [])];
  const texts =
    form === 'ratio'
      ? ends.map((end) => formatSignedPercent(end * 100))
      : ends.map((end) => formatSigned(end));
  const [change = '', low = '', high] = texts;
  const unit = form === 'ratio' ? '' : ` ${differenceUnit(result)}`.trimEnd();
  const range = high === undefined ? 'no interval' : `${low.replace(/\s%$/, '')} to ${high}`;
  return `${change}${unit} (${range})`;
}

/** Change and interval of a result, of each of its first comparisons. */
export function effectWords(result: Pick<PublishedResult, 'ours' | 'metric' | 'atMost'>): string {
  const said = result.ours.slice(0, mostSaid).map((comparison) => changeWords(comparison, result));
  const more = result.ours.length - said.length;
  return more > 0 ? `${said.join(', ')}, ${more} more` : said.join(' and ');
}
