import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { finishTrial } from '../../../../src/app/run/finish-trial.ts';
import type { PlannedTrial } from '../../../../src/core/model/plan.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { TestbedFacts } from '../../../../src/core/model/testbed-facts.ts';
import type { PreparedWorkload } from '../../../../src/core/model/workload.ts';
import { harFile } from '../../../../src/store/evidence.ts';
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
  const outcome = { raw: { ...raw, serverLog, testbed }, artifacts: {}, postProcessMs: 0, steps: [] };
  return finishTrial(
    trial,
    { kind: 'measured', ...outcome },
    { runDir: trialDir, trialDir, protocol, workload: workload as PreparedWorkload },
  );
}

test('a trial is judged by the links that it had, not by those that its network names', async (t) => {
  const delayed = await recordOver(t, 180);
  assert.equal(delayed.status, 'ok', delayed.reason);
  const named = await recordOver(t, 12);
  assert.equal(named.status, 'invalid', 'so late over a short path is a fault');
});
