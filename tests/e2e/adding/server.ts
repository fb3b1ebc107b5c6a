/**
 * A server as a newcomer adds one: HTTP/1.1 and HTTP/2 by Node's own modules, one process, no cache. Started as a program
 * it serves what its configuration says; to QUIC it answers that it has no version of it.
 */
import { createSocket } from 'node:dgram';
import { createWriteStream, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request as ask } from 'node:http';
import {
  connect as connectHttp2,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import path from 'node:path';
import { connect as connectTls, createSecureContext } from 'node:tls';
import { moduleFile } from '../../../src/core/system/module-file.ts';
import { jsonOf } from '../../../src/core/model/bounded-json.ts';
import type { ServerLogEntry } from '../../../src/core/model/raw-trial.ts';
import type { ServerLaunch, ServerLayout, ServerSoftware } from '../../../harness/servers/server-software.ts';
import { altSvc } from '../../../harness/servers/static-headers.ts';

interface StubConfig {
  readonly address: string;
  readonly port: number;
  readonly logFile: string;
  readonly hosts: readonly {
    readonly host: string;
    readonly certificateFile: string;
    readonly keyFile: string;
    /** Of the program that has its files; null: the next hop has them. */
    readonly socket: string | null;
  }[];
  readonly upstream: { readonly address: string; readonly port: number } | null;
}

const program = {
  command: [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    moduleFile('./added.ts', import.meta.url),
  ],
  version: process.versions.node,
  place: process.execPath,
};

export const added: ServerSoftware = {
  id: 'added-server',
  name: 'Stub',
  title: 'Stub (Node): HTTP/1.1 and HTTP/2, no QUIC; files from Caddy behind it',
  quicCongestionControls: [],
  tcpCongestion: { notInheritedReason: () => 'Node takes over no socket' },
  applies: [],
  servesFiles: false,
  find: () => Promise.resolve(program),
  ensure: () => Promise.resolve(program),
  configure,
  parseLogLine: (line) => jsonOf(line) as ServerLogEntry | undefined,
};

async function configure(layout: ServerLayout): Promise<ServerLaunch> {
  const { options, port, accessLogFile, sockets, certificates } = layout;
  const config: StubConfig = {
    address: options.address,
    port,
    logFile: accessLogFile,
    upstream: options.upstream ?? null,
    hosts: options.roots.map(({ host }, index) => ({
      host,
      certificateFile: certificates[index]?.certificateFile ?? '',
      keyFile: certificates[index]?.keyFile ?? '',
      socket: sockets.get(host) ?? null,
    })),
  };
  const file = path.join(options.workDir, 'stub.json');
  await writeFile(file, JSON.stringify(config));
  return { args: [file] };
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'via', 'x-h2h3-via']);
const endToEnd = (headers: Readonly<Record<string, unknown>>): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !hopByHop.has(name)),
  ) as Record<string, string | string[]>;

function serve({ address, port, logFile, hosts, upstream }: StubConfig): void {
  const log = createWriteStream(logFile, { flags: 'a' });
  const contexts = new Map(
    hosts.map(({ host, certificateFile, keyFile }) => {
      const pair = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
      return [host, { ...pair, context: createSecureContext(pair) }] as const;
    }),
  );
  const [first] = contexts.values();
  if (first === undefined) throw new Error('the stub has no host');
  const server = createSecureServer({
    cert: first.cert,
    key: first.key,
    allowHTTP1: true,
    SNICallback: (name, done) => done(null, contexts.get(name)?.context),
  });
  server.on('request', (request, response) => {
    const startEpochMs = Date.now();
    const began = performance.now();
    const name = (request.authority || request.headers.host || '').replace(/:\d+$/, '');
    let bytes = 0;
    const ended = { port: request.socket.remotePort };
    response.on('close', () => {
      const entry: ServerLogEntry = {
        host: name,
        path: request.url,
        method: request.method,
        protocol: request.httpVersion === '2.0' ? 'h2' : 'h1',
        status: response.statusCode,
        bytes,
        startEpochMs,
        durationMs: performance.now() - began,
        connection: String(ended.port),
      };
      log.write(`${JSON.stringify(entry)}\n`);
    });
    const host = hosts.find((each) => each.host === name);
    if (host === undefined) {
      response.writeHead(421).end();
      return;
    }
    const answer = (status: number, headers: Readonly<Record<string, unknown>>): void =>
      void response.writeHead(status, { ...endToEnd(headers), 'alt-svc': altSvc(port) });
    const count = (chunk: Buffer): void => void (bytes += chunk.length);
    if (upstream !== null) fromNextHop(request, response, { host: name, upstream, answer, count });
    else fromFiles(request, response, { host: name, socket: host.socket, answer, count });
  });
  server.listen(port, address);
  refuseQuic(address, port);
}

interface Exchange {
  readonly host: string;
  readonly answer: (status: number, headers: Readonly<Record<string, unknown>>) => void;
  readonly count: (chunk: Buffer) => void;
}

function fromFiles(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  { host, socket, answer, count }: Exchange & { readonly socket: string | null },
): void {
  const { method, url: file } = request;
  const headers = { ...endToEnd(request.headers), host };
  const place = socket === null ? {} : { socketPath: socket };
  ask({ ...place, method, path: file, headers }, (got) => {
    answer(got.statusCode ?? 502, got.headers);
    got.on('data', count).pipe(response);
  })
    .on('error', () => response.destroy())
    .end();
}

const sessions = new Map<string, ReturnType<typeof connectHttp2>>();

function fromNextHop(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  { host, upstream, answer, count }: Exchange & { readonly upstream: NonNullable<StubConfig['upstream']> },
): void {
  let session = sessions.get(host);
  if (session === undefined || session.closed || session.destroyed) {
    session = connectHttp2(`https://${host}`, {
      createConnection: () =>
        connectTls({
          host: upstream.address,
          port: upstream.port,
          servername: host,
          ALPNProtocols: ['h2'],
          rejectUnauthorized: false,
        }),
    });
    session.on('error', () => sessions.delete(host));
    sessions.set(host, session);
  }
  const stream = session.request({
    ...endToEnd(request.headers),
    ':method': request.method,
    ':path': request.url,
    ':authority': host,
  });
  stream.on('response', (headers) => answer(Number(headers[':status']), headers));
  stream.on('data', count).on('error', () => response.destroy());
  stream.pipe(response);
  stream.end();
}

/** Answers a long QUIC header by a version negotiation that offers a reserved version alone (RFC 9000, 6.3 and 17.2.1). */
function refuseQuic(address: string, port: number): void {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', (packet, from) => {
    const longHeader = 0x80;
    if (packet.length < 7 || ((packet[0] ?? 0) & longHeader) === 0) return;
    const destinationEnd = 6 + (packet[5] ?? 0);
    const sourceEnd = destinationEnd + 1 + (packet[destinationEnd] ?? 0);
    const version = Buffer.from([0x0a, 0x1a, 0x2a, 0x3a]);
    const head = Buffer.from([longHeader, 0, 0, 0, 0]);
    const ids = [packet.subarray(destinationEnd, sourceEnd), packet.subarray(5, destinationEnd)];
    socket.send(Buffer.concat([head, ...ids, version]), from.port, from.address);
  });
  socket.bind(port, address);
}

if (import.meta.main) serve(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as StubConfig);
