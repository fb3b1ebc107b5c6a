import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFromClientOf } from '../../../../harness/trial/own-entries.ts';
import type { LinkFlow, ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';

function entry(protocol: string, connection?: string): ServerLogEntry {
  return {
    host: 'app.test',
    path: '/',
    method: 'GET',
    protocol,
    status: 200,
    bytes: 1,
    startEpochMs: 0,
    durationMs: 0,
    ...(connection === undefined ? {} : { connection }),
  };
}

function flow(transport: 'tcp' | 'udp', clientPort: number, upPackets = 3): LinkFlow {
  return {
    transport,
    clientPort,
    serverPort: 8443,
    upPackets,
    upBytes: 100 * upPackets,
    downPackets: 9,
    downBytes: 9000,
  };
}

test('an entry belongs to the trial over whose connection it came', () => {
  const isOwn = isFromClientOf([flow('udp', 50_001), flow('tcp', 50_002)]);
  assert.equal(isOwn(entry('h3', '50001')), true);
  assert.equal(isOwn(entry('h2', '50002')), true);
  assert.equal(
    isOwn(entry('h3', '40000')),
    false,
    'of an earlier trial, logged when its connection timed out',
  );
});

test('a port of TCP is another than the same port of UDP', () => {
  const isOwn = isFromClientOf([flow('tcp', 50_001)]);
  assert.equal(isOwn(entry('h3', '50001')), false);
  assert.equal(isOwn(entry('http/1.1', '50001')), true);
});

test('what a server still sends to a client that is gone makes no connection of this trial', () => {
  const isOwn = isFromClientOf([flow('udp', 50_001), flow('udp', 40_000, 0)]);
  assert.equal(isOwn(entry('h3', '40000')), false);
});

test('where server or link do not tell, time decides alone', () => {
  assert.equal(isFromClientOf(null)(entry('h3', '40000')), true);
  assert.equal(isFromClientOf([flow('udp', 50_001)])(entry('h3')), true);
});
