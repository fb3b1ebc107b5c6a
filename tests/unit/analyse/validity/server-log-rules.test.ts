import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverLogFindings } from '../../../../src/analyse/validity/server-log-rules.ts';
import type { NetworkObject } from '../../../../src/core/metrics/evidence/network-object.ts';
import type { ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';
import { logEntry } from '../derive/evidence.ts';

const path = '/film/sound/00001.m4s';
const url = `https://media.test${path}`;
const wholeBytes = 1000;

/** What the browser has of one request for a chunk. */
const objectOf = (bodyBytes: number, error?: string): NetworkObject =>
  ({
    url,
    host: 'media.test',
    path,
    method: 'GET',
    status: 200,
    protocol: 'h3',
    protocolName: 'h3',
    bodyBytes,
    wireBytes: null,
    fromCache: false,
    browserMade: false,
    ...(error === undefined ? {} : { error }),
  }) as unknown as NetworkObject;

const sent = (bytes: number): ServerLogEntry => logEntry({ host: 'media.test', path, bytes, protocol: 'h3' });

function reasons(
  log: readonly ServerLogEntry[],
  objects: readonly NetworkObject[],
  abandonedUrls: readonly string[],
): string {
  const workload = { loggedHosts: ['media.test'], abandonedUrls };
  return serverLogFindings('h3', workload, log, objects)
    .map(({ reason }) => reason)
    .join('\n');
}

test('what a player gave up may have come in any part, and what it asked for again is proven whole', () => {
  const part = objectOf(700, 'net::ERR_ABORTED');
  const whole = objectOf(wholeBytes);
  assert.equal(reasons([sent(wholeBytes)], [part], [url]), '', 'the server was done before the browser');
  for (const log of [[sent(700), sent(wholeBytes)], [sent(wholeBytes), sent(wholeBytes)], [sent(wholeBytes)]])
    assert.equal(reasons(log, [part, whole], [url]), '', `${log.length} requests came to the server`);
  assert.equal(
    reasons([sent(0), sent(wholeBytes)], [whole], [url]),
    '',
    'given up before the browser tells of it',
  );
  assert.match(reasons([sent(wholeBytes)], [part], []), /sent 1000 body bytes, the browser got 700/);
  assert.match(reasons([sent(700), sent(900)], [part, whole], [url]), /the browser got 1000/);
  assert.match(
    reasons([sent(wholeBytes), sent(wholeBytes), sent(0)], [part, whole], [url]),
    /not in the HAR/,
  );
});
