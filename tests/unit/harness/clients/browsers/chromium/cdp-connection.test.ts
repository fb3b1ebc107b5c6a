import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { CdpConnection } from '../../../../../../harness/clients/browsers/chromium/cdp-connection.ts';

function connect(): { connection: CdpConnection; toBrowser: PassThrough; fromBrowser: PassThrough } {
  const toBrowser = new PassThrough();
  const fromBrowser = new PassThrough();
  return { connection: new CdpConnection(toBrowser, fromBrowser), toBrowser, fromBrowser };
}

const attached = (id: string): string =>
  `{"method":"Target.attachedToTarget","params":{"sessionId":"${id}","targetInfo":{"type":"page"}}}\0`;

test('answers find their commands, in whatever pieces they come', async () => {
  const { connection, toBrowser, fromBrowser } = connect();
  fromBrowser.write(attached('s1'));
  await new Promise((resolve) => setImmediate(resolve));
  const version = connection.root.send('Browser.getVersion');
  const tree = connection.session('s1').send('Page.getFrameTree');
  const [sent] = (await once(toBrowser, 'data')) as [Buffer];
  assert.match(sent.toString(), /^\{"method":"Browser.getVersion","id":1\}\0/);
  const answers = `{"id":2,"sessionId":"s1","result":{"a":"ä"}}\0{"id":1,"result":{"product":"X/1"}}\0`;
  for (const byte of Buffer.from(answers)) fromBrowser.write(Buffer.of(byte));
  assert.deepEqual(await tree, { a: 'ä' });
  assert.deepEqual(await version, { product: 'X/1' });
});

test('events reach the listeners of their session only', async () => {
  const { connection, fromBrowser } = connect();
  const heard: string[] = [];
  fromBrowser.write(attached('s1'));
  await new Promise((resolve) => setImmediate(resolve));
  connection.root.on('Page.loadEventFired', () => heard.push('root'));
  connection.session('s1').on('Page.loadEventFired', ({ timestamp }) => heard.push(`s1 ${timestamp}`));
  fromBrowser.write('{"method":"Page.loadEventFired","sessionId":"s1","params":{"timestamp":5}}\0');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(heard, ['s1 5']);
});

test('a refusal names the command, and a browser that is gone leaves nobody waiting', async () => {
  const { connection, fromBrowser } = connect();
  const refused = connection.root.send('Browser.getVersion');
  const unanswered = connection.root.send('Browser.close');
  fromBrowser.write('{"id":1,"error":{"message":"not today"}}\0');
  await assert.rejects(refused, /Browser.getVersion: .*not today/);
  fromBrowser.destroy();
  await assert.rejects(unanswered, /did not do Browser.close/);
  await assert.rejects(connection.root.send('Browser.close'), /closed/);
});

test('network events that are deferred keep their order and the time they came, others are not held up', async () => {
  const { connection, fromBrowser } = connect();
  const heard: string[] = [];
  const arrivals: number[] = [];
  connection.root.on('Network.loadingFinished', ({ requestId }) => {
    heard.push(requestId);
    arrivals.push(connection.transport.arrivalMs);
  });
  connection.root.on('Page.loadEventFired', () => heard.push('load'));
  connection.transport.deferNetworkEvents();
  fromBrowser.write('{"method":"Network.loadingFinished","params":{"requestId":"1"}}\0');
  // What was written is read before the clock is looked at, however late this process gets its turn.
  await new Promise((resolve) => setImmediate(resolve));
  const readMs = performance.now();
  while (performance.now() < readMs + 20) await new Promise((resolve) => setImmediate(resolve));
  fromBrowser.write('{"method":"Network.loadingFinished","params":{"requestId":"2"}}\0');
  fromBrowser.write('{"method":"Page.loadEventFired","params":{"timestamp":5}}\0');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(heard, ['load']);
  connection.transport.flush();
  assert.deepEqual(heard, ['load', '1', '2']);
  assert.ok((arrivals[1] ?? 0) - (arrivals[0] ?? 0) > 10);
  connection.transport.stopDeferring();
  fromBrowser.write('{"method":"Network.loadingFinished","params":{"requestId":"3"}}\0');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(heard.at(-1), '3');
});

test('what a target said before it went is heard, also when its events are deferred', async () => {
  const { connection, fromBrowser } = connect();
  fromBrowser.write(attached('s1'));
  await new Promise((resolve) => setImmediate(resolve));
  const heard: string[] = [];
  connection.session('s1').on('Network.loadingFinished', ({ requestId }) => heard.push(requestId));
  connection.root.on('Target.detachedFromTarget', ({ sessionId }) => heard.push(`${sessionId} is gone`));
  connection.transport.deferNetworkEvents();
  fromBrowser.write('{"method":"Network.loadingFinished","params":{"requestId":"1"},"sessionId":"s1"}\0');
  fromBrowser.write('{"method":"Target.detachedFromTarget","params":{"sessionId":"s1"}}\0');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(heard, ['1', 's1 is gone']);
});
