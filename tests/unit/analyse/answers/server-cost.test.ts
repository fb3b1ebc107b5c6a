import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';

test('what the server pays is told below the headline, and stands in no chip', () => {
  const screenOf = (factor: number): Summary['firstScreen'] => {
    const { plan, records } = generateRun({
      noise: 0.15,
      seed: 4,
      blocks: 14,
      workloads: [{ id: 'file', kind: 'download' }],
      alter: (record) => {
        const metrics: TrialMetrics = { ...record.metrics };
        metrics['serverCpuSeconds'] = (record.arm === 'h3' ? factor : 1) + record.blockIndex / 1000;
        return { ...record, metrics };
      },
    });
    return summarise(plan, records, environmentFixture(['chromium'], ['host']), []).firstScreen;
  };
  const dearer = screenOf(1.9);
  assert.match(dearer.detail, /1\.9 times the server CPU time\..*CPU is a secondary measure\./);
  assert.doesNotMatch(dearer.headline, /server/);
  assert.ok(dearer.chips.every(({ text }) => !text.includes('server')));
  assert.doesNotMatch(screenOf(1).detail, /server CPU/);
});
