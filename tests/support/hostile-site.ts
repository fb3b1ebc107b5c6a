import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { writeArchive, type RecordedExchange } from '../../sites/archive/write-archive.ts';

/** A page that begins with `more`, tries every way out that browsers know, and says `/tried` when it has. */
export const escapingPage = (
  port: number,
  more = '',
): string => `<!DOCTYPE html>${more}<link rel="icon" href="data:,">
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

export interface Canary {
  readonly port: number;
  /** What reached it. */
  readonly caught: string[];
}

/** Listens on one port of the loopback for TCP and UDP, over IPv4 and IPv6 where there is any. */
export async function canary(t: TestContext): Promise<Canary> {
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

const entry = {
  ...{ host: 'site.test', query: '', range: '', method: 'GET', status: 200, startMs: 0, waitMs: 0 },
};

/** What an archive of one page on `site.test` is made of. */
interface ArchivedPage {
  readonly html: string;
  readonly headers?: readonly [string, string][];
  /** Paths with query of further texts. */
  readonly texts?: readonly string[];
}

/** Writes an archive of a page, and of `/tried`, which it asks for when it has tried everything. */
export async function archivePage(folder: string, page: ArchivedPage): Promise<string> {
  const archive = join(folder, 'archive');
  const headers: [string, string][] = [['content-type', 'text/html'], ...(page.headers ?? [])];
  const text = (address: string): RecordedExchange => {
    const { pathname: path, search } = new URL(address, 'https://site.test/');
    const more = {
      path,
      query: search.slice(1),
      headers: [['content-type', 'text/plain']] as [string, string][],
    };
    return { entry: { ...entry, ...more }, requestBody: null, body: Buffer.from('text') };
  };
  await writeArchive(
    archive,
    {
      ...{ urls: ['https://site.test/'], recordedAt: new Date().toISOString(), recorder: 'test' },
      ...{ complete: true, removed: {} },
    },
    [
      { entry: { ...entry, path: '/', headers }, requestBody: null, body: Buffer.from(page.html) },
      ...['/tried', ...(page.texts ?? [])].map(text),
    ],
  );
  return archive;
}
