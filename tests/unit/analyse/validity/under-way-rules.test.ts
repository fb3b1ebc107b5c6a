import assert from 'node:assert/strict';
import { test } from 'node:test';
import { underWayFindings } from '../../../../src/analyse/validity/under-way-rules.ts';
import type { RawTrial, ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';
import { logEntry, pageEvidence, rawTrial, videoEvidence } from '../derive/evidence.ts';

const restEpochMs = 1_700_000_010_000;

function logged(more: Partial<ServerLogEntry> = {}): ServerLogEntry {
  return { ...logEntry(), path: '/big.js', startEpochMs: restEpochMs - 900, durationMs: 2000, ...more };
}

function reasonsOf(serverLog: readonly ServerLogEntry[], more: Partial<RawTrial> = {}): string[] {
  const raw = rawTrial({ restEpochMs, serverLog: [...serverLog], ...more });
  return underWayFindings({ ...pageEvidence(), raw }).map(({ reason }) => reason);
}

test('a request that had begun before rest and ended after it makes the trial invalid, in timed and recorded blocks alike', () => {
  for (const instrumentation of ['uninstrumented', 'instrumented'] as const)
    assert.match(
      reasonsOf([logged()], { instrumentation }).join(),
      /^https:\/\/site\.test\/big\.js was still under way when the load seemed to be at rest: \d+ body bytes were sent$/,
    );
});

test('what ended before rest, or began after it, is no part of that', () => {
  assert.deepEqual(reasonsOf([logged({ durationMs: 800 })]), []);
  assert.deepEqual(reasonsOf([logged({ startEpochMs: restEpochMs + 1 })]), []);
});

test('web sockets, icons, and answers that an app never ends stay as they are', () => {
  assert.deepEqual(reasonsOf([logged({ status: 101 }), logged({ path: '/favicon.ico' })]), []);
  const app = { answered: 1, waits: [], slowest: null, failures: [], sockets: [] };
  assert.deepEqual(
    reasonsOf([logged({ path: '/events' })], { app: { ...app, unended: ['https://site.test/events'] } }),
    [],
  );
  assert.equal(reasonsOf([logged()], { app: { ...app, unended: ['https://site.test/events'] } }).length, 1);
  const big = 'https://site.test/big.js';
  assert.equal(
    reasonsOf([logged()], { app: { ...app, unended: [big], cut: [big] } }).length,
    1,
    'what has a length has an end',
  );
});

test('an address that failed in the recording may be held by the replay', () => {
  const evidence = pageEvidence();
  const replay = {
    ports: [443],
    essentialMisses: 0,
    missShare: 0,
    inexactShare: 0,
    firstScript: null,
    expectedFailures: ['https://site.test/big.js?then=1'],
    deadHosts: [],
  };
  const raw = rawTrial({ restEpochMs, serverLog: [logged(), logged({ path: '/other.js' })] });
  const found = underWayFindings({ ...evidence, workload: { ...evidence.workload, replay }, raw });
  assert.deepEqual(
    found.map(({ reason }) => reason.split(' ')[0]),
    ['https://site.test/other.js'],
  );
});

test('a session says itself what it gave up', () => {
  const evidence = videoEvidence();
  assert.deepEqual(
    underWayFindings({ ...evidence, raw: { ...evidence.raw, restEpochMs, serverLog: [logged()] } }),
    [],
  );
});
