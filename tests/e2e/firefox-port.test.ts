import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { launchFirefox } from '../../harness/clients/browsers/firefox/launch-firefox.ts';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testEnvironment } from '../support/test-scope.ts';

/** Status of a request by plain HTTP with these headers; 101 where the WebSocket was taken. */
function statusOf(port: number, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((done, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, headers, agent: false });
    asking.on('response', (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
    asking.on('upgrade', (_, socket) => {
      socket.destroy();
      done(101);
    });
    asking.on('error', reject);
    asking.end();
  });
}

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** What a second program that reaches the port is answered to each command: the error, or nothing. */
async function askAsSecond(port: number, commands: readonly [string, object][]): Promise<unknown[]> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/session`);
  await new Promise((done, reject) => {
    socket.addEventListener('open', done, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const answers: unknown[] = [];
  for (const [index, [method, params]] of commands.entries()) {
    const answered = new Promise<string>((done) =>
      socket.addEventListener('message', ({ data }) => done(String(data)), { once: true }),
    );
    socket.send(JSON.stringify({ id: index + 1, method, params }));
    const { error } = JSON.parse(await answered) as { error?: string };
    answers.push(error ?? null);
  }
  socket.close();
  return answers;
}

test('a client of the port that Firefox is steered by gets no session, from a page not even a connection', async (t) => {
  const setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
  const client = await resolveClient('firefox', setup).catch(messageOf);
  if (typeof client === 'string') return t.skip(client);
  const profileDir = tempFolder(t);
  const marked = { ...client, environment: { ...client.environment, ...testEnvironment() } };
  const session = await launchFirefox({
    client: marked,
    profileDir,
    protocol: 'h2',
    spkiHash: '',
    hosts: ['a.test'],
    headed: false,
    server: { address: '127.0.0.1', port: 9 },
    mediaBufferMegabytes: 0,
    frames: false,
    instrumentation: 'uninstrumented',
  });
  t.after(() => session.close());
  const { ws_host: host, ws_port: port } = JSON.parse(
    readFileSync(join(profileDir, 'WebDriverBiDiServer.json'), 'utf8'),
  ) as { ws_host: string; ws_port: number };
  assert.equal(host, '127.0.0.1', 'the machine itself only');

  const ofPage = { ...upgrade, origin: 'https://evil.test' };
  assert.equal(await statusOf(port, '/session', ofPage), 400, 'a page has an origin');
  const rebound = { ...upgrade, host: 'evil.test' };
  assert.equal(await statusOf(port, '/session', rebound), 400, 'a name that leads here is not the machine');
  assert.equal(await statusOf(port, '/json/version', {}), 404, 'nothing is told by plain HTTP');

  const script = { expression: '1', target: { context: 'x' }, awaitPromise: false };
  assert.deepEqual(
    await askAsSecond(port, [
      ['session.new', { capabilities: {} }],
      ['browsingContext.getTree', {}],
      ['script.evaluate', script],
      ['session.end', {}],
      ['browser.close', {}],
    ]),
    ['session not created', ...Array.from({ length: 4 }, () => 'invalid session id')],
  );
});
