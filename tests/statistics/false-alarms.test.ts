import assert from 'node:assert/strict';
import { test } from 'node:test';
import { falseAlarmsOf } from '../../src/analyse/summary/false-alarms.ts';
import { summarise } from '../../src/analyse/summary/summarise.ts';
import type { Comparison } from '../../src/core/model/summary.ts';
import { armsAA, generateRun } from '../support/generated-run.ts';

const aaRun = (seed: number, slowdown = 1): readonly Comparison[] => {
  const { plan, records } = generateRun({ seed, arms: armsAA, noise: 0.1, slowdown: { 'h2#2': slowdown } });
  return summarise(plan, records, null, []).comparisons;
};

test('A/A runs alarm as often as the exact test may, and their families hardly ever', () => {
  const runs = Array.from({ length: 60 }, (_, seed) => aaRun(seed));
  const result = falseAlarmsOf(runs);
  assert.equal(result.consistent, true, JSON.stringify(result));
  assert.ok(result.comparisons > 1000);
  assert.ok((result.attainableSize ?? 0) > 0.03 && (result.attainableSize ?? 1) < 0.05);
  assert.ok(result.alarmedFamilies <= 2);
  assert.ok((result.alarmedFamiliesUpperBound ?? 1) < 0.06);
  assert.equal(result.families, 120);
});

test('arms that are not the same are found out', () => {
  const result = falseAlarmsOf(Array.from({ length: 20 }, (_, seed) => aaRun(seed, 1.2)));
  assert.equal(result.consistent, false);
  assert.ok(result.alarmedFamilies > 15);
});

test('comparisons that could never alarm are left out and counted', () => {
  const { plan, records } = generateRun({ arms: armsAA });
  const { comparisons, calibration } = summarise(plan, records, null, []);
  const constant = comparisons.filter(({ metric }) => metric === 'objectCount').length;
  const result = falseAlarmsOf([comparisons]);
  assert.ok(result.untestable >= constant && constant > 0);
  assert.equal(result.comparisons + result.untestable, comparisons.length);
  assert.deepEqual(calibration?.comparisons, result.comparisons);
});

test('one run has a rate but no interval; no run has nothing', () => {
  const one = falseAlarmsOf([aaRun(1)]);
  assert.ok(one.falseAlarmRate !== null);
  assert.deepEqual([one.falseAlarmInterval, one.consistent], [null, null]);
  const none = falseAlarmsOf([]);
  assert.deepEqual(
    [none.falseAlarmRate, none.attainableSize, none.alarmedFamiliesUpperBound],
    [null, null, null],
  );
});

test('only A/A runs calibrate themselves', () => {
  const { plan, records } = generateRun();
  assert.equal(summarise(plan, records, null, []).calibration, null);
});
