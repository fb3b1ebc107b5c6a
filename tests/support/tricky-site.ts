import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { CertificateStore } from '../../harness/tools/certificates.ts';
import { trickyPage } from './tricky-page.ts';

/** Hosts that answer; `dead.test` does not, `blocked.test` is forbidden by the page's policy. */
export const trickyHosts = ['site.test', 'cdn.test', 'xn--bcher-kva.test'] as const;

export interface TrickySite {
  readonly port: number;
  /** Rules for a recorder: where each host and port really is. */
  readonly connectTo: readonly string[];
  close(): void;
}

interface Exchange {
  readonly request: Http2ServerRequest;
  readonly response: Http2ServerResponse;
  readonly body: string;
  readonly url: URL;
}
type Handler = (exchange: Exchange) => void;

const policy = "script-src 'self' 'unsafe-inline' blob: https://cdn.test";

function send(
  response: Http2ServerResponse,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store', ...headers });
  response.end(body);
}

function svg(width: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="9"/>`;
}

/** Answers of a server that remembers what it was asked before; one for each site that is served. */
function handlers(): Readonly<Record<string, Handler>> {
  let asked = 0;
  let loggedIn = false;
  const image =
    (width: number): Handler =>
    ({ response }) =>
      send(response, svg(width), { 'content-type': 'image/svg+xml' });
  const coded =
    (name: string, encode: (body: Buffer) => Buffer): Handler =>
    ({ response }) =>
      send(response, encode(Buffer.from(`coded ${name}`)), { 'content-encoding': name });
  return {
    '/': ({ request, response }) => {
      if (!String(request.headers.cookie).includes('consent=')) return leadTo(response, '/consent');
      asked = 0;
      loggedIn = false;
      response.writeEarlyHints({
        link: ['</style.css>; rel=preload; as=style', '</early.css>; rel=preload; as=style'],
      });
      send(response, trickyPage, { 'content-type': 'text/html', 'content-security-policy': policy });
    },
    '/style.css': ({ response }) =>
      send(response, ':root { --colour: green }', { 'content-type': 'text/css' }),
    '/consent': ({ response }) => leadTo(response, '/', { 'set-cookie': 'consent=given; Path=/' }),
    '/early.css': ({ response }) =>
      send(response, ':root { --early: yes }', {
        'content-type': 'text/css',
        'cache-control': 'public, max-age=3600',
      }),
    '/small.svg': image(600),
    '/wide.svg': image(1350),
    '/frame.html': ({ response }) =>
      send(response, '<script>parent.postMessage("frame", "*")</script>', { 'content-type': 'text/html' }),
    '/state': ({ response }) => send(response, ++asked < 3 ? 'pending' : 'done'),
    '/graphql': ({ response, body }) =>
      send(response, (JSON.parse(body) as { operationName: string }).operationName),
    '/profile': ({ response, url }) => send(response, url.searchParams.get('key') ?? ''),
    '/varies': ({ request, response }) => send(response, String(request.headers['x-who']), { vary: 'X-Who' }),
    '/head': ({ request, response }) => send(response, 'body', { 'x-method': request.method }),
    '/me': ({ response }) => send(response, loggedIn ? 'alice' : 'anonymous'),
    '/login': ({ response }) => {
      loggedIn = true;
      send(response, 'welcome');
    },
    '/cookie': ({ response }) =>
      send(response, 'set', { 'set-cookie': 'seen=a-long-value; Path=/; Max-Age=900' }),
    '/upload': ({ response, body }) => send(response, /\r\n\r\n(\w+)\r\n/.exec(body)?.[1] ?? ''),
    '/error': ({ response }) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      response.end('an error');
    },
    '/reset': ({ response }) => response.stream.close(2),
    '/cut': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' });
      response.write('only this');
      setTimeout(() => response.stream.close(2), 100);
    },
    '/never': () => undefined,
    '/large': ({ response }) => send(response, Buffer.alloc(4_000_000, 'large ')),
    '/beacon': ({ response }) => send(response, ''),
    '/poll': ({ response }) => send(response, 'polled'),
    '/trickle': ({ response }) => pieces(response, ['one', 'two', 'three']),
    '/pieces': ({ response }) =>
      pieces(response, Array<string>(12).fill('piece '), {
        everyMs: 50,
        headers: { 'content-length': '72' },
      }),
    // The headers go out before the body.
    '/latin': ({ response }) => pieces(response, ['one', 'two'], { headers: { 'x-name': 'caf\u00e9' } }),
    '/a|b': ({ response }) => send(response, 'piped'),
    '/events': ({ response }) =>
      pieces(response, ['data: a\n\n', 'data: b\n\n', 'data: c\n\n'], {
        headers: { 'content-type': 'text/event-stream' },
        isEndless: true,
      }),
    '/tagged': ({ request, response }) => {
      if (request.headers['if-none-match'] !== '"t"')
        return send(response, 'tagged', { etag: '"t"', 'cache-control': 'no-cache' });
      response.writeHead(304, { etag: '"t"', 'cache-control': 'no-cache' });
      response.end();
    },
    '/dated': ({ response }) => send(response, 'dated', { 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }),
    '/port': ({ request, response }) =>
      send(response, request.authority.endsWith(':8444') ? 'other port' : 'own port', {
        'access-control-allow-origin': '*',
      }),
    '/range': ({ request, response }) => {
      if (request.headers.range === undefined) return send(response, 'abcdefgh');
      response.writeHead(206, { 'content-range': 'bytes 2-4/8', 'content-type': 'text/plain' });
      response.end('cde');
    },
    '/gzip': coded('gzip', gzipSync),
    '/br': coded('br', brotliCompressSync),
    '/zstd': coded('zstd', zstdCompressSync),
    '/from': ({ response, url }) => leadTo(response, `/to?code=${url.searchParams.get('code')}`),
    '/to': ({ response }) => send(response, 'arrived'),
    '/worker.js': ({ response }) =>
      send(response, 'fetch("/by-worker").then((a) => a.text()).then(postMessage)', {
        'content-type': 'text/javascript',
      }),
    '/by-worker': ({ response }) => send(response, 'by worker'),
    '/idn': ({ request, response }) =>
      send(response, request.authority, { 'access-control-allow-origin': '*' }),
    '/report': ({ response }) => send(response, 'thanks'),
    '/data.json': ({ request, response }) =>
      send(response, request.method === 'OPTIONS' ? '' : '{"far":true}', {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'x-own',
        'content-type': 'application/json',
      }),
  };
}

function leadTo(
  response: Http2ServerResponse,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(302, { location, 'cache-control': 'no-store', ...headers });
  response.end();
}

interface PiecesOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: 200. */
  readonly everyMs?: number;
  /** Default: it ends after the last piece. */
  readonly isEndless?: boolean;
}

function pieces(
  response: Http2ServerResponse,
  parts: readonly string[],
  { headers = {}, everyMs = 200, isEndless = false }: PiecesOptions = {},
): void {
  response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store', ...headers });
  parts.forEach((part, at) => setTimeout(() => void response.write(part), everyMs * at));
  if (!isEndless) setTimeout(() => response.end(), everyMs * parts.length);
}

/** Serves the site over HTTP/2 on one port of the loopback. */
export async function serveTrickySite(certificates: CertificateStore): Promise<TrickySite> {
  const files = await certificates.filesFor('site.test');
  const answers = handlers();
  const server: Http2SecureServer = createSecureServer(
    { cert: readFileSync(files.certificateFile), key: readFileSync(files.keyFile), allowHTTP1: true },
    (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
      request.on('error', () => undefined);
      request.on('end', () => {
        const url = new URL(request.url, 'https://site.test');
        const answer = answers[decodeURIComponent(url.pathname)];
        if (answer) return answer({ request, response, body, url });
        response.writeHead(404, { 'content-type': 'text/plain' });
        response.end('missing');
      });
    },
  );
  // Over HTTP/1.1, as browsers ask for web sockets (RFC 6455).
  server.on('upgrade', (request: { headers: Record<string, string> }, socket: NodeJS.WritableStream) => {
    const key = request.headers['sec-websocket-key'] ?? '';
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const to = `127.0.0.1:${port}`;
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  return {
    port,
    connectTo: [...trickyHosts.map((host) => `${host}:443:${to}`), `site.test:8444:${to}`],
    close: () => {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
}
