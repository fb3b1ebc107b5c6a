import assert from 'node:assert/strict';
import { test } from 'node:test';
import { raceMetrics } from '../../../../src/analyse/derive/race-metrics.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { LinkFlow } from '../../../../src/core/model/raw-trial.ts';
import { planFileSchema } from '../../../../src/plan/plan-file.ts';
import { generateRun } from '../../../support/generated-run.ts';

type Given = Parameters<typeof raceMetrics>[0];

const flow = (family: 4 | 6, clientPort: number, firstMs: number, serverPort = 8443): LinkFlow => ({
  family,
  transport: 'tcp',
  clientPort,
  serverPort,
  firstMs,
  upPackets: 3,
  upBytes: 2000,
  downPackets: 3,
  downBytes: 4000,
});

/** A trial of an arm with this setting, whose first request came over the connection from this port. */
const given = (family: '6' | 'both', linkFlows: readonly LinkFlow[], connection?: string): Given =>
  ({
    testbed: { links: [{ family }] },
    linkFlows,
    serverLog: [
      { connection: '1', startEpochMs: 20 },
      { ...(connection === undefined ? {} : { connection }), startEpochMs: 10 },
    ],
  }) as unknown as Given;

test('the wait is from the first packet of one version to the first of the other, at the server’s port alone', () => {
  const flows = [
    flow(4, 50_000, 1, 8053),
    flow(6, 50_001, 12.5),
    flow(6, 50_002, 20),
    flow(4, 50_003, 312.75),
    flow(4, 50_004, 400),
  ];
  assert.deepEqual(raceMetrics(given('both', flows, '50003')).metrics, { addressRaceMs: 300.25 });
});

test('where the server names no connection the wait is known if all flows but those of names go to one port', () => {
  const toServer = [flow(6, 50_001, 12.5), flow(4, 50_003, 262.5)];
  const withNames = { ...given('both', [flow(4, 50_000, 1, 8053), ...toServer]), resolverPort: 8053 };
  assert.deepEqual(raceMetrics(withNames).metrics, { addressRaceMs: 250 });
  const elsewhere = given('both', [...toServer, flow(4, 50_004, 1, 9443)]);
  assert.deepEqual(raceMetrics(elsewhere).metrics, {});
});

test('where one version was tried there was no race, and other arms have no such figure', () => {
  const { metrics } = raceMetrics(given('both', [flow(6, 50_001, 5), flow(4, 50_000, 1, 8053)], '50001'));
  assert.deepEqual(metrics, {});
  const fixed = given('6', [flow(6, 50_001, 5), flow(4, 50_002, 300)], '50001');
  assert.deepEqual(raceMetrics(fixed).metrics, {});
});

test('which version of IP was taken is told and never judged: neither is the better one', () => {
  const inEachArm = new Map<string, number>([
    ['h2', 4],
    ['h3', 6],
  ]);
  const { plan, records } = generateRun({
    alter: (record) => {
      const metrics: TrialMetrics = { ...record.metrics };
      metrics['connectFamily'] = inEachArm.get(record.arm) ?? null;
      return { ...record, metrics };
    },
  });
  assert.ok(records.every(({ metrics }) => typeof metrics['connectFamily'] === 'number'));
  const { comparisons } = summarise(plan, records, null, []);
  assert.ok(comparisons.length > 0);
  assert.deepEqual(
    comparisons.filter(({ metric }) => metric === 'connectFamily'),
    [],
  );
  assert.throws(
    () => planFileSchema.parse({ workloads: ['page-a'], margins: { connectFamily: 0.5 } }),
    /no such metric/,
  );
});
