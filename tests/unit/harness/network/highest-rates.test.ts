import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highestRates } from '../../../../harness/network/highest-rates.ts';
import { networkSpecs } from '../../../../harness/network/registry.ts';
import { networkSpecSchema } from '../../../../src/core/model/network-spec.ts';

const own = (up: object, down: object) =>
  networkSpecSchema.parse({ id: 'own', title: 'own', source: 'test', offloads: false, up, down });

test('the highest rate of a network is its own, or the highest of its schedule or trace', async () => {
  assert.deepEqual(await highestRates(own({ delayMs: 5 }, { rateMbps: 20, queueBytes: 50_000 })), {
    up: null,
    down: 20,
  });
  const scheduled = own(
    {},
    { rateMbps: 20, queueBytes: 50_000, schedule: [{ atMs: 1000, forMs: 500, rateMbps: 80 }] },
  );
  assert.equal((await highestRates(scheduled)).down, 80);
  const traced = networkSpecs.find(({ down }) => down.trace !== undefined);
  assert.ok(traced);
  const { down } = await highestRates(traced);
  assert.ok(down !== null && down > 1 && down < 5000, `${down} Mbit/s`);
});
