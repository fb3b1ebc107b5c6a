import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { CertificateStore } from '../../harness/tools/certificates.ts';

export interface SiteAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Sent without its length, in chunks. */
  readonly chunked?: boolean;
  /** Answered so much later. Default 0. */
  readonly delayMs?: number;
}

export interface RecordedSite {
  readonly server: Server;
  readonly port: number;
}

export const mainHost = 'site.test';
export const otherHost = 'cdn.test';

const text = Buffer.from('Some text that is long enough to be compressed. '.repeat(200));
export const largeBytes = 3_000_000;
const large = Buffer.alloc(largeBytes, 'noise ');
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
const anyOrigin: [string, string] = ['Access-Control-Allow-Origin', '*'];

function answer(body: Buffer | string, type: string, ...more: [string, string][]): SiteAnswer {
  return { status: 200, headers: [['Content-Type', type], ...more], body: Buffer.from(body) };
}

const page = `<!DOCTYPE html><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css">
<script type="module" src="/main.mjs"></script><p>words</p>
<img src="https://${otherHost}/pixel.svg?b=2&a=1"><img src="/pixel.svg?a=1&b=2">
<script>
const body = (answer) => answer.arrayBuffer();
const asked = (async () => {
  for (const path of ['/br.txt', '/gzip.txt', '/zstd.txt', '/none', '/old', '/gone', '/chunked', '/list?access_token=secret&page=1'])
    await fetch(path).then(body);
  for (const text of ['one', 'two']) await fetch('/api', { method: 'POST', body: text }).then(body);
  await fetch('/large.bin', { headers: { range: 'bytes=0-9' } }).then(body);
  await fetch('https://${otherHost}/large.bin').then(body);
  await fetch('https://${otherHost}/api', { method: 'PUT', body: 'x', headers: { 'x-own': '1' } }).then(body);
  const chance = [Date.now(), Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(4))];
  await fetch('/chance?kind=beacon&rand=' + chance.join('_')).then(body);
  await navigator.serviceWorker.register('/sw.js');
  await navigator.serviceWorker.ready;
})();
</script><script src="/tail.js"></script>`;

/** What the site answers, by method, host and target. */
export const siteAnswers: Readonly<Record<string, SiteAnswer>> = {
  [`GET ${mainHost}/`]: answer(
    page,
    'text/html',
    ['Set-Cookie', 'id=1'],
    ['Link', '</a>; rel=x'],
    ['Link', '</b>; rel=y'],
    ['Via', '1.1 somewhere'],
    ['Server', 'of its own'],
    ['X-Odd', 'a, b;c="d"'],
    ['Alt-Svc', 'h3=":443"'],
  ),
  [`GET ${mainHost}/style.css`]: answer(
    gzipSync('@font-face{font-family:f;src:url(/font.woff2)}p{font-family:f;color:red}'),
    'text/css',
    ['Content-Encoding', 'gzip'],
  ),
  [`GET ${mainHost}/font.woff2`]: answer(Buffer.alloc(2000, 7), 'font/woff2'),
  [`GET ${mainHost}/main.mjs`]: answer(
    `import './deep.mjs'; import 'https://${otherHost}/far.mjs';`,
    'text/javascript',
  ),
  [`GET ${mainHost}/deep.mjs`]: answer('export {}', 'text/javascript'),
  [`GET ${otherHost}/far.mjs`]: answer('export default 1', 'text/javascript', anyOrigin),
  [`GET ${mainHost}/tail.js`]: answer('void 0', 'text/javascript'),
  // Later than any pause after which a page is taken to be quiet, as on a loaded machine.
  [`GET ${mainHost}/sw.js`]: {
    ...answer(
      `self.addEventListener('activate', (event) => event.waitUntil(fetch('/by-worker.txt')))`,
      'text/javascript',
    ),
    delayMs: 2_500,
  },
  [`GET ${mainHost}/by-worker.txt`]: answer('asked by the worker', 'text/plain'),
  [`GET ${mainHost}/pixel.svg?a=1&b=2`]: answer(svg, 'image/svg+xml'),
  [`GET ${otherHost}/pixel.svg?b=2&a=1`]: answer(svg.replace('9', '8'), 'image/svg+xml'),
  [`GET ${mainHost}/br.txt`]: answer(brotliCompressSync(text), 'text/plain', ['Content-Encoding', 'br']),
  [`GET ${mainHost}/gzip.txt`]: answer(gzipSync(text), 'text/plain', ['Content-Encoding', 'gzip']),
  [`GET ${mainHost}/zstd.txt`]: answer(zstdCompressSync(text), 'text/plain', ['Content-Encoding', 'zstd']),
  [`GET ${mainHost}/chance?kind=beacon&rand=`]: answer('thanks', 'text/plain'),
  [`GET ${mainHost}/restless`]: answer(
    `<!DOCTYPE html><link rel="icon" href="data:,"><script>let page = 0; setInterval(() => fetch('/old?page=' + 'abcdefghijklmnopqrstuvwxyz'[page++ % 26].repeat(page)), 300)</script>`,
    'text/html',
  ),
  [`GET ${mainHost}/none`]: { status: 204, headers: [['X-Empty', 'yes']], body: Buffer.alloc(0) },
  [`GET ${mainHost}/old`]: { status: 302, headers: [['Location', '/new']], body: Buffer.alloc(0) },
  [`GET ${mainHost}/new`]: answer('moved here', 'text/plain'),
  [`GET ${mainHost}/gone`]: { ...answer('gone', 'text/plain'), status: 404 },
  [`GET ${mainHost}/chunked`]: { ...answer(text, 'text/plain'), chunked: true },
  [`GET ${mainHost}/list?access_token=secret&page=1`]: answer('[]', 'application/json'),
  [`POST ${mainHost}/api`]: answer('posted', 'application/json'),
  [`GET ${otherHost}/large.bin`]: answer(large, 'application/octet-stream', anyOrigin),
  [`PUT ${otherHost}/api`]: answer('put', 'application/json', anyOrigin),
  [`OPTIONS ${otherHost}/api`]: {
    status: 204,
    headers: [anyOrigin, ['Access-Control-Allow-Methods', 'PUT'], ['Access-Control-Allow-Headers', 'x-own']],
    body: Buffer.alloc(0),
  },
};

export const rangeAnswer: SiteAnswer = {
  status: 206,
  headers: [['Content-Range', `bytes 0-9/${largeBytes}`]],
  body: large.subarray(0, 10),
};

/** Serves both hosts on one port of the loopback; the caller closes it. */
export async function serveRecordedSite(certificates: CertificateStore): Promise<RecordedSite> {
  const files = await certificates.filesFor(mainHost);
  const tls = { cert: readFileSync(files.certificateFile), key: readFileSync(files.keyFile) };
  const server = createServer(tls, (request, response) => {
    const host = request.headers.host?.replace(/:\d+$/, '');
    const found =
      request.headers.range === undefined
        ? siteAnswers[`${request.method} ${host}${request.url?.replace(/(?<=&rand=).*/, '')}`]
        : rangeAnswer;
    const { status, headers, body, chunked, delayMs } = found ?? answer('not of this site', 'text/plain');
    const sized = chunked === true || status === 204 ? [] : [['Content-Length', String(body.length)]];
    const send = (): void => {
      response.writeHead(found ? status : 500, [...headers, ...sized].flat());
      if (chunked === true) response.write(body.subarray(0, 100));
      response.end(chunked === true ? body.subarray(100) : body);
    };
    if (delayMs === undefined) send();
    else setTimeout(send, delayMs);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, port: (server.address() as AddressInfo).port };
}
