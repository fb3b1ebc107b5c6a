import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { generateRun } from '../../../support/generated-run.ts';

test('counters of the path are added up for each arm, invalid trials included', () => {
  const { plan, records } = generateRun();
  const counted = records.map((record, index) => ({
    ...record,
    ...(index === 0 ? { status: 'invalid' as const, reason: 'a buffer was full' } : {}),
    counters: { UdpRcvbufErrors: index === 0 ? 7 : 0, emulatorDownPackets: 100 },
  }));
  const { pathCounters = [] } = summarise(plan, counted, null, []);
  const arm = pathCounters.find((row) => row.arm === records[0]?.arm);
  const ofArm = records.filter((record) => record.arm === records[0]?.arm).length;
  assert.equal(arm?.trials, ofArm);
  assert.deepEqual(arm?.counters, { UdpRcvbufErrors: 7, emulatorDownPackets: 100 * ofArm });
  assert.equal(new Set(pathCounters.map((row) => row.arm)).size, pathCounters.length);
});

test('a run whose records hold no counters has none in its summary', () => {
  const { plan, records } = generateRun();
  assert.equal(summarise(plan, records, null, []).pathCounters, undefined);
});
