import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noiseBetweenRuns } from '../../src/analyse/between-run-noise.ts';
import { compareRuns } from '../../src/analyse/compare-runs/compare-runs.ts';
import { judgeGate } from '../../src/analyse/gate/judge-gate.ts';
import { summarise } from '../../src/analyse/summarise.ts';
import { seededRandom } from '../../src/model/seeded-random.ts';
import type { Summary } from '../../src/model/summary.ts';
import { badNumbers } from '../support/bad-numbers.ts';
import { environmentFixture } from '../support/environment-fixture.ts';
import { generateGateRun } from '../support/gate-run.ts';
import { gaussian, generateRun } from '../support/generated-run.ts';
import { simulateNights } from './simulate-nights.ts';

// What takes too long before every commit: error rates by simulation, and the largest run.

const environment = environmentFixture(['chromium'], ['host']);

test('over A/A gates hardly any is worse', () => {
  const outcomes = Array.from({ length: 120 }, (_, seed) => {
    const { plan, records } = generateGateRun({ seed, noise: 0.05 });
    return judgeGate(plan, records).outcome;
  });
  assert.ok(outcomes.filter((outcome) => outcome === 'worse').length <= 4, outcomes.join(' '));
});

test('runs that differ by 2 % of themselves give hardly any false verdict', () => {
  let families = 0;
  let alarms = 0;
  for (let round = 0; round < 60; round++) {
    const drifting = (seed: number): Summary => {
      const shift = Math.exp(gaussian(seededRandom(seed)) * 0.02);
      const { plan, records } = generateRun({ seed, slowdown: { h3: shift }, blocks: 8, noise: 0.01 });
      return summarise(plan, records, environment, []);
    };
    const noise = noiseBetweenRuns(
      Array.from({ length: 6 }, (_, i) => drifting(round * 10 + i + 1).comparisons),
    );
    const { contrasts } = compareRuns(
      { folder: 'a', summary: drifting(round * 10 + 8) },
      { folder: 'b', summary: drifting(round * 10 + 9) },
      noise,
    );
    const primary = contrasts.filter((one) => one.primary);
    families++;
    if (primary.some(({ verdict }) => verdict === 'better' || verdict === 'worse')) alarms++;
  }
  assert.ok(alarms <= 5, `${alarms} of ${families}`);
});

test('nights that resemble their neighbours are hardly ever taken for changes', () => {
  for (const memory of [0.3, 0.5]) {
    const { found } = simulateNights({ nights: 30, memory, step: 0 }, 1000, 1);
    // Nominal 1 %; what estimating the memory costs makes it about 3 %.
    assert.ok(found / 1000 < 0.05, `${memory}: ${found}`);
  }
});

test('a hundred thousand records are summed up in seconds', { timeout: 120_000 }, () => {
  const workloads = Array.from({ length: 50 }, (_, i) => ({ id: `page-${i}`, kind: 'page' as const }));
  const { plan, records } = generateRun({ workloads, blocks: 1000 });
  assert.equal(records.length, 100_000);
  const begun = performance.now();
  const summary = summarise(plan, records, null, []);
  assert.ok(performance.now() - begun < 60_000, `${performance.now() - begun} ms`);
  assert.deepEqual(badNumbers(summary), []);
});
