import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutUnmeasured } from '../../../../src/analyse/validity/unmeasured-rules.ts';
import type { ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';
import type { DownloadSession } from '../../../../src/core/model/session.ts';

const url = 'https://files.h2h3.test:8443/5.bin?stream=0';
const entry = (bytes: number, startEpochMs: number, path = '/5.bin?stream=0'): ServerLogEntry => ({
  startEpochMs,
  durationMs: 1,
  method: 'GET',
  host: 'files.h2h3.test:8443',
  path,
  protocol: 'h2',
  status: 200,
  bytes,
});
const stream: DownloadSession['streams'][number] = {
  url,
  bytes: 3000,
  requestStartMs: 2,
  connectStartMs: 0,
  connectEndMs: 1,
  responseStartMs: 3,
  responseEndMs: 9,
  lastByteReadMs: 9,
  protocol: 'h2',
};
const session: DownloadSession = {
  kind: 'download',
  timeOriginEpochMs: 0,
  expectedBytes: 5000,
  streams: [stream],
  errors: [],
};

test('a log of the measured transfer alone stays as it is', () => {
  const log = [entry(5000, 1)];
  assert.deepEqual(withoutUnmeasured('h2', session, log), { log, findings: [] });
  assert.deepEqual(withoutUnmeasured('h2', session, null), { log: null, findings: [] });
});

test('the request that ended with the address is taken out, whatever was sent of it, and not the one after it', () => {
  const handover = { lostMs: 5, recoveredMs: 7, keptBytes: 2000, brokenBytes: 200_000 };
  const broken: DownloadSession = { ...session, streams: [{ ...stream, handover }] };
  const after = entry(3000, 20);
  assert.deepEqual(withoutUnmeasured('h2', broken, [after, entry(210_000, 10)]), {
    log: [after],
    findings: [],
  });
  // A frame came of a write that was cut off before the server counted it.
  const uncounted = entry(200_000 - 16_384, 10);
  assert.deepEqual(withoutUnmeasured('h2', broken, [after, uncounted]), { log: [after], findings: [] });
  const { findings } = withoutUnmeasured('h2', broken, [entry(100_000, 10)]);
  assert.match(findings[0]?.reason ?? '', /ran at the same time, is not in the server's log/);
});

test('a rival must have come over TCP with the bytes that it tells', () => {
  const flows = [{ url, protocol: 'h3', bytes: 5000, samples: [5000] }];
  const rival = { url: `${url}&rival=1-1`, protocol: 'h2', bytes: 700 };
  const contest: DownloadSession = { ...session, contest: { sampleMs: 100, flows, requests: [rival] } };
  const own = { ...entry(5000, 1), protocol: 'h3' };
  const its = entry(900, 1, '/5.bin?stream=0&rival=1-1');
  assert.deepEqual(withoutUnmeasured('h3', contest, [own, its]), { log: [own], findings: [] });
  const over = withoutUnmeasured('h3', contest, [own, { ...its, protocol: 'h3' }]);
  assert.match(over.findings[0]?.reason ?? '', /came over h3, expected h2/);
  assert.equal(withoutUnmeasured('h3', contest, [own]).findings.length, 1);
  const unanswered = {
    ...contest,
    contest: { sampleMs: 100, flows, requests: [{ ...rival, protocol: '', bytes: 0 }] },
  };
  for (const log of [[own], [own, its]])
    assert.deepEqual(withoutUnmeasured('h3', unanswered, log), { log: [own], findings: [] });
});
