import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calibrateMachine } from '../../../../src/analyse/calibrate/calibrate-machine.ts';
import { blindMargins } from '../../../../src/analyse/gate/margin-check.ts';
import { calibrationSchema } from '../../../../src/core/model/calibration.ts';
import {
  calibrationArms,
  calibrationOptions,
  calibrationRuns,
  calibrationWorkloads,
  shareAt,
} from '../../../support/calibration-run.ts';
import { generateRun } from '../../../support/generated-run.ts';

const runs = calibrationRuns(5, 1, 0.03);
const options = { ...calibrationOptions, resamples: 100 };
const calibration = calibrateMachine(runs, { ...options, power: true });

test('the noise of generated blocks is found again: two arms of 3 % differ by 4.2 %', () => {
  assert.doesNotThrow(() => calibrationSchema.parse(calibration));
  const noisy = ['pltMs', 'cdtMs', 'ttfbMs', 'fcpMs', 'lcpMs', 'connectMs', 'speedIndexMs'];
  const series = calibration.series.filter(({ metric }) => noisy.includes(metric));
  assert.deepEqual([...new Set(series.map(({ blocks }) => blocks))], [60]);
  const mean = series.reduce((sum, { noise }) => sum + noise, 0) / series.length;
  assert.ok(Math.abs(mean / (0.03 * Math.SQRT2) - 1) < 0.15, `${mean}`);
  assert.equal(calibration.consistent, true);
});

test('arms that really differ lend nothing to the families of the same arm twice', () => {
  const slower = Array.from({ length: 12 }, (_, seed) => {
    const { plan, records } = generateRun({
      seed: seed + 60,
      arms: calibrationArms,
      blocks: 12,
      noise: 0.03,
      workloads: calibrationWorkloads,
      slowdown: { h3: 2, 'h3#2': 2 },
    });
    return { plan, environment: null, records };
  });
  const { families, alarmedFamilies, consistent } = calibrateMachine(slower, {
    ...options,
    power: false,
  });
  // Two arms, two kinds, primary and secondary: eight families a run, and BH lets 5 % of the secondary half alarm.
  assert.equal(families, 96);
  assert.ok(alarmedFamilies <= 8, `${alarmedFamilies}`);
  assert.equal(consistent, true);
});

test('more blocks find smaller changes, and never less than the margin', () => {
  const series = calibration.series.find(({ metric, arm }) => metric === 'pltMs' && arm === 'h2');
  const effects = series?.smallestEffect.map(({ value }) => value) ?? [];
  assert.deepEqual(
    effects,
    effects.toSorted((a, b) => b - a),
  );
  assert.ok(effects.every((effect) => effect > 0.03 && effect < 0.2));
});

test('a strong change is found in nearly every run of 20 blocks, nothing hardly ever, and blame falls on what was changed', () => {
  const share = (injection: string): number[] =>
    calibration.power.filter((row) => row.injection === injection).map((row) => shareAt(row, 20));
  const strong = [...share('+20 % delay'), ...share('−20 % rate')];
  assert.equal(strong.length, 4);
  assert.ok(Math.min(...strong) >= 0.95, strong.join(' '));
  assert.ok(Math.max(...share('nothing')) <= 0.05, share('nothing').join(' '));
  const blamed = share('+50 ms connect, h3 only: blamed on h3');
  assert.ok(blamed.length === 2 && Math.max(...blamed) > 0.95, blamed.join(' '));
});

test('a margin below what the machine can see is named with the figure', () => {
  const { plan } = generateRun({ blocks: 20, workloads: calibrationWorkloads });
  assert.deepEqual(blindMargins({ ...plan, margins: { pltMs: 0.2, throughputMbps: 0.2 } }, calibration), []);
  const blind = blindMargins({ ...plan, margins: { pltMs: 0.005, throughputMbps: 0.2 } }, calibration);
  assert.deepEqual([...new Set(blind.map(({ metric }) => metric))], ['pltMs']);
  assert.match(blind[0]?.sentence ?? '', /margin of 0\.50 % is below what this machine can see: 20 blocks/);
});
