import { H2h3Error } from '../model/errors.ts';
import { didYouMean } from '../model/nearest-name.ts';
import { ownEntry } from '../model/own-entry.ts';
import type { Metric } from './metric.ts';
import { metrics } from './registry.ts';

/** An absolute limit of a metric: `lcp<2500ms`, `objectCount<=13`, `throughput>20mbit/s`. */
export interface Budget {
  readonly metric: Metric;
  readonly bound: 'below' | 'above';
  /** Whether a value at the limit keeps it (`<=`, `>=`); otherwise it speaks for neither side. */
  readonly isInclusive: boolean;
  /** In the metric's unit. */
  readonly limit: number;
}

/** How many of a metric's unit one of the written unit is. */
const scales: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ms: { '': 1, ms: 1, s: 1000 },
  s: { '': 1, s: 1, ms: 0.001 },
  B: { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 1024, mib: 1024 ** 2 },
  'kbit/s': { '': 1, 'kbit/s': 1, kbps: 1, 'mbit/s': 1000, mbps: 1000 },
  'Mbit/s': { '': 1, 'mbit/s': 1, mbps: 1, 'kbit/s': 0.001, kbps: 0.001 },
  '%': { '': 1, '%': 1 },
};

/** The name without its unit: `lcp` means `lcpMs`. */
const withoutUnit = (name: string): string =>
  name.replace(/(?:Ms|Kbps|Mbps|Seconds|Bytes|Percent)$/, '').toLowerCase();

/** Metrics that a word may mean: a name, or a name without its unit. */
function metricsNamed(word: string): readonly Metric[] {
  const exact = metrics.filter(({ name }) => name.toLowerCase() === word.toLowerCase());
  return exact.length > 0 ? exact : metrics.filter(({ name }) => withoutUnit(name) === word.toLowerCase());
}

const budgetForm = /^([A-Za-z]\w*)\s*([<>])(=?)\s*(\d+(?:\.\d+)?)\s*([A-Za-z%/]*)$/;
const maxBudgetCharacters = 200;

function shortened(text: string): string {
  return text.length > maxBudgetCharacters ? `${text.slice(0, maxBudgetCharacters)}…` : text;
}

/** @throws H2h3Error `usage` for what is no budget, with what was meant */
export function parseBudget(text: string): Budget {
  const written = text.trim();
  // What is far too long for one is not looked at: it would be repeated, and take time by its length.
  const parts = written.length > maxBudgetCharacters ? null : budgetForm.exec(written);
  const [, word = '', sign, equals, amount, unit = ''] = parts ?? [];
  if (parts === null)
    throw new H2h3Error('usage', `not a budget: "${shortened(written)}"`, {
      context: { expected: "such as 'lcp<2500ms', 'wireBytes<1.5MB' or 'throughput>20mbit/s'" },
    });
  const [metric, second] = metricsNamed(word);
  if (metric === undefined || second !== undefined)
    throw new H2h3Error('usage', `the budget "${text}" names no metric`, {
      next: didYouMean(
        word,
        metrics.flatMap(({ name }) => [name, withoutUnit(name)]),
        '`npx h2h3 describe metrics` lists them.',
      ),
    });
  const scale = ownEntry(scales[metric.unit] ?? { '': 1 }, unit.toLowerCase());
  if (scale === undefined)
    throw new H2h3Error('usage', `the budget "${text}" is in another unit than the metric`, {
      context: {
        expected: metric.unit === '' ? 'a number without a unit' : `a number of ${metric.unit}`,
        got: unit,
      },
    });
  return {
    metric,
    bound: sign === '<' ? 'below' : 'above',
    isInclusive: equals === '=',
    limit: Number(amount) * scale,
  };
}
