import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkDescription } from '../../../../src/core/model/environment.ts';
import { networkSpecSchema } from '../../../../src/core/model/network-spec.ts';
import {
  linkFactsOf,
  pathFactsOfChain,
  type TestbedFacts,
} from '../../../../src/core/model/testbed-facts.ts';

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

test('an emulated link with a real one behind it is longer by that, and no longer steady', () => {
  const { up, down } = { up: { delayMs: 10 }, down: { delayMs: 10 } };
  const spec = networkSpecSchema.parse({
    id: 'own',
    title: 'own',
    source: 'test',
    offloads: false,
    up,
    down,
  });
  const description: NetworkDescription = {
    id: 'own',
    backend: 'emulator',
    description: 'own',
    impaired: true,
    privilege: 'root',
    offloads: null,
    checks: [],
    spec,
  };
  assert.deepEqual(
    [linkFactsOf(description)].map(({ roundTripMs, steady }) => [roundTripMs, steady]),
    [[20, true]],
  );
  const realLink = { roundTripMs: 0.5, upMbps: 900, downMbps: 900 };
  assert.deepEqual(
    [linkFactsOf({ ...description, realLink })].map(({ roundTripMs, steady }) => [roundTripMs, steady]),
    [[20.5, false]],
  );
});
