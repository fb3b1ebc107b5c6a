import type { TrialMetrics } from '../../core/model/metrics.ts';

/** Numbers further apart than this, relative to the larger, differ: floating-point sums may vary in their last digits only. */
const recomputeTolerance = 1e-9;

/**
 * Where the metrics in the journal and those derived again from the artifacts disagree, for `analyse --recompute`:
 * a line each with the path (`pltMs`, `chunks[3].bytes`, `protocolShare.h3`) and both values. Empty when they agree.
 * A key that is undefined counts as absent, as JSON has it.
 */
export function metricDifferences(journalled: TrialMetrics, derived: TrialMetrics): readonly string[] {
  return differences('', journalled, derived);
}

function differences(path: string, journalled: unknown, derived: unknown): readonly string[] {
  if (
    isContainer(journalled) &&
    isContainer(derived) &&
    Array.isArray(journalled) === Array.isArray(derived)
  ) {
    const keys = new Set([...Object.keys(journalled), ...Object.keys(derived)]);
    return [...keys].flatMap((key) =>
      differences(join(path, key, journalled), journalled[key], derived[key]),
    );
  }
  return same(journalled, derived) ? [] : [`${path}: journal ${show(journalled)}, derived ${show(derived)}`];
}

function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return a === b;
  return Object.is(a, b) || Math.abs(a - b) <= recomputeTolerance * Math.max(Math.abs(a), Math.abs(b));
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function join(path: string, key: string, container: unknown): string {
  if (Array.isArray(container)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
