import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricDifferences } from '../../../../src/analyse/derive/metric-differences.ts';
import { trialMetricsSchema } from '../../../../src/core/model/metrics.ts';

const differences = (journalled: object, derived: object): readonly string[] =>
  metricDifferences(trialMetricsSchema.parse(journalled), trialMetricsSchema.parse(derived));

test('equal metrics have no differences, nor do sums that vary in their last digits', () => {
  const others = { cls: 0, fcpMs: null, stalls: [[1, 2]] };
  assert.deepEqual(differences({ pltMs: 0.3, ...others }, { pltMs: 0.1 + 0.2, ...others }), []);
});

test('numbers further apart than 1e-9 are named with both values', () => {
  assert.deepEqual(differences({ pltMs: 100 }, { pltMs: 100.000001 }), [
    'pltMs: journal 100, derived 100.000001',
  ]);
});

test('what only one side has is a difference, and null is not nothing', () => {
  assert.deepEqual(differences({ pltMs: 1 }, { lcpMs: null }), [
    'pltMs: journal 1, derived nothing',
    'lcpMs: journal nothing, derived null',
  ]);
});

test('differences within structures are named by their path', () => {
  assert.deepEqual(
    differences(
      { protocolShare: { h3: 1 }, stalls: [[1, 2]] },
      { protocolShare: { h3: 0.5 }, stalls: [[1, 3]] },
    ),
    ['protocolShare.h3: journal 1, derived 0.5', 'stalls[0][1]: journal 2, derived 3'],
  );
});

test('a series that lost its end is a difference', () => {
  assert.deepEqual(differences({ stalls: [[1, 2]] }, { stalls: [] }), [
    'stalls[0]: journal [1,2], derived nothing',
  ]);
});
