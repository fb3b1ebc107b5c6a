import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBudget } from '../../../../src/core/metrics/budget.ts';

test('a budget is read with its metric by name or without unit, and its limit in the unit of the metric', () => {
  const read = (text: string): unknown[] => {
    const { metric, bound, limit } = parseBudget(text);
    return [metric.name, bound, limit];
  };
  assert.deepEqual(read('lcp<2500ms'), ['lcpMs', 'below', 2500]);
  assert.deepEqual(read(' lcpMs <= 2.5 s '), ['lcpMs', 'below', 2500]);
  assert.deepEqual(read('wireBytes<1.5MB'), ['wireBytes', 'below', 1_500_000]);
  assert.deepEqual(read('throughput>20mbps'), ['throughputMbps', 'above', 20]);
  assert.deepEqual(read('cls<0.1'), ['cls', 'below', 0.1]);
  assert.deepEqual(read('startupDelay<2s'), ['startupDelayMs', 'below', 2000]);
});

test('what is no budget, no metric or another unit is named', () => {
  assert.throws(() => parseBudget('lcp'), /not a budget: "lcp"/);
  assert.throws(() => parseBudget('lcp<fast'), /not a budget/);
  assert.throws(
    () => parseBudget('lpc<2500ms'),
    (thrown: { message: string; next?: string }) =>
      /names no metric/.test(thrown.message) && /lcp/.test(thrown.next ?? ''),
  );
  assert.throws(() => parseBudget('lcp<2MB'), /in another unit than the metric/);
  assert.throws(() => parseBudget('cls<1ms'), /in another unit/);
  assert.throws(() => parseBudget('lcp<2500constructor'), /in another unit/);
  const long = `lcp<2500${' '.repeat(200_000)}ms`;
  assert.throws(
    () => parseBudget(long),
    ({ message }: Error) => /not a budget/.test(message) && message.length < 300,
  );
});
