import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noiseBetweenRuns } from '../../src/analyse/between-runs/between-run-noise.ts';
import { compareRuns } from '../../src/analyse/compare-runs/compare-runs.ts';
import { judgeGate } from '../../src/analyse/gate/judge-gate.ts';
import { compareRun } from '../../src/analyse/comparison/compare-run.ts';
import { comparisonRules } from '../../src/analyse/comparison/comparison-rules.ts';
import { buildTrialTable } from '../../src/analyse/comparison/trial-table.ts';
import { audienceResult } from '../../src/analyse/distributions/audience.ts';
import { summarise } from '../../src/analyse/summary/summarise.ts';
import { minNights, nightsToFind } from '../../src/core/model/history.ts';
import { seededRandom } from '../../src/core/model/seeded-random.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { audienceFixture } from '../support/audience-fixture.ts';
import { badNumbers } from '../support/bad-numbers.ts';
import { environmentFixture } from '../support/environment-fixture.ts';
import { generateGateRun } from '../support/gate-run.ts';
import { gaussian, generateRun } from '../support/generated-run.ts';
import { proportionInterval } from '../support/proportion-interval.ts';
import { errorCells, spreadCells } from './cells.ts';
import { simulateNights } from './simulate-nights.ts';
import { simulateSpread } from './simulate-spread.ts';
import { simulate } from './simulate.ts';

// What takes too long before every commit: error rates by simulation, and the largest run.

/**
 * Of loads around 3000 ms with a deviation of 60 ms, those of each arm a mixture of normals: the difference of the medians, found by
 * bisection of both distribution functions.
 */
const medianChangeMs = -72.88;

const environment = environmentFixture(['chromium'], ['host']);

test('over A/A gates hardly any is worse', () => {
  const outcomes = Array.from({ length: 30 }, (_, seed) => {
    const { plan, records } = generateGateRun({ seed, noise: 0.05 });
    return judgeGate(plan, records).outcome;
  });
  assert.ok(outcomes.filter((outcome) => outcome === 'worse').length <= 2, outcomes.join(' '));
});

test('over A/A gates for an audience hardly any is worse, and no user is said to lose', () => {
  const runs = 40;
  const audience = audienceFixture([0.4, 0.3, 0.2, 0.1]);
  const told = { worse: 0, losing: 0, gaining: 0 };
  for (let seed = 0; seed < runs; seed++) {
    const { plan, records } = generateGateRun({
      seed,
      noise: 0.05,
      workloads: [{ id: 'page-0', kind: 'page' }],
      networks: audience.conditions.map(({ network }) => network),
      plan: { audience },
      // Long loads, so that noise alone makes changes of more than 100 ms.
      alter: (record) => ({
        ...record,
        metrics: Object.assign({}, record.metrics, { pltMs: 10 * Number(record.metrics['pltMs']) }),
      }),
    });
    const gate = judgeGate(plan, records);
    if (gate.outcome === 'worse') told.worse++;
    const answers = (gate.audience?.answers ?? []).filter(({ isPrimary }) => isPrimary);
    assert.equal(answers.length, 2, 'one over each protocol');
    if (answers.some(({ noticeable }) => (noticeable?.losing.interval[0] ?? 0) > 0)) told.losing++;
    if (answers.some(({ noticeable }) => (noticeable?.gaining.interval[0] ?? 0) > 0)) told.gaining++;
  }
  for (const [what, count] of Object.entries(told)) {
    const least = proportionInterval(count, runs, 0.999)?.[0] ?? 0;
    assert.ok(least <= 0.05, `${what}: ${count} of ${runs}`);
  }
});

test('at the margin no kind of noise, family or run makes more false verdicts than the level', () => {
  const runs = 60;
  const atMargin = errorCells.filter(({ name }) => /at the margin/.test(name) && !/one arm/.test(name));
  assert.ok(atMargin.length > 30);
  for (const [index, cell] of atMargin.entries()) {
    const { verdicts } = simulate(cell, runs, 500 + index);
    const least = (count: number): number => proportionInterval(count, runs, 0.999)?.[0] ?? 0;
    assert.ok(least(verdicts.better + verdicts.worse) <= 0.025, `${cell.name}: ${JSON.stringify(verdicts)}`);
    assert.ok(least(verdicts.equivalent) <= 0.05, `${cell.name}: ${JSON.stringify(verdicts)}`);
  }
});

test('the interval of an audience holds the weighted truth in 93 to 97 % of runs', () => {
  const runs = 300;
  const cells = errorCells.filter(
    ({ shares, sequential, noise }) => shares !== undefined && !sequential && noise === 'normal',
  );
  assert.ok(cells.length >= 5);
  for (const [index, cell] of cells.entries()) {
    const { coverage, intervals } = simulate(cell, runs, 900 + index);
    assert.equal(intervals, runs, cell.name);
    const [low, high] = proportionInterval(Math.round(coverage * runs), runs, 0.999) ?? [0, 1];
    assert.ok(low <= 0.97 && high >= 0.93, `${cell.name}: ${coverage}`);
  }
});

