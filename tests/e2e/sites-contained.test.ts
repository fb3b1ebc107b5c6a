import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createCaddyProvider } from '../../harness/servers/caddy.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { archiveWorkload } from '../../sites/archive/archive-workload.ts';
import { writeArchive } from '../../sites/archive/write-archive.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { objectsOf, runTrialWorker, trialOrder } from '../support/trial-rig.ts';

/** A page that tries every way out that browsers know, and says `/tried` when it has. */
const escaping = (port: number): string => `<!DOCTYPE html><link rel="icon" href="data:,">
<link rel="preconnect" href="https://127.0.0.1:${port}"><link rel="dns-prefetch" href="//127.0.0.1:${port}">
<link rel="prefetch" href="https://127.0.0.1:${port}/prefetch">
<link rel="stylesheet" href="https://127.0.0.1:${port}/style.css">
<img src="http://127.0.0.1:${port}/image"><iframe src="http://localhost:${port}/frame"></iframe>
<script src="https://[::1]:${port}/script.js"></script>
<script>
const attempt = (way) => { try { return Promise.resolve(way()).catch(() => undefined); } catch { return Promise.resolve(); } };
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const places = ['http://127.0.0.1:${port}/', 'https://127.0.0.1:${port}/', 'https://localhost:${port}/', 'http://[::1]:${port}/', 'https://2130706433:${port}/'];
(async () => {
  for (const place of places) {
    await attempt(() => fetch(place + 'fetch', { mode: 'no-cors' }));
    await attempt(() => navigator.sendBeacon(place + 'beacon', 'x'));
    await attempt(() => new WebSocket(place.replace('http', 'ws') + 'socket'));
    await attempt(() => new EventSource(place + 'events'));
    await attempt(() => { const worker = new Worker(URL.createObjectURL(new Blob(['fetch("' + place + 'worker", { mode: "no-cors" })']))); });
  }
  await Promise.race([attempt(() => new WebTransport('https://127.0.0.1:${port}/transport').ready), pause(500)]);
  await attempt(async () => {
    const peer = new RTCPeerConnection({ iceServers: [
      { urls: 'stun:127.0.0.1:${port}' },
      { urls: 'turn:127.0.0.1:${port}?transport=udp', username: 'a', credential: 'b' },
      { urls: 'turn:127.0.0.1:${port}?transport=tcp', username: 'a', credential: 'b' },
    ] });
    peer.createDataChannel('a');
    await peer.setLocalDescription(await peer.createOffer());
  });
  await pause(700);
  await fetch('/tried');
})();
</script>`;

interface Canary {
  readonly port: number;
  /** What reached it. */
  readonly caught: string[];
}

/** Listens on one port of the loopback for TCP and UDP, over IPv4 and IPv6 where there is any. */
async function canary(t: TestContext): Promise<Canary> {
  const caught: string[] = [];
  const server = createServer((socket) => {
    caught.push('TCP');
    socket.on('error', () => undefined);
    socket.on('data', (data) => caught.push(data.toString('latin1').slice(0, 80)));
  });
  await new Promise<void>((done) => server.listen(0, done));
  const { port } = server.address() as AddressInfo;
  const udp = createSocket('udp4');
  udp.on('message', (message) => caught.push(`UDP ${message.length}`));
  await new Promise<void>((done) => udp.bind(port, '127.0.0.1', done));
  t.after(() => {
    server.close();
    udp.close();
  });
  return { port, caught };
}

test('a canary tells of whoever reaches it', async (t) => {
  const { port, caught } = await canary(t);
  const socket = connect(port, '127.0.0.1');
  await new Promise((done) => socket.once('connect', done));
  const udp = createSocket('udp4');
  udp.send('x', port, '127.0.0.1');
  await wait(300);
  socket.destroy();
  udp.close();
  assert.deepEqual(caught, ['TCP', 'UDP 1']);
});

for (const browser of ['chromium', 'firefox'] as const) {
  test(`a replayed page in ${browser} reaches the replay's server and nothing else`, async (t) => {
    const setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
    const client = await resolveClient(browser, setup).catch((thrown: unknown) => String(thrown));
    if (typeof client === 'string') return t.skip(client);
    const { port, caught } = await canary(t);
    const archive = join(tempFolder(t), 'archive');
    const entry = {
      host: 'site.test',
      query: '',
      range: '',
      method: 'GET',
      status: 200,
      startMs: 0,
      waitMs: 0,
    };
    const headers: [string, string][] = [['content-type', 'text/html']];
    await writeArchive(
      archive,
      {
        ...{ urls: ['https://site.test/'], recordedAt: new Date().toISOString(), recorder: 'test' },
        ...{ complete: true, removed: {} },
      },
      [
        { entry: { ...entry, path: '/', headers }, requestBody: null, body: Buffer.from(escaping(port)) },
        { entry: { ...entry, path: '/tried', headers }, requestBody: null, body: Buffer.from('tried') },
      ],
    );
    const certificates = await openCertificateStore({ cache: setup.cache });
    const { cache, projectDir, signal } = setup;
    const workload = await archiveWorkload(archive).prepare({
      ...{ cacheDir: cache.directory, projectDir, port: 0, signal, progress: () => undefined },
      ffmpegPath: () => Promise.reject(new Error('sites need no ffmpeg')),
    });
    const server = await createCaddyProvider(setup).start({
      ...{ roots: workload.roots, address: '127.0.0.1', port: null, certificates, launchPrefix: [] },
      workDir: join(tempFolder(t), 'server'),
      environment: process.env as Record<string, string>,
    });
    t.after(() => server.stop());
    const order = trialOrder({
      ...{ folder: tempFolder(t), client, server, spkiHash: certificates.spkiHash },
      ...{ roots: workload.roots, host: '', workload },
      changes: { protocol: 'h3' },
    });
    const { done, har } = await runTrialWorker(order);
    assert.deepEqual(caught, [], objectsOf(har).join(' '));
    assert.ok(objectsOf(har).includes('site.test/tried'), objectsOf(har).join(' '));
    assert.match(done.raw.containment ?? '', /WebRTC/);
  });
}
