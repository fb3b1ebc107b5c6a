import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkSpecs } from '../../../../harness/network/registry.ts';
import { primaryFamilies } from '../../../../src/analyse/decidability.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { expectedMs, scaleTimes } from '../../../../src/app/plan/scale-times.ts';
import { H2h3Error } from '../../../../src/model/errors.ts';
import { metricDefinition } from '../../../../src/model/metric-catalogue.ts';
import { scaleNames } from '../../../../src/plan/presets/preset.ts';
import { presets } from '../../../../src/plan/presets/registry.ts';

const videoStudies = ['zhang2024-video', 'shreedhar2022-video', 'kakhki2017-video'];

for (const id of videoStudies)
  for (const scale of scaleNames)
    test(`${id} at scale ${scale} can decide, over networks that exist, with figures that belong to it`, () => {
      const { plan } = planFromRequest(readPlanRequest(id, { scale }), 'test');
      assert.ok(primaryFamilies(plan).every(({ canDecide }) => canDecide));
      const known = [...networkSpecs, ...(plan.customNetworks ?? [])].map((network) => network.id);
      const used = new Set(plan.conditions.map(({ network }) => network));
      for (const network of used) assert.ok(known.includes(network), network);
      assert.ok(plan.published !== undefined);
      for (const { metric, networks } of plan.published) {
        assert.deepEqual(metricDefinition(metric)?.kinds, ['video'], metric);
        assert.ok(networks === undefined || networks.some((name) => used.has(name)), networks?.join());
      }
    });

test('the scales grow, and each says its time', () => {
  for (const { id, scales } of presets.filter((preset) => preset.scales !== undefined)) {
    assert.ok(scales !== undefined);
    const times = scaleNames.map((scale) => expectedMs(planFromRequest(readPlanRequest(id, { scale }), '')));
    assert.deepEqual(
      times.toSorted((a, b) => a - b),
      times,
      id,
    );
    assert.match(scaleTimes(id).join('\n'), /--scale quick: .*min[^]*--scale paper: /);
  }
  assert.deepEqual(scaleTimes('web'), []);
});

test('a scale that is none, or of something that has none, is refused', () => {
  for (const [source, scale] of [
    ['zhang2024-video', 'huge'],
    ['web', 'quick'],
    [undefined, 'quick'],
  ] as const)
    assert.throws(
      () => readPlanRequest(source, { scale }),
      (error) => error instanceof H2h3Error && error.code === 'usage',
    );
});
