import { isNumber } from '../../format/numbers.ts';
import { decidingP, formOf, verdictOrder } from '../../format/verdict-words.ts';
import type { PageComparison } from '../page-data.ts';

type Key = string | number | null;

const keys: Readonly<Record<string, (comparison: PageComparison) => Key>> = {
  workload: ({ workload, place }) => `${workload} ${place}`,
  metric: ({ metric }) => metric,
  baseline: ({ baseline }) => baseline.median,
  candidate: ({ candidate }) => candidate.median,
  effect: (comparison) =>
    formOf(comparison) === 'ratio' ? (comparison.ratio ?? NaN) - 1 : comparison.difference,
  n: ({ blocks }) => blocks,
  p: decidingP,
  verdict: ({ verdict }) => verdictOrder.indexOf(verdict),
};

const inWords = new Intl.Collator('en', { numeric: true });

function present(key: Key): key is string | number {
  return typeof key === 'string' || isNumber(key);
}

/** Comparisons by a column of the table; those without a value come last in both directions. */
export function inOrder(
  comparisons: readonly PageComparison[],
  column: string,
  direction: 'ascending' | 'descending',
): PageComparison[] {
  const sortKey = keys[column] ?? (() => null);
  const sign = direction === 'ascending' ? 1 : -1;
  const keyed = comparisons.map((comparison) => ({ comparison, key: sortKey(comparison) }));
  keyed.sort(({ key: a }, { key: b }) => {
    if (!present(a) || !present(b)) return Number(present(b)) - Number(present(a));
    const order =
      typeof a === 'number' && typeof b === 'number' ? a - b : inWords.compare(String(a), String(b));
    return order * sign;
  });
  return keyed.map(({ comparison }) => comparison);
}

const searched = new WeakMap<PageComparison, string>();

/** What the search looks through; made once, because every key that is typed looks through all. */
function searchable(comparison: PageComparison): string {
  const known = searched.get(comparison);
  if (known !== undefined) return known;
  const { workload, metric, metricName, condition, verdict } = comparison;
  const text = [workload, metric, metricName, condition, verdict].join(' ').toLowerCase();
  searched.set(comparison, text);
  return text;
}

/** Whether a comparison passes the filters of the form. */
export function filterOf(form: HTMLFormElement): (comparison: PageComparison) => boolean {
  const values = new FormData(form);
  const wanted = (name: string): string => {
    const value = values.get(name);
    return typeof value === 'string' ? value : '';
  };
  const kind = wanted('kind');
  const metric = wanted('metric');
  const verdict = wanted('verdict');
  const words = wanted('text').toLowerCase().split(/\s+/).filter(Boolean);
  return (comparison) => {
    if (kind !== '' && comparison.kind !== kind) return false;
    if (metric !== '' && comparison.metricName !== metric) return false;
    if (verdict !== '' && comparison.verdict !== verdict) return false;
    if (values.has('primary') && !comparison.primary) return false;
    if (words.length === 0) return true;
    const text = searchable(comparison);
    return words.every((word) => text.includes(word));
  };
}
