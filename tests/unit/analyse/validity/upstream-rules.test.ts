import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upstreamFindings } from '../../../../src/analyse/validity/upstream-rules.ts';
import type { RawTrial, ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';

const entry = (protocol: string, status = 200): ServerLogEntry => ({
  host: 'a.test',
  path: '/x',
  method: 'GET',
  protocol,
  status,
  bytes: 1,
  startEpochMs: 0,
  durationMs: 1,
});

function findings(serverLog: ServerLogEntry[], upstreamLog?: ServerLogEntry[]): string[] {
  const testbed = { proxies: [{ upstreamProtocol: 'h3' }] };
  const raw = { serverLog, testbed, ...(upstreamLog === undefined ? {} : { upstreamLog }) };
  return upstreamFindings(raw as unknown as RawTrial).map(({ reason }) => reason);
}

test('without a proxy there is nothing to prove behind it', () => {
  assert.deepEqual(findings([entry('h2')]), []);
});

test('what the proxy asks the server for must go over the protocol that it was set to', () => {
  assert.deepEqual(findings([entry('h2')], [entry('h3')]), []);
  assert.match(findings([entry('h2')], [entry('h2')]).join(), /asked the server for \/x over h2, not h3/);
});

test('a proxy that answers by itself or asks twice is found; what it refuses is not passed on', () => {
  assert.match(findings([entry('h2'), entry('h2')], [entry('h3')]).join(), /answered 2 requests .* 1/);
  assert.match(findings([entry('h2')], [entry('h3'), entry('h3')]).join(), /answered 1 request and .* 2/);
  assert.deepEqual(findings([entry('h2'), entry('h2', 421)], [entry('h3')]), []);
});
