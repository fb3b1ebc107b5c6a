import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { ensureMitmdump } from '../../harness/tools/mitmdump.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { readFlows } from '../../sites/record/read-flows.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { recordingProxy } from '../support/recording-proxy.ts';
import { tempFolder } from '../support/temp-folder.ts';

const body = 'hello world';
const type = 'Content-Type: text/plain';
/** Heads of old servers, each of which browsers take; the lengths are those of the body. */
const heads: Readonly<Record<string, readonly string[]>> = {
  '/zeros': ['HTTP/1.1 200 OK', type, 'Content-Length: 0000011'],
  '/twice': ['HTTP/1.1 200 OK', type, 'Content-Length: 11', 'Content-Length: 11'],
  '/list': ['HTTP/1.1 200 OK', type, 'Content-Length: 11, 11'],
  '/blank': ['HTTP/1.1 200 OK', type, 'X-A : b', 'Content-Length: 11'],
  '/folded': ['HTTP/1.1 200 OK', type, 'X-Fold: a', ' b', 'Content-Length: 11'],
  '/nameless': ['HTTP/1.1 200', type, ': b', 'no colon', 'Content-Length: 11'],
  '/name': ['HTTP/1.1 200 OK', type, 'X Powered By: php', 'Content-Length: 11'],
  '/chunked': ['HTTP/1.1 200 OK', type, 'Content-Length: 99', 'Transfer-Encoding: chunked'],
  '/no-number': ['HTTP/1.0 200 OK', type, 'Content-Length: some'],
  '/to-the-end': ['HTTP/1.0 200 OK', type],
  '/blanks': ['HTTP/1.1 200 OK', type, 'Content-Length:       11  '],
  '/empty': ['HTTP/1.1 200 OK', type, 'X-Empty:', 'Content-Length: 11'],
  '/latin': ['HTTP/1.1 200 OK', type, 'X-Name: caf\u00e9', 'Content-Length: 11'],
  '/line-feeds': ['HTTP/1.1 200 OK', type, 'Content-Length: 11'],
};

test('answers of servers with odd heads are recorded as browsers read them', async (t) => {
  const setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
  const mitmdump = await ensureMitmdump(setup).catch(messageOf);
  if (typeof mitmdump === 'string') return t.skip(mitmdump);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => {
      const path = request.toString('latin1').split(' ')[1] ?? '';
      const content = path === '/chunked' ? `b\r\n${body}\r\n0\r\n\r\n` : body;
      const lineEnd = path === '/line-feeds' ? '\n' : '\r\n';
      socket.end(`${[...(heads[path] ?? []), '', ''].join(lineEnd)}${content}`, 'latin1');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => server.close());
  const { port: originPort } = server.address() as AddressInfo;
  const directory = tempFolder(t);
  const proxy = await recordingProxy({ host: 'odd.test', originPort, mitmdump, directory, limitMs: 120_000 });
  const got: Record<string, string> = {};
  try {
    for (const path of Object.keys(heads)) got[path] = (await proxy.ask(path)).toString('utf8');
  } finally {
    await proxy.stop();
  }
  assert.deepEqual(got, Object.fromEntries(Object.keys(heads).map((path) => [path, body])));
  const { flows } = await readFlows(directory);
  const headersOf = (path: string): [string, string][] => {
    const flow = flows.find(({ exchange: { entry } }) => entry.path === path);
    return flow?.exchange.entry.headers.map(([name, value]) => [name.toLowerCase(), value]) ?? [];
  };
  for (const path of ['/zeros', '/twice', '/list'])
    assert.deepEqual(
      headersOf(path).filter(([name]) => name === 'content-length'),
      [['content-length', '11']],
      path,
    );
  assert.ok(headersOf('/folded').some(([name, value]) => name === 'x-fold' && value === 'a b'));
  assert.deepEqual(headersOf('/latin')[1], ['x-name', 'caf\u00e9']);
  assert.ok(headersOf('/blank').some(([name, value]) => name === 'x-a' && value === 'b'));
});
