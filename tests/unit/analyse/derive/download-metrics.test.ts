import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downloadMetrics } from '../../../../src/analyse/derive/download-metrics.ts';
import { downloadSession, stream } from './evidence.ts';

test('throughput is body bytes over last byte less request start', () => {
  const { metrics, warnings } = downloadMetrics(downloadSession());
  assert.deepEqual(metrics, {
    throughputMbps: 40,
    totalRequestTimeMs: 200,
    totalWithConnectMs: 240,
    ttfbWithConnectMs: 60,
    timeToFirstByteMs: 20,
    connectMs: 30,
  });
  assert.deepEqual(warnings, []);
});

test('of parallel streams all bytes and the latest finish count', () => {
  const streams = [
    stream({ connectStartMs: 0, connectEndMs: 0, requestStartMs: 110, responseEndMs: 500 }),
    stream({ responseStartMs: 140 }),
  ];
  const { metrics } = downloadMetrics(downloadSession(streams));
  assert.equal(metrics['totalRequestTimeMs'], 400);
  assert.equal(metrics['throughputMbps'], 40);
  assert.equal(metrics['timeToFirstByteMs'], 20);
  assert.equal(metrics['connectMs'], 30);
});

test('what a broken-off request brought counts as part of the body, and the time to recover is from loss to new bytes', () => {
  const handover = { lostMs: 150, recoveredMs: 190, keptBytes: 1_000_000, brokenBytes: 1_000_000 };
  const whole = downloadMetrics(downloadSession([stream()])).metrics;
  const { metrics } = downloadMetrics(downloadSession([stream({ handover, bytes: 0 })]));
  assert.equal(metrics['recoveryMs'], 40);
  assert.equal(metrics['throughputMbps'], whole['throughputMbps']);
  assert.equal(whole['recoveryMs'], undefined);
});

test('a connection that takes three times what its rival has took one and a half times its share', () => {
  const flows = [3000, 1000].map((bytes) => ({ url: '', protocol: 'h2', bytes, samples: null }));
  const session = { ...downloadSession(), contest: { sampleMs: 100, flows, requests: null } };
  const { metrics } = downloadMetrics(session);
  assert.equal(metrics['fairShare'], 1.5);
  assert.equal(metrics['fairnessIndex'], 0.8);
});

test('where Resource Timing has no end the script’s last byte counts', () => {
  const { metrics } = downloadMetrics(downloadSession([stream({ responseEndMs: 0 })]));
  assert.equal(metrics['totalRequestTimeMs'], 240);
});

test('withheld times give null and a warning', () => {
  const withheld = stream({ requestStartMs: 0, responseStartMs: 0, connectStartMs: 0, connectEndMs: 0 });
  const { metrics, warnings } = downloadMetrics(downloadSession([stream(), withheld]));
  assert.equal(metrics['throughputMbps'], null);
  assert.equal(metrics['totalRequestTimeMs'], null);
  assert.match(warnings.join(), /withholds the times/);
});

test('the time with the handshake begins with the first connection, and is missing where none was made', () => {
  const total = (streams: Parameters<typeof downloadSession>[0]): unknown =>
    downloadMetrics(downloadSession(streams)).metrics['totalWithConnectMs'];
  const later = stream({ connectStartMs: 0, connectEndMs: 0, requestStartMs: 110, responseEndMs: 500 });
  assert.equal(total([later, stream({ connectStartMs: 60, connectEndMs: 95 })]), 440);
  assert.equal(total([stream({ connectStartMs: 90, connectEndMs: 90 })]), null);
  assert.equal(total([stream({ connectStartMs: 0, connectEndMs: 30 })]), null);
});

test('a connection that was open already has no connect time', () => {
  const { metrics, warnings } = downloadMetrics(
    downloadSession([stream({ connectStartMs: 90, connectEndMs: 90 })]),
  );
  assert.equal(metrics['connectMs'], null);
  assert.match(warnings.join(), /connectMs: .*already open/);
});
