import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calibrateMachine } from '../../../../src/analyse/calibrate/calibrate-machine.ts';
import { forecastPlan, type FamilyForecast } from '../../../../src/analyse/forecast/plan-forecast.ts';
import type { NoiseSeries } from '../../../../src/core/model/calibration.ts';
import { audienceFixture } from '../../../support/audience-fixture.ts';
import { calibrationOptions, calibrationRuns } from '../../../support/calibration-run.ts';
import { generateRun } from '../../../support/generated-run.ts';

const series = (network: string, workload: string, noise: number): NoiseSeries => ({
  workload,
  workloadKind: 'page',
  client: 'chromium',
  network,
  server: 'caddy',
  metric: 'pltMs',
  arm: 'h2',
  form: 'ratio',
  unit: 'ms',
  margin: 0.03,
  blocks: 8,
  noise,
  smallestEffect: [],
  smallestMargin: [],
});

const measured = calibrateMachine(calibrationRuns(3, 1, 0.1), {
  ...calibrationOptions,
  resamples: 50,
  power: false,
});
const calibration = {
  ...measured,
  series: [series('4g', 'page-a', 0.06), series('host', 'page-b', 0.02), series('4g', 'pooled', 0.5)],
};

function forecastFor(shares: readonly number[]): FamilyForecast {
  const audience = audienceFixture(shares);
  const { plan } = generateRun({
    workloads: [{ id: 'page-a', kind: 'page' }],
    networks: audience.conditions.map(({ network }) => network),
    plan: { audience },
  });
  const [forecast, ...others] = forecastPlan(plan, calibration);
  assert.ok(forecast);
  assert.equal(others.length, 0);
  return forecast;
}

test('blocks for an audience come from the noisiest page that was calibrated on any network', () => {
  const one = forecastFor([1]);
  assert.deepEqual([one.noiseOf.workload, one.noiseOf.network, one.ofAudience], ['page-a', '4g', true]);
  assert.ok((one.blocksOfEquivalence ?? 0) > 10, JSON.stringify(one));
});

test('more segments of one size need fewer blocks, and one large segment gains little', () => {
  const blocks = (shares: readonly number[]): number => forecastFor(shares).blocksOfEquivalence ?? Infinity;
  const five = blocks([0.2, 0.2, 0.2, 0.2, 0.2]);
  const uneven = blocks([0.96, 0.01, 0.01, 0.01, 0.01]);
  assert.ok(five < uneven && uneven <= blocks([1]), `${five} ${uneven}`);
});

test('without an audience nothing is said of one', () => {
  const { plan } = generateRun({ workloads: [{ id: 'page-a', kind: 'page' }], networks: ['4g'] });
  const [forecast] = forecastPlan(plan, calibration);
  assert.deepEqual([forecast?.ofAudience, forecast?.blocksOfEquivalence], [false, null]);
});
