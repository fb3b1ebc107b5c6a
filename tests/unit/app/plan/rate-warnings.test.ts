import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { rateWarnings } from '../../../../src/app/plan/rate-warnings.ts';

const warningsOf = (source: string, scale: string, cpuCount: number): string[] =>
  rateWarnings(planFromRequest(readPlanRequest(source, { scale }), '').plan, cpuCount);

test('two CPUs are told which paths ask for more than they carry, and what would', () => {
  const [warning = '', ...others] = warningsOf('zhang2024-video', 'standard', 2);
  assert.equal(others.length, 0);
  assert.match(warning, /^2 CPUs may not carry .*zhang-5g-walking-1 \(up to 975 Mbit\/s\)/);
  assert.match(warning, /4 CPUs have room/);
  assert.doesNotMatch(warning, /ethernet-1g/, 'the kernel’s own link');
});

test('nothing is said where there is room, or little is asked for', () => {
  assert.deepEqual(warningsOf('zhang2024-video', 'standard', 4), []);
  assert.deepEqual(warningsOf('zhang2024-video', 'quick', 2), []);
  assert.deepEqual(warningsOf('liu2025-single', 'paper', 2), []);
});
