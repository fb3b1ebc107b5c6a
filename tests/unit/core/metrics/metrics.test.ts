import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metrics } from '../../../../src/core/metrics/registry.ts';

test('every metric says what it is and how it is computed', () => {
  for (const { name, title, meaning, margin, kinds, formulas } of metrics) {
    assert.ok(title.length > 2 && !title.endsWith('.'), `${name}: title`);
    assert.match(meaning, /^[A-Z0-9].{10,}\.$/, `${name}: meaning`);
    assert.ok(margin > 0, `${name}: margin`);
    assert.ok(kinds.length > 0, `${name}: kinds of workload`);
    assert.ok(Object.keys(formulas).length > 0, `${name} has no producer`);
  }
  assert.equal(new Set(metrics.map(({ name }) => name)).size, metrics.length);
});
