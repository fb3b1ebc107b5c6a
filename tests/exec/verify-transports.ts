/** What `npm run verify:exec` asks besides curl: loss of datagrams each way, WebSocket, and IPv6 to a server at the far end. */
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { NetworkSpec } from '../../src/core/model/network-spec.ts';
import type { OrdinaryUser } from '../support/ordinary-user.ts';
import { proportionInterval } from '../support/proportion-interval.ts';
import { readReport, runExec } from './exec-cases.ts';

/** How a check is written down. */
export type Note = (what: string, found: string, isRight: boolean) => void;

/** Whom a command is run as, where, and what comes after it. */
export interface VerifyPlace {
  readonly user: OrdinaryUser | null;
  readonly folder: string;
  readonly scope: { after(cleanUp: () => unknown): void };
  readonly note: Note;
}

/** The path, and how far from it what is measured may be. */
export interface Tolerated {
  readonly spec: NetworkSpec;
  readonly rttToleranceMs: number;
  /** A share. */
  readonly rateTolerance: number;
}

const lossPercent = 2;
const datagrams = 10_000;
/** Of 1000 runs over a path that is as it says, one is called wrong. */
const level = 0.999;

/** Sends numbered datagrams, ten every 10 ms, and prints how many came back. */
const asker = `const port = Number(process.argv[1]);
const socket = require('dgram').createSocket('udp4');
let sent = 0, answered = 0;
socket.on('message', () => { answered += 1; });
const timer = setInterval(() => {
  for (let index = 0; index < 10 && sent < ${datagrams}; index += 1) socket.send(String(sent++), port, '127.0.0.1');
  if (sent < ${datagrams}) return;
  clearInterval(timer);
  setTimeout(() => { console.log(answered); process.exit(); }, 1000);
}, 10);`;

