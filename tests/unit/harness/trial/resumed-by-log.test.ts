import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resumedByLog } from '../../../../harness/trial/resumed-by-log.ts';
import type { ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';
import type { DownloadSession } from '../../../../src/core/model/session.ts';

const url = 'https://files.h2h3.test:8443/10.bin?stream=0';
const stream: DownloadSession['streams'][number] = {
  url,
  bytes: 10,
  requestStartMs: 3,
  connectStartMs: 1,
  connectEndMs: 2,
  responseStartMs: 4,
  responseEndMs: 5,
  lastByteReadMs: 5,
  protocol: 'h2',
  resumption: { resumed: null, earlyData: false, ticketBytes: 1 },
};
const session = (streams = [stream]): DownloadSession => ({
  kind: 'download',
  timeOriginEpochMs: 0,
  expectedBytes: 10,
  errors: [],
  streams,
});
const entry = (startEpochMs: number, resumed?: boolean): ServerLogEntry => ({
  method: 'GET',
  host: 'files.h2h3.test:8443',
  path: '/10.bin?stream=0',
  protocol: 'h2',
  status: 200,
  bytes: 10,
  startEpochMs,
  durationMs: 1,
  ...(resumed === undefined ? {} : { resumed }),
});
const said = (log: readonly ServerLogEntry[] | null, streams = [stream]): unknown => {
  const told = resumedByLog(session(streams), log);
  return told?.kind === 'download' ? told.streams[0]?.resumption?.resumed : undefined;
};

test('the server’s log says whether the later of two connections took the session up', () => {
  assert.equal(said([entry(2, true), entry(1, false)]), true);
  assert.equal(said([entry(1, true), entry(2, false)]), false);
  assert.equal(said([entry(1)]), null, 'a server that does not say');
  assert.equal(said(null), null);
});

test('the log says too whether the request was early data, which the arm’s own word is kept with', () => {
  const untold = { ...stream, resumption: { resumed: null, earlyData: null, ticketBytes: 0 } };
  const told = (earlyData: boolean | undefined): unknown => {
    const logged = { ...entry(1, true), ...(earlyData === undefined ? {} : { earlyData }) };
    const kept = resumedByLog(session([untold]), [logged], '0rtt');
    return kept?.kind === 'download' ? kept.streams[0]?.resumption : undefined;
  };
  const common = { asked: '0rtt', resumed: true, ticketBytes: 0 };
  assert.deepEqual(told(true), { ...common, earlyData: true });
  assert.deepEqual(told(false), { ...common, earlyData: false });
  assert.deepEqual(told(undefined), { ...common, earlyData: null });
});

test('what the client itself tells stays as it is, and so do transfers that resume nothing', () => {
  const own = { ...stream, resumption: { resumed: true, earlyData: true, ticketBytes: 1 } };
  assert.equal(said([entry(1, false)], [own]), true);
  const plain = { ...stream, resumption: undefined };
  assert.equal(said([entry(1, true)], [plain]), undefined);
  assert.equal(resumedByLog(null, []), null);
});
