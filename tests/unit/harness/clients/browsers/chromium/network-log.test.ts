import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NetworkLog } from '../../../../../../harness/clients/browsers/chromium/network-log.ts';
import { ScriptedSession } from '../../../../../support/cdp-session.ts';

interface Rig {
  readonly log: NetworkLog;
  readonly page: ScriptedSession;
  readonly worker: ScriptedSession;
  clockMs: number;
}

function rig(): Rig {
  const made = { clockMs: performance.now() } as Rig;
  const log = new NetworkLog(() => made.clockMs);
  const page = new ScriptedSession('page');
  const worker = new ScriptedSession('worker');
  for (const session of [page, worker]) log.observe(session);
  return Object.assign(made, { log, page, worker });
}

function sent(session: ScriptedSession, requestId: string, more: object = {}): void {
  session.receive('Network.requestWillBeSent', {
    requestId,
    request: { url: `https://a.test/${requestId}`, method: 'GET', headers: {} },
    type: 'Fetch',
    ...more,
  });
}

test('received data is summed, not kept event by event', () => {
  const { log, page } = rig();
  sent(page, '1');
  for (let piece = 0; piece < 1000; piece++)
    page.receive('Network.dataReceived', {
      requestId: '1',
      dataLength: 10,
      encodedDataLength: 9,
      timestamp: piece,
    });
  assert.equal(log.requests.length, 1);
  assert.deepEqual(
    [log.requests[0]?.decodedBytes, log.requests[0]?.encodedBytes, log.requests[0]?.lastDataSeconds],
    [10_000, 9000, 999],
  );
});

test('it is quiet only while no request of any session is under way', () => {
  const made = rig();
  made.clockMs = performance.now() - 500;
  sent(made.page, '1');
  sent(made.worker, '2');
  assert.equal(made.log.quietForMs(), 0);
  made.page.receive('Network.loadingFinished', { requestId: '1' });
  assert.equal(made.log.quietForMs(), 0);
  made.worker.receive('Network.loadingFailed', { requestId: '2' });
  assert.ok(made.log.quietForMs() >= 500);
});

test('requests of a worker that is gone hold up nothing and stay in the log', () => {
  const { log, worker } = rig();
  sent(worker, '1');
  log.forget(worker);
  assert.ok(log.quietForMs() >= 0 && log.requests[0]?.finished === undefined);
  assert.equal(log.requests.length, 1);
});

test('an event stream, which never ends, is not waited for', () => {
  const made = rig();
  made.clockMs = performance.now() - 100;
  sent(made.page, '1', { type: 'EventSource' });
  assert.ok(made.log.quietForMs() >= 100);
});

test('one request that two sessions tell of is kept once, each step of a redirect by itself', () => {
  const { log, page, worker } = rig();
  sent(page, '1');
  sent(worker, '1');
  assert.equal(log.requests.length, 1);
  sent(page, '1', { redirectResponse: { status: 302 } });
  assert.equal(log.requests.length, 2);
  assert.notEqual(log.requests[0]?.redirect, undefined);
  sent(worker, '1', { redirectResponse: { status: 302 } });
  assert.equal(log.requests.length, 2, 'the second session tells of the same step');
});

test('bytes that two sessions tell of count once, also when one of them begins later', () => {
  const { log, page, worker } = rig();
  sent(page, '1');
  const data = { requestId: '1', dataLength: 10, encodedDataLength: 9, timestamp: 1 };
  page.receive('Network.dataReceived', data);
  sent(worker, '1');
  for (const session of [page, worker]) session.receive('Network.dataReceived', data);
  assert.deepEqual([log.requests[0]?.decodedBytes, log.requests[0]?.encodedBytes], [20, 18]);
});

test('addresses that are no objects of the network are left out', () => {
  const { log, page } = rig();
  for (const url of ['data:text/plain,x', 'blob:https://a.test/1'])
    sent(page, url, { request: { url, method: 'GET', headers: {} } });
  assert.equal(log.requests.length, 0);
});

test('a watcher hears of responses before and after it began to watch', () => {
  const { log, page } = rig();
  const heard: number[] = [];
  sent(page, '1');
  page.receive('Network.responseReceived', { requestId: '1', response: { status: 200 } });
  log.watchResponses(({ status }) => heard.push(status));
  sent(page, '2');
  page.receive('Network.responseReceived', { requestId: '2', response: { status: 404 } });
  assert.deepEqual(heard, [200, 404]);
});
