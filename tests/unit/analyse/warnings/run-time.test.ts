import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOfRun } from '../../../../src/analyse/warnings/run-time.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { generateRun } from '../../../support/generated-run.ts';

const noonMs = Date.parse('2026-01-01T12:00:00Z');
const { plan, records } = generateRun();
/** Trials of 10 s, one every 12 s; from `from` on the clock of the day is off by `jumpMs`. */
const run = (jumpMs: number, from = records.length / 2): TrialRecord[] =>
  records.map((record, index) => ({
    ...record,
    startedAt: new Date(noonMs + index * 12_000 + (index >= from ? jumpMs : 0)).toISOString(),
    durationMs: 10_000,
    postProcessMs: 1_000,
  }));
const trueSpanMs = (records.length - 1) * 12_000 + 10_000;

test('a run takes from its first start to its last end', () => {
  assert.deepEqual(timeOfRun(run(0)), { startMs: noonMs, spanMs: trueSpanMs, setBackMs: 0 });
  assert.deepEqual(timeOfRun([]), { startMs: null, spanMs: null, setBackMs: 0 });
});

test('a clock that is set back by two hours changes neither beginning nor length, and is told', () => {
  const time = timeOfRun(run(-7_200_000));
  assert.equal(time.startMs, noonMs);
  assert.ok(Math.abs((time.spanMs ?? 0) - trueSpanMs) < 5_000, String(time.spanMs));
  assert.ok(Math.abs(time.setBackMs - 7_200_000) < 5_000);
  const { run: shown, warnings } = summarise(plan, run(-7_200_000), null, []);
  assert.ok((shown.spanMs ?? Infinity) < trueSpanMs + 5_000);
  assert.ok(warnings.some((warning) => /set back by about 120 min/.test(warning)));
});

test('a pause before a run was resumed is no time of the run', () => {
  const { spanMs } = timeOfRun(run(3_600_000));
  assert.ok(Math.abs((spanMs ?? 0) - trueSpanMs) < 5_000, String(spanMs));
});

test('a small correction of the clock is no jump', () => {
  assert.equal(timeOfRun(run(-2_000)).setBackMs, 0);
});

test('times that no date can hold are left out', () => {
  const [first] = run(0);
  assert.ok(first);
  assert.equal(timeOfRun([{ ...first, startedAt: 'yesterday' }]).startMs, null);
});
