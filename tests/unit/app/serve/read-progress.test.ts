import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ProgressReader } from '../../../../src/app/serve/read-progress.ts';
import { cpuMs } from '../../../support/cpu-ms.ts';
import { generateRun } from '../../../support/generated-run.ts';

const { plan } = generateRun({ blocks: 1 });

test('a look at a run takes time in proportion to its trials, however many conditions they have', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'h2h3-progress-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const timeMs = (count: number): number => {
    const ids = Array.from({ length: count }, (_, index) => `c${index}`);
    const conditions = ids.map((conditionId) => ({ ...plan.conditions[0], conditionId }));
    const trials = ids.map((conditionId) => ({ ...plan.trials[0], conditionId }));
    writeFileSync(join(folder, 'plan.json'), JSON.stringify({ ...plan, conditions, trials }));
    const reader = new ProgressReader(folder);
    return cpuMs(() => assert.equal(reader.progress().conditions.length, count));
  };
  timeMs(500);
  const ratio = timeMs(12_000) / Math.max(1, timeMs(1500));
  assert.ok(ratio < 24, `8 times as many trials took ${ratio.toFixed(1)} times as long`);
});
