import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { netLog, readNetLog } from '../../../../harness/probes/net-log.ts';
import { trace } from '../../../../harness/probes/trace.ts';
import type { ProbeContext } from '../../../../harness/probes/probe.ts';

const constants = { logEventTypes: { QUIC_SESSION_PACKET_RECEIVED: 7, QUIC_SESSION: 8, OTHER: 9 } };
const head = [`{"constants":${JSON.stringify(constants)},`, '"events": ['];
const events = ['{"type":8,"phase":1},', '{"type":7},', '{"type":7},', '{"type":9},', '{"type":8,"phase":2}'];

test('events of a net log are counted by type, a beginning and its end as one', async () => {
  const found = await readNetLog(Readable.from([...head, ...events, ']}']));
  assert.deepEqual(found, {
    counters: { netLogQuicPacketsReceived: 2, netLogQuicSessions: 1 },
    isWhole: true,
  });
});

test('of a net log that was cut short what is there is counted, and that it is cut short is known', async () => {
  const cut = await readNetLog(Readable.from([...head, ...events.slice(0, 2), '{"type":7,"pha']));
  assert.deepEqual(cut, {
    counters: { netLogQuicPacketsReceived: 1, netLogQuicSessions: 1 },
    isWhole: false,
  });
  for (const nothing of [[], [''], ['{"constants":'], ['no log at all', '{"type":7},']])
    assert.deepEqual(await readNetLog(Readable.from(nothing)), { counters: {}, isWhole: false });
});

test('clients that write no net log and give no trace say so', () => {
  const context = { launch: { client: { family: 'firefox', name: 'Firefox' }, logs: {} } };
  for (const probe of [netLog, trace])
    assert.throws(() => probe.setup(context as unknown as ProbeContext), /Firefox .*only Chromium’s kin do/);
});
