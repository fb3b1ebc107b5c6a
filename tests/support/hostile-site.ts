import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { CertificateStore } from '../../harness/tools/certificates.ts';
import { writeArchive, type RecordedExchange } from '../../sites/archive/write-archive.ts';
import { chooseAnyPort } from '../../src/core/system/free-port.ts';

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
  const udp = createSocket('udp4');
  udp.on('message', (message) => caught.push(`UDP ${message.length}`));
  t.after(() => {
    server.close();
    udp.close();
  });
  const port = await chooseAnyPort();
  server.listen(port);
  await once(server, 'listening');
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return { port, caught };
}

export const hostileHost = 'site.test';

/** An answer of status 200 to a GET. */
function exchange(path: string, type: string, body: string): RecordedExchange {
  const request = { host: hostileHost, path, query: '', range: '', method: 'GET', startMs: 0 };
  const headers: [string, string][] = [['content-type', type]];
  return {
    entry: { ...request, status: 200, waitMs: 0, headers },
    requestBody: null,
    body: Buffer.from(body),
  };
}

/** Writes an archive of a page, and of `/tried`, which it asks for when it has tried everything. */
export async function archivePage(folder: string, html: string): Promise<string> {
  const archive = join(folder, 'archive');
  await writeArchive(
    archive,
    {
      urls: [`https://${hostileHost}/`],
      recordedAt: new Date().toISOString(),
      recorder: 'test',
      complete: true,
      removed: {},
    },
    [exchange('/', 'text/html', html), exchange('/tried', 'text/plain', 'text')],
  );
  return archive;
}

/** Serves a page with headers of its own, a text at `/tried` and `/there`, and nothing else, on the port that it returns. */
export async function serveHostilePage(
  t: TestContext,
  certificates: CertificateStore,
  { html, headers }: { readonly html: string; readonly headers: readonly [string, string][] },
): Promise<number> {
  const { certificateFile, keyFile } = await certificates.filesFor(hostileHost);
  const tls = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
  const server = createSecureServer(tls, ({ url = '/' }, response) => {
    const { pathname } = new URL(url, `https://${hostileHost}/`);
    const texts: Readonly<Record<string, string>> = { '/': html, '/tried': 'text', '/there': 'text' };
    const body = texts[pathname];
    const type = pathname === '/' ? 'text/html' : 'text/plain';
    response.writeHead(body === undefined ? 404 : 200, [['content-type', type], ...headers].flat());
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
