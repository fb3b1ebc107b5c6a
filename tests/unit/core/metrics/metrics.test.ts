import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { metrics } from '../../../../src/core/metrics/registry.ts';

const projectDir = join(import.meta.dirname, '../../../..');

/** Files of the room that are no metric. */
const about = [
  'metric',
  'metric-inputs',
  'counted-metric',
  'cpu-metric',
  'rare-events',
  'evaluate',
  'budget',
  'registry',
];

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

test('every file of the room is a metric in the registry, and every metric has a file of its own', () => {
  const files = globSync('src/core/metrics/*.ts', { cwd: projectDir })
    .map((file) => basename(file, '.ts'))
    .filter((file) => !about.includes(file));
  const kebab = (name: string): string =>
    name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
      .replaceAll(/([a-z])(\d)/g, '$1-$2')
      .toLowerCase();
  assert.deepEqual(files.toSorted(), metrics.map(({ name }) => kebab(name)).toSorted());
});
