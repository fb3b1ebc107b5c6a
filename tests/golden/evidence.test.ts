import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveGoldenTrials, goldenJson, readGolden } from './golden-files.ts';

test('the evidence of recorded trials gives the stored records (if the change is wanted: npm run golden:update)', async () => {
  const actual: unknown = JSON.parse(goldenJson(await deriveGoldenTrials()));
  assert.deepEqual(actual, JSON.parse(readGolden('derived.json')));
});

test('the recorded trials are of every kind over both protocols, and valid', async () => {
  const derived = Object.entries(await deriveGoldenTrials()) as [
    string,
    { status: string; metrics: object },
  ][];
  for (const metric of ['pltMs', 'speedIndexMs', 'throughputMbps', 'startupDelayMs'])
    for (const protocol of ['h2', 'h3'])
      assert.ok(
        derived.some(([id, { metrics }]) => id.endsWith(protocol) && metric in metrics),
        `${metric} over ${protocol}`,
      );
  assert.deepEqual(new Set(derived.map(([, { status }]) => status)), new Set(['ok']));
});
