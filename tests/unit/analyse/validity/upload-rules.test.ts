import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveTrial } from '../../../../src/analyse/derive/derive-trial.ts';
import type { DerivedTrial } from '../../../../src/core/model/derive.ts';
import type { RawTrial } from '../../../../src/core/model/raw-trial.ts';
import { logEntry, sinkLine, uploadEvidence, uploadSession, wantedUpload } from '../derive/evidence.ts';

async function derived(changes: Partial<RawTrial> = {}): Promise<DerivedTrial> {
  return deriveTrial(uploadEvidence(changes));
}

async function judged(changes: Partial<RawTrial>): Promise<readonly [string, string | undefined, string]> {
  const { status, reasonCode, reason = '' } = await derived(changes);
  return [status, reasonCode, reason];
}

test('an upload whose count and digest both ends have alike is ok, and its time and rate are those of the request', async () => {
  const { status, reason, metrics } = await derived();
  assert.equal(status, 'ok', reason);
  assert.equal(metrics['uploadMs'], 800);
  assert.equal(metrics['uploadMbps'], 10);
  assert.equal(metrics['connectMs'], 30);
  assert.equal(metrics['uploadStallMs'], 0);
});

test('times of a second or more without a byte are stalls, shorter ones are not', async () => {
  const pauses = [999, 1000, 2500].map((durationMs, index) => ({ startMs: 5000 * index, durationMs }));
  const { metrics } = await derived({ arrived: [sinkLine({ pauses })] });
  assert.equal(metrics['uploadStallMs'], 3500);
  assert.equal(metrics['uploadStallCount'], 2);
});

test('another digest, another count and a second upload make it invalid', async () => {
  const [status, code, reason] = await judged({ arrived: [sinkLine({ sha256: '00'.repeat(32) })] });
  assert.deepEqual([status, code], ['invalid', 'upload-differs']);
  assert.match(reason, /SHA-256 of what came is 0+, expected abab/);
  const fewer = await judged({ arrived: [sinkLine({ bytes: 999_999 })] });
  assert.deepEqual(fewer, ['invalid', 'upload-differs', '999999 of 1000000 bytes arrived']);
  const twice = await judged({ arrived: [sinkLine(), sinkLine({ id: 'second' })] });
  assert.deepEqual(twice.slice(0, 2), ['invalid', 'upload-differs']);
  assert.match(twice[2], /2 uploads came to the sink .*, expected 1/);
  const claimed = await judged({ session: uploadSession({ sentBytes: 5 }) });
  assert.match(claimed[2], /says that it sent 5 bytes, expected 1000000/);
});

test('without the account of the sink, or with that of another upload, nothing is proven', async () => {
  const evidence = uploadEvidence();
  const raw = { ...evidence.raw };
  delete raw.arrived;
  const { status, reasonCode } = await deriveTrial({ ...evidence, raw });
  assert.deepEqual([status, reasonCode], ['invalid', 'no-evidence']);
  const other = await judged({ arrived: [sinkLine({ path: '/upload-b' })] });
  assert.match(other[2], /^0 uploads came/);
});

test('an upload that was cut off is failed, with the bytes that arrived', async () => {
  const cut = [sinkLine({ bytes: 123_456, end: 'cut' })];
  const told = await judged({ arrived: cut });
  assert.deepEqual(told, ['failed', 'upload-differs', '123456 of 1000000 bytes arrived']);
  const session = { ...uploadSession(), uploads: [], errors: ['TypeError: Failed to fetch'] };
  const [status, code, reason] = await judged({ session, arrived: cut });
  assert.deepEqual([status, code], ['failed', 'page-error']);
  assert.match(reason, /Failed to fetch; 123456 of 1000000 bytes arrived$/);
  const error = { code: 'process-failed', message: 'the upload was answered with status 413' };
  const refused = await judged({
    session: null,
    outcome: 'error',
    error,
    arrived: [sinkLine({ bytes: 0, end: 'refused' })],
  });
  assert.deepEqual(refused, ['failed', 'trial-error', `${error.message}; 0 of 1000000 bytes arrived`]);
});

test('at its deadline an upload counts with what had arrived, not with what came down', async () => {
  const arrived = [sinkLine({ bytes: 250_000, end: 'cut' })];
  const { status, reasonCode, metrics } = await derived({ session: null, outcome: 'deadline', arrived });
  assert.deepEqual([status, reasonCode], ['failed', 'deadline']);
  assert.equal(metrics.bytesSoFar, 250_000);
});

test('an upload that the server had over another protocol, or not at all, is invalid', async () => {
  const log = (changes: Partial<ReturnType<typeof logEntry>>): RawTrial['serverLog'] => [
    logEntry({ host: wantedUpload.host, path: wantedUpload.path, method: 'POST', bytes: 100, ...changes }),
  ];
  const other = await judged({ serverLog: log({ protocol: 'h3' }) });
  assert.deepEqual(other.slice(0, 2), ['invalid', 'log-differs']);
  const asked = await judged({ serverLog: log({ method: 'GET' }) });
  assert.equal(asked[0], 'invalid');
  const seen = await judged({ session: uploadSession({ protocol: 'h3' }) });
  assert.deepEqual(seen.slice(0, 2), ['invalid', 'wrong-protocol']);
});

test('where the link counts flows, those of the arm’s transport must have carried the body up', async () => {
  const flow = (transport: 'tcp' | 'udp', upBytes: number): NonNullable<RawTrial['linkFlows']>[number] => ({
    transport,
    clientPort: 50_000,
    serverPort: 443,
    upPackets: 700,
    upBytes,
    downPackets: 10,
    downBytes: 500,
  });
  assert.equal((await derived({ linkFlows: [flow('tcp', 1_040_000)] })).status, 'ok');
  const other = await judged({ linkFlows: [flow('tcp', 40_000), flow('udp', 1_040_000)] });
  assert.deepEqual(other, [
    'invalid',
    'other-transport',
    '40000 bytes went up over TCP, and the body has 1000000',
  ]);
});
