import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathFactsOfChain, type TestbedFacts } from '../../../../src/core/model/testbed-facts.ts';

test('a chain is as wide as its narrowest link whose rate is known', () => {
  const link = (downMbps: number | null): TestbedFacts['links'][number] =>
    ({ downMbps }) as TestbedFacts['links'][number];
  const chain = (links: TestbedFacts['links']): TestbedFacts =>
    ({ links, roundTripMs: 20, steady: true }) as unknown as TestbedFacts;
  assert.deepEqual(pathFactsOfChain(chain([link(100), link(null), link(25)])), {
    roundTripMs: 20,
    steady: true,
    rateMbps: 25,
  });
  assert.equal(pathFactsOfChain(chain([link(null)])).rateMbps, undefined);
});
