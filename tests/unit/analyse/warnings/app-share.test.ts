import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appShares } from '../../../../src/analyse/warnings/app-share.ts';
import type { Comparison } from '../../../../src/core/model/summary.ts';

function comparison(metric: string, primary: boolean, medians: readonly [number, number]): Comparison {
  const [baseline, candidate] = medians;
  return {
    workload: 'app-x',
    client: 'chromium',
    network: '4g',
    server: 'caddy',
    unit: 'ms',
    instrumentation: 'uninstrumented',
    metric,
    primary,
    baseline: { arm: 'h2', median: baseline },
    candidate: { arm: 'h3', median: candidate },
  } as Comparison;
}

test('the report says what the app itself took, and when that may be the difference', () => {
  const even = [comparison('pltMs', true, [900, 800]), comparison('appThinkMs', false, [120, 118])];
  assert.deepEqual(appShares(even), [
    'the app itself took 120 ms for h2, 118 ms for h3 of a load, in the median (app-x, caddy, 4g)',
  ]);
  const uneven = [comparison('pltMs', true, [900, 800]), comparison('appThinkMs', false, [190, 110])];
  assert.match(appShares(uneven).join(), /may be the app’s: loads differ by 100 ms, the app by 80\.?0? ms/);
  const against = [comparison('pltMs', true, [900, 800]), comparison('appThinkMs', false, [110, 190])];
  assert.doesNotMatch(appShares(against).join(), /may be the app’s/);
  assert.deepEqual(appShares([comparison('pltMs', true, [900, 800])]), []);
  const builds = uneven.map((each) => ({
    ...each,
    baseline: { ...each.baseline, factors: { app: 'baseline' } },
    candidate: { ...each.candidate, factors: { app: 'candidate' } },
  })) as unknown as Comparison[];
  assert.match(
    appShares(builds).join(),
    /^the app itself took 190 ms for h2, 110 ms for h3 of a load.*4g\)$/,
  );
});
