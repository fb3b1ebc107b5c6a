/**
 * Servers that `npm run verify:exec` asks besides Caddy, as functions and, started by its name, as a program for the far end of a
 * path: `echo-servers.ts HOST UDP-PORT SOCKET-PORT CADDY CONFIGURATION`.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** What ends with a test, or with a program. */
export interface Scope {
  after(cleanUp: () => unknown): void;
}

/** https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const socketGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const maskBytes = 4;
const headBytes = 2;
/** Length of a whole text frame of a client whose text is shorter than 126 bytes. */
const frameBytes = (data: Buffer): number => headBytes + maskBytes + ((data[1] ?? 0) & 0x7f);

/** A frame of the server: short ones are texts, others bytes (RFC 6455, section 5.2). */
function frameOf(content: Buffer): Buffer {
  if (content.length < 126) return Buffer.concat([Buffer.from([0x81, content.length]), content]);
  const head = Buffer.alloc(headBytes + 8);
  head.set([0x82, 127]);
  head.writeBigUInt64BE(BigInt(content.length), headBytes);
  return Buffer.concat([head, content]);
}

/** A short text; to `bytes N` so many bytes; to `hold N`, after so many ms, how many they were. */
function answerText(socket: Duplex, text: Buffer): void {
  const [, word, number] = /^(bytes|hold) (\d+)$/.exec(text.toString()) ?? [];
  if (word === 'bytes') return void socket.write(frameOf(Buffer.alloc(Number(number), 'a')));
  if (word !== 'hold') return void socket.write(frameOf(text));
  const beganMs = performance.now();
  setTimeout(() => socket.write(frameOf(Buffer.from(String(performance.now() - beganMs)))), Number(number));
}

/** Speaks it from the client's key on, and answers each text. */
function speakWebSocket(socket: Duplex, key: string): void {
  const accepted = createHash('sha1').update(`${key}${socketGuid}`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accepted}\r\n\r\n`,
  );
  let rest = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= headBytes && rest.length >= frameBytes(rest)) {
      const whole = rest.subarray(0, frameBytes(rest));
      rest = rest.subarray(whole.length);
      if (((whole[0] ?? 0) & 0x0f) !== 1) return void socket.end();
      const mask = whole.subarray(headBytes, headBytes + maskBytes);
      const text = whole
        .subarray(headBytes + maskBytes)
        .map((byte, index) => byte ^ (mask[index % maskBytes] ?? 0));
      answerText(socket, Buffer.from(text));
    }
  });
}

interface SocketServer {
  readonly host: string;
  readonly port: number;
  /** What a request that is none of WebSocket is answered. */
  readonly answer: () => string;
}

/** A server that sends back each short text over WebSocket, and to `bytes N` so many bytes. @returns its port */
export async function startWebSocketEcho(scope: Scope, options: Partial<SocketServer> = {}): Promise<number> {
  const { host = '127.0.0.1', port = 0, answer = () => '' } = options;
  const server = createServer((_, response) => response.end(answer()));
  server.on('upgrade', (request, socket) => {
    speakWebSocket(socket, request.headers['sec-websocket-key'] ?? '');
  });
  server.listen(port, host);
  scope.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export interface EchoPorts {
  readonly udpPort: number;
  /** Of WebSocket; a request for anything else is answered with the number of datagrams that have come. */
  readonly socketPort: number;
}

/** Sends back datagrams, and texts over WebSocket. @param ports 0: any */
export async function startEchoes(scope: Scope, host: string, ports: EchoPorts): Promise<EchoPorts> {
  let came = 0;
  const udp = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  scope.after(() => udp.close());
  udp.on('message', (datagram, { port, address }) => {
    came += 1;
    udp.send(datagram, port, address);
  });
  udp.bind(ports.udpPort, host);
  await once(udp, 'listening');
  const answer = (): string => String(came);
  const socketPort = await startWebSocketEcho(scope, { host, port: ports.socketPort, answer });
  return { udpPort: udp.address().port, socketPort };
}

if (import.meta.main) {
  const [host = '', udpPort = '', socketPort = '', caddy = '', configuration = ''] = process.argv.slice(2);
  const scope = { after: () => undefined };
  spawn(caddy, ['run', '--config', configuration], { stdio: 'ignore' });
  await startEchoes(scope, host, { udpPort: Number(udpPort), socketPort: Number(socketPort) });
}
