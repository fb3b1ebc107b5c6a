import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarySchema } from '../../src/core/model/summary.ts';
import { goldenJson, readGolden, summariseGoldenRun } from './golden-files.ts';

test('the golden run gives the stored summary (if the change is wanted: node tests/golden/update.ts)', () => {
  const expected: unknown = JSON.parse(readGolden('summary.json'));
  const actual: unknown = JSON.parse(goldenJson(summariseGoldenRun()));
  assert.deepEqual(actual, expected);
});

test('the stored summary is one that the schema takes, and tells of every mishap', () => {
  const summary = summarySchema.parse(JSON.parse(readGolden('summary.json')));
  assert.deepEqual(summary.trials, { ok: 43, invalid: 1, failed: 3, unsupported: 0, notRun: 1 });
  assert.deepEqual(
    summary.troubles.map(({ status }) => status),
    ['invalid', 'failed', 'failed', 'failed', 'not-run'],
  );
});