/** Loss of datagrams each way, against the interval in which its share lies by chance. */
export async function verifyLoss({ user, folder, scope, note }: VerifyPlace): Promise<void> {
  let came = 0;
  const server = createSocket('udp4');
  scope.after(() => server.close());
  server.on('message', (datagram, { port, address }) => {
    came += 1;
    server.send(datagram, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String(server.address().port);
  const path = ['--no-check', '--rtt', '20ms', '--loss', `${lossPercent}%`, '--local', port];
  const { code, stdout, stderr } = await runExec(
    user,
    [...path, '--', process.execPath, '-e', asker, port],
    folder,
  );
  if (code !== 0) return note('loss', `exit ${code}: ${stderr}`, false);
  const ways = [
    ['up', datagrams, came],
    ['down', came, Number(stdout)],
  ] as const;
  for (const [direction, sent, received] of ways) {
    const [low, high] = proportionInterval(sent - received, sent, level) ?? [NaN, NaN];
    const percent = (share: number): string => (100 * share).toFixed(2);
    note(
      `loss ${direction}, UDP`,
      `${percent((sent - received) / sent)} % of ${sent}, which ${percent(low)} to ${percent(high)} % can give, set ${lossPercent} %`,
      low <= lossPercent / 100 && lossPercent / 100 <= high,
    );
  }
}

/** https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const socketGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const maskBytes = 4;
const headBytes = 2;
/** Length of a whole text frame of a client whose text is shorter than 126 bytes. */
const frameBytes = (data: Buffer): number => headBytes + maskBytes + ((data[1] ?? 0) & 0x7f);

/** A server that sends back each short text. @returns its port */
export async function startWebSocketEcho(scope: VerifyPlace['scope']): Promise<number> {
  const server = createServer();
  server.on('upgrade', (request, socket) => {
    const key = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}${socketGuid}`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
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
        socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  scope.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const messages = 60;
/** Sends one message after the other, and prints the shortest time to its echo, ms. */
const messenger = `const socket = new WebSocket('ws://localhost:' + process.argv[1]);
const waits = [];
let sentMs;
const send = () => { sentMs = performance.now(); socket.send('twenty letters, here'); };
socket.onopen = send;
socket.onmessage = () => {
  waits.push(performance.now() - sentMs);
  if (waits.length < ${messages}) return send();
  console.log(Math.min(...waits));
  process.exit();
};
socket.onerror = () => process.exit(1);`;

/** A message or a request for one byte as IP packets, about: they take their time on a slow link. */
const smallBytes = 100;

function smallMs({ up, down }: NetworkSpec): number {
  const times = [up, down].map(({ rateMbps }) =>
    rateMbps === null ? 0 : (smallBytes * 8) / 1000 / rateMbps,
  );
  return times.reduce((sum, ms) => sum + ms, 0);
}

/** A round trip of messages over WebSocket, against the same without a path. */
export async function verifyWebSocket(
  { user, folder, scope, note }: VerifyPlace,
  { spec, rttToleranceMs }: Tolerated,
): Promise<void> {
  const port = String(await startWebSocketEcho(scope));
  const path = ['--no-check', '--network', `none,${spec.id}`, '--local', port];
  const words = [...path, '--', process.execPath, '-e', messenger, port];
  const { code, stdout, stderr } = await runExec(user, words, folder);
  const [without = NaN, across = NaN] = stdout.trim().split('\n').map(Number);
  if (code !== 0) return note('WebSocket', `exit ${code}: ${stderr}`, false);
  const rttMs = spec.up.delayMs + spec.down.delayMs;
  const addedMs = across - without - smallMs(spec);
  note(
    'WebSocket, round trip',
    `${addedMs.toFixed(2)} ms more than without, set ${rttMs} ± ${rttToleranceMs.toFixed(1)}`,
    Math.abs(addedMs - rttMs) <= rttToleranceMs,
  );
}

const smallFile = 2_000_000;
const largeFile = 8_000_000;
/** `/N` has N bytes. */
const farServer = `require('http').createServer((q, r) => r.end(Buffer.alloc(Number(q.url.slice(1))))).listen(8000, '::')`;
/** Over one connection: the shortest wait for a byte, and the times of both files, ms. */
const farClient = `const http = require('http');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const ask = (bytes) => new Promise((done, fail) => {
  const beganMs = performance.now();
  http.get({ agent, host: process.env.H2H3_FAR, family: 6, port: 8000, path: '/' + bytes }, (answer) => {
    answer.resume().on('end', () => done(performance.now() - beganMs));
  }).on('error', fail);
});
(async () => {
  const waits = [];
  for (let index = 0; index < ${messages}; index += 1) waits.push(await ask(1));
  console.log(Math.min(...waits.slice(1)), await ask(${smallFile}), await ask(${largeFile}));
  process.exit();
})();`;

/** Round trip and rate of TCP over IPv6, to a server at the far end. */
export async function verifyIpv6(
  { user, folder, note }: VerifyPlace,
  { spec, rttToleranceMs, rateTolerance }: Tolerated,
): Promise<void> {
  const json = join(user?.environment['HOME'] ?? folder, 'ipv6.json');
  const far = ['--far', `${process.execPath} -e "${farServer}"`, '--json', json];
  const words = ['--no-check', '--network', spec.id, '--set', 'family=6', ...far];
  const command = [process.execPath, '-e', farClient];
  const { code, stdout, stderr } = await runExec(user, [...words, '--', ...command], folder);
  if (code !== 0) return note('IPv6', `exit ${code}: ${stderr}`, false);
  const [waitMs = NaN, smallFileMs = NaN, largeFileMs = NaN] = stdout.trim().split(' ').map(Number);
  const { counters = {}, flows } = readReport(json).runs[0] ?? {};
  const isV6 = (flows ?? []).length > 0 && (flows ?? []).every(({ family }) => family === 6);
  note('IPv6, version', isV6 ? 'all connections' : JSON.stringify(flows), isV6);
  const rttMs = spec.up.delayMs + spec.down.delayMs;
  const foundMs = waitMs - smallMs(spec);
  // There is no such server without a path: what both ends take themselves is in it.
  const toleranceMs = rttToleranceMs + 0.5;
  note(
    'IPv6, round trip',
    `${foundMs.toFixed(2)} ms with both ends, set ${rttMs} ± ${toleranceMs.toFixed(1)}`,
    Math.abs(foundMs - rttMs) <= toleranceMs,
  );
  const perByte = (counters['emulatorDownBytes'] ?? NaN) / (smallFile + largeFile);
  const mbps = ((largeFile - smallFile) * 8 * perByte) / 1000 / (largeFileMs - smallFileMs);
  const setMbps = spec.down.rateMbps ?? NaN;
  note(
    'IPv6, rate',
    `${mbps.toFixed(2)} Mbit/s on the path, set ${setMbps} ± ${setMbps * rateTolerance}`,
    Math.abs(mbps - setMbps) <= setMbps * rateTolerance,
  );
}
