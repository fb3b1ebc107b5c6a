import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface TinyApp {
  /** `http://localhost:PORT`. */
  readonly origin: string;
  readonly port: number;
  /** Headers of each request, by its path. */
  readonly asked: ReadonlyMap<string, IncomingHttpHeaders>;
  stop(): Promise<void>;
}

/** https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const socketGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const frame = (text: string): Buffer => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]);

const page = `<!doctype html><title>shop</title><link rel="stylesheet" href="/style.css"><p id="price">?</p>
<script src="/script.js"></script><img src="https://third.example/pixel.gif" alt="">`;
const script = `fetch('/api/price').then((answer) => answer.json()).then(({ price }) => { document.querySelector('#price').textContent = price; });
const socket = new WebSocket('wss://' + location.host + '/live');
socket.onmessage = ({ data }) => { document.title = data; };
${'// filler that compresses well\n'.repeat(200)}`;

/**
 * An app over plain HTTP as a framework's development server is: a page behind a redirect that sets a cookie, both by its own
 * absolute address, a script, an interface that thinks, a web socket, and a host of a third party.
 *
 * @param routes answers of a test's own, before those
 */
export async function startTinyApp(
  t: TestContext,
  routes: Readonly<Record<string, RequestListener>> = {},
): Promise<TinyApp> {
  const asked = new Map<string, IncomingHttpHeaders>();
  let origin = '';
  // More than browsers send.
  const server = createServer({ maxHeaderSize: 1_000_000 }, (request, response) => {
    const path = (request.url ?? '/').replace(/\?.*$/, '');
    asked.set(path, request.headers);
    const own = routes[path] ?? routes['*'];
    if (own !== undefined) return void own(request, response);
    const text = (type: string, body: string): void =>
      void response
        .writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
        .end(body);
    if (path === '/')
      return void response
        .writeHead(302, { location: `${origin}/shop`, 'set-cookie': 'seen=1; Domain=localhost; Path=/' })
        .end();
    if (path === '/shop') return text('text/html', page);
    if (path === '/style.css') return text('text/css', 'body { color: black }');
    if (path === '/script.js') return text('text/javascript', script);
    if (path === '/api/price')
      return void setTimeout(() => text('application/json', '{"price":"9.90"}'), 60).unref();
    response.writeHead(404).end();
  });
  // The server in front may use a connection again at the moment when it would be closed for being idle.
  server.keepAliveTimeout = 0;
  server.on('upgrade', (request, socket) => {
    asked.set(request.url ?? '', request.headers);
    const key = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}${socketGuid}`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    );
    socket.write(frame('hello'));
    socket.on('error', () => socket.destroy());
    // Only what is read comes to its end.
    socket.resume();
    socket.on('end', () => socket.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  origin = `http://localhost:${port}`;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  t.after(stop);
  return { origin, port, asked, stop };
}
