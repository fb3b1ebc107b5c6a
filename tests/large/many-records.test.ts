import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../src/analyse/summary/summarise.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { generateRun } from '../support/generated-run.ts';

test('ten thousand records are summarised within seconds and far below a gigabyte', async () => {
  const workloads = Array.from({ length: 100 }, (_, i) => ({ id: `page-${i}`, kind: 'page' as const }));
  const { plan, records } = generateRun({ workloads, blocks: 50 });
  assert.equal(records.length, 10_000);
  // Tests share their process, and what others took of it is not this one's.
  const beforeBytes = process.memoryUsage().rss;
  const tookMs = await cpuMsOf(() =>
    assert.equal(summarise(plan, records, null, []).trials.ok, records.length),
  );
  assert.ok(tookMs < 10_000, `${tookMs} ms of CPU time`);
  assert.ok(process.memoryUsage().rss - beforeBytes < 8e8);
});
