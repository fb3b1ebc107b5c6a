import assert from 'node:assert/strict';
import fs, { mkdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { mock, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { finishTrial } from '../../../../src/app/run/finish-trial.ts';
import type { PlannedTrial } from '../../../../src/core/model/plan.ts';
import type { RawTrial } from '../../../../src/core/model/raw-trial.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { TestbedFacts } from '../../../../src/core/model/testbed-facts.ts';
import type { Timeline, TimelineEntry } from '../../../../src/core/model/timeline.ts';
import type { PreparedWorkload } from '../../../../src/core/model/workload.ts';
import { harFile, rawFile } from '../../../../src/store/evidence.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { logEntry, originEpochMs, videoEvidence, videoSession } from '../../analyse/derive/evidence.ts';

const lagMs = 90;
const session = videoSession();
const { raw, har, workload, protocol } = videoEvidence(session);
// Each request reaches the server 90 ms after it was sent: half the round trip of a link with an injected delay.
const serverLog = session.chunks.map(({ url, bytes, requestStartMs }) =>
  logEntry({
    host: 'media.test',
    path: new URL(url).pathname,
    bytes,
    startEpochMs: originEpochMs + requestStartMs + lagMs,
  }),
);

const trial: PlannedTrial = {
  trialId: 'a',
  conditionId: 'c00',
  blockIndex: 0,
  arm: 'h2',
  blockSeed: 1,
  instrumentation: 'uninstrumented',
  workload: workload.id,
  client: 'chromium',
  network: 'fiber-300',
  server: 'caddy',
  factors: { protocol: 'h2', network: 'fiber-300', fault: 'delay=+168ms' },
};

/** What becomes of a trial of which its client says this. */
function recordOf(
  trialDir: string,
  said: RawTrial,
  artifacts: Readonly<Record<string, string>> = {},
): Promise<TrialRecord> {
  return finishTrial(
    trial,
    { kind: 'measured', raw: said, artifacts, postProcessMs: 0, steps: [] },
    { runDir: join(trialDir, '..'), trialDir, protocol, workload: workload as PreparedWorkload },
  );
}

/** A trial whose condition says `fiber-300`, over links of this round trip. */
async function recordOver(t: TestContext, roundTripMs: number): Promise<TrialRecord> {
  const testbed: TestbedFacts = {
    links: [],
    server: {
      id: 'caddy',
      name: 'Caddy',
      version: '2',
      tcpCongestionControl: 'reno',
      quicCongestionControl: 'reno',
    },
    proxies: [],
    roundTripMs,
    steady: true,
  };
  const trialDir = tempFolder(t);
  writeFileSync(join(trialDir, harFile), gzipSync(JSON.stringify(har)));
  return recordOf(trialDir, { ...raw, serverLog, testbed });
}

test('a trial is judged by the links that it had, not by those that its network names', async (t) => {
  const delayed = await recordOver(t, 180);
  assert.equal(delayed.status, 'ok', delayed.reason);
  const named = await recordOver(t, 12);
  assert.equal(named.status, 'invalid', 'so late over a short path is a fault');
});

const request: TimelineEntry = {
  url: 'https://player.test/',
  startMs: 0,
  redirectEndMs: 0,
  workerStartMs: 0,
  domainLookupStartMs: 0,
  connectStartMs: 0,
  secureConnectionStartMs: 0,
  connectEndMs: 0,
  requestStartMs: 1,
  responseStartMs: 2,
  responseEndMs: 3,
  protocol: 'h2',
  status: 200,
  delivery: '',
  transferBytes: 300,
  encodedBytes: 0,
  decodedBytes: 0,
  initiator: 'navigation',
};
const timelineOf = (change: Partial<TimelineEntry>, timeOriginEpochMs = originEpochMs): Timeline => ({
  scope: 'page',
  url: 'https://player.test/',
  timeOriginEpochMs,
  droppedEntries: 0,
  entries: [{ ...request, ...change }],
});

test('what a client says of a trial that makes no sense fails the trial alone', async (t) => {
  const senseless: Readonly<Record<string, Partial<RawTrial>>> = {
    'an address that is none': { timelines: [timelineOf({ url: 'no address' })] },
    'an absurd time': { timelines: [timelineOf({ startMs: 1e300 })] },
    'an absurd origin': { timings: null, timelines: [timelineOf({}, 1e300)] },
    'no trial': { durationMs: 'long' as unknown as number },
    'frames that are not there': { frames: [{ file: '1.jpg', tMs: 0 }] },
  };
  for (const [what, said] of Object.entries(senseless)) {
    const trialDir = tempFolder(t);
    const record = await recordOf(trialDir, { ...raw, ...said }, { raw: 'x', failure: 'failure.json' });
    assert.equal(record.status, 'failed', what);
    assert.equal(record.reasonCode, 'evidence-unreadable', what);
    assert.match(record.reason ?? '', /^the trial's evidence could not be read: .{5,510}$/, what);
    assert.deepEqual(record.artifacts, { failure: `${basename(trialDir)}/failure.json` }, what);
  }
});

test('a folder in the place of the evidence fails the trial, and no room for it ends the run', async (t) => {
  const trialDir = tempFolder(t);
  mkdirSync(join(trialDir, rawFile));
  const record = await recordOf(trialDir, raw);
  assert.deepEqual([record.status, record.reasonCode], ['failed', 'evidence-unkept']);
  assert.match(
    record.reason ?? '',
    /^the trial's evidence could not be kept: cannot write .*raw\.json\.gz: EISDIR/,
  );
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
  for (const code of ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES']) {
    const write = mock.method(fs, 'writeFileSync', () => {
      throw Object.assign(new Error(code), { code });
    });
    syncBuiltinESMExports();
    await assert.rejects(recordOf(trialDir, raw), { code: 'storage' }, code);
    write.mock.restore();
  }
});

test('the evidence in a record is what was written here, whatever a client calls so', async (t) => {
  const trialDir = tempFolder(t);
  writeFileSync(join(trialDir, harFile), gzipSync(JSON.stringify(har)));
  const { artifacts } = await recordOf(trialDir, raw, { har: harFile, raw: 'another' });
  const folder = basename(trialDir);
  assert.deepEqual(artifacts, { har: `${folder}/${harFile}`, raw: `${folder}/${rawFile}` });
});
