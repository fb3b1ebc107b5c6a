import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastEvents } from '../../../../src/analyse/forecast/event-forecast.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { exposureClause } from '../../../../src/analyse/wording/rare-events.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import { generateRun } from '../../../support/generated-run.ts';

const video = [{ id: 'film', kind: 'video' }] as const;
const messages = [{ id: 'chat', kind: 'messages' }] as const;

test('a plan says how much of stalls it shows, by the bound that its run has if it sees none', () => {
  const { plan, records } = generateRun({
    workloads: video,
    blocks: 6,
    alter: (record) => {
      const metrics: TrialMetrics = { ...record.metrics };
      Object.assign(metrics, { playedSeconds: 60, stallCount: 0, stallTotalMs: 0 });
      return { ...record, metrics };
    },
  });
  const [stalls] = forecastEvents(plan, () => 60);
  const seen = summarise(plan, records, null, []).comparisons.find(({ metric }) => metric === 'stallCount');
  assert.ok(stalls !== undefined && seen?.rareEvents !== undefined);
  assert.ok(Math.abs(stalls.exposure - seen.rareEvents.baseline.exposure) < 1e-9);
  assert.ok(Math.abs(stalls.boundIfNone - (seen.rareEvents.baseline.rateUpperBound95 ?? 0)) < 1e-9);
  assert.match(
    exposureClause(stalls),
    /^stalls: 6 minutes of play a side\. .*fewer than 30 an hour\. \d+ blocks/,
  );
});

test('more blocks and longer sessions bound a rate the lower, and the least of several workloads counts', () => {
  const boundOf = (blocks: number, seconds: readonly [number, number]): number => {
    const both = [...video, { id: 'short', kind: 'video' }] as const;
    const { plan } = generateRun({ workloads: both, blocks });
    const [stalls] = forecastEvents(plan, (workload) => seconds[workload === 'film' ? 0 : 1]);
    return stalls?.boundIfNone ?? assert.fail();
  };
  assert.ok(boundOf(12, [60, 60]) < boundOf(6, [60, 60]));
  assert.ok(boundOf(6, [120, 120]) < boundOf(6, [60, 60]));
  assert.equal(boundOf(6, [120, 60]), boundOf(6, [60, 60]));
});

test('of messages the same is said for a thousand of them; of what cannot be counted on, nothing', () => {
  const { plan } = generateRun({ workloads: messages, blocks: 10 });
  const [lost] = forecastEvents(plan, (_, name) => (name === 'messagesSent' ? 100 : undefined));
  assert.deepEqual([lost?.unit, lost?.exposure], ['1000 messages', 1]);
  assert.deepEqual(
    forecastEvents(plan, () => undefined),
    [],
  );
  assert.deepEqual(
    forecastEvents(generateRun().plan, () => 60),
    [],
  );
});

test('where very many blocks would not show a difference below the margin, that is said', () => {
  const { plan } = generateRun({ workloads: video, blocks: 6 });
  const [stalls] = forecastEvents(plan, () => 4);
  assert.equal(stalls?.blocksToEqual, null);
  assert.match(exposureClause(stalls), /More than 200 blocks without a stall would not show/);
});