// An equivalence shows its interval of 90 %, so that all of them together hold in a little less than 95 %.
test('the interval that a run shows which stopped early holds the weighted truth, too', () => {
  const runs = 200;
  const cells = errorCells.filter(
    ({ name, noise }) => /^sequential, audience of ten .* at the margin/.test(name) && noise === 'normal',
  );
  assert.equal(cells.length, 2);
  for (const [index, cell] of cells.entries()) {
    const { shownCoverage, intervals } = simulate(cell, runs, 1900 + index);
    const [, high] = proportionInterval(Math.round(shownCoverage * intervals), intervals, 0.999) ?? [0, 1];
    assert.ok(high >= 0.93, `${cell.name}: ${shownCoverage}`);
  }
});

test('an audience of which one part loses is mixed, whatever its mean', () => {
  const cell = errorCells.find(({ name }) => /of which one loses/.test(name));
  assert.ok(cell);
  const { verdicts, runs } = simulate(cell, 60, 77);
  assert.ok(verdicts.mixed >= 0.9 * runs, JSON.stringify(verdicts));
});

test('shares of users that gain and lose, and quantiles, have intervals that hold the truth', () => {
  const runs = 200;
  const shares = [0.4, 0.25, 0.2, 0.15];
  const meanMs = 3000;
  // The last lies at the limit, which counts as a gain.
  const changesMs = [-160, 0, 130, -100];
  const held = { gaining: 0, losing: 0, half: 0 };
  for (let run = 0; run < runs; run++) {
    const random = seededRandom(7000 + run);
    const { plan, records } = generateRun({
      workloads: [{ id: 'page-0', kind: 'page' }],
      networks: shares.map((_, i) => `audience-${i + 1}`),
      blocks: 10,
      plan: { audience: audienceFixture(shares) },
      alter: (record) => {
        const place = Number(record.network.slice('audience-'.length)) - 1;
        const change = record.arm === 'h3' ? (changesMs[place] ?? 0) : 0;
        return { ...record, metrics: { pltMs: meanMs + change + 60 * gaussian(random) } };
      },
    });
    const table = buildTrialTable(plan, records);
    const { comparisons } = compareRun(plan, table, comparisonRules(plan, { brief: true }));
    const answer = audienceResult(plan, table, comparisons)?.answers[0];
    const [low = 1, high = 0] = answer?.noticeable?.gaining.interval ?? [];
    if (low <= 0.55 + 1e-9 && high >= 0.55 - 1e-9) held.gaining++;
    const [least = 1, most = 0] = answer?.noticeable?.losing.interval ?? [];
    if (least <= 0.2 + 1e-9 && most >= 0.2 - 1e-9) held.losing++;
    const interval = answer?.quantiles[0]?.interval ?? [1, 0];
    if (interval[0] <= medianChangeMs && interval[1] >= medianChangeMs) held.half++;
  }
  // Bonferroni: at least as often as promised. Quantiles: about so often.
  assert.ok(held.gaining >= 0.93 * runs && held.losing >= 0.93 * runs, JSON.stringify(held));
  assert.ok(held.half >= 0.9 * runs, JSON.stringify(held));
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

test('as many nights as are said to find a step find it in four of five series', () => {
  assert.equal(minNights, 19);
  for (const { step, nights: count } of nightsToFind) {
    const { found, placed } = simulateNights({ nights: count, memory: 0, step }, 400, 1);
    assert.ok(found / 400 >= 0.8 && placed / 400 >= 0.75, `${step}: ${found}, ${placed}`);
  }
});

test('nights that resemble their neighbours are hardly ever taken for changes', () => {
  for (const memory of [0.3, 0.5]) {
    const { found } = simulateNights({ nights: 30, memory, step: 0 }, 1000, 1);
    // Nominal 1 %, and found in 0.5 and 1.2 %: three standard errors above.
    assert.ok(found / 1000 < 0.022, `${memory}: ${found}`);
  }
});

test('a hundred thousand records are summed up in seconds', { timeout: 600_000 }, () => {
  const workloads = Array.from({ length: 50 }, (_, i) => ({ id: `page-${i}`, kind: 'page' as const }));
  const { plan, records } = generateRun({ workloads, blocks: 1000 });
  assert.equal(records.length, 100_000);
  const before = process.cpuUsage();
  const summary = summarise(plan, records, null, []);
  // CPU time: other work on the machine must not count.
  const cpuSeconds = process.cpuUsage(before).user / 1e6;
  assert.ok(cpuSeconds < 60, `${cpuSeconds} s`);
  assert.deepEqual(badNumbers(summary), []);
});

test('sides that vary alike are hardly ever said not to, whatever the noise', () => {
  const runs = 2000;
  const alike = spreadCells.filter(({ ratio }) => ratio === 1);
  assert.ok(alike.length >= 8);
  for (const [index, cell] of alike.entries()) {
    const found = simulateSpread(cell, runs, 300 + index)['Sandvik and Olsson'] ?? runs;
    const least = proportionInterval(found, runs, 0.999)?.[0] ?? 0;
    assert.ok(least <= 0.05, `${JSON.stringify(cell)}: ${found} of ${runs}`);
  }
});
