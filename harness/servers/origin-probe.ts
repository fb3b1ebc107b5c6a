/**
 * A program of its own, because it must run where the server runs (inside a network namespace): waits until
 * the origin answers a TLS handshake over TCP and a QUIC packet over UDP, and reads that place's default TCP
 * congestion control. Usage: node origin-probe.ts ADDRESS PORT SERVERNAME TIMEOUT_MS; one line of JSON on standard output.
 */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';

export interface OriginAnswer {
  readonly tcp: boolean;
  readonly udp: boolean;
  /** Null outside Linux. */
  readonly defaultTcpCongestionControl: string | null;
}

const retryMs = 25;
const answerPatienceMs = 500;

function tlsAnswers(host: string, port: number, servername: string): Promise<boolean> {
  return new Promise((resolve) => {
    // Whose certificate it is does not matter here: only that this port speaks TLS for this name.
    const socket = connect({ host, port, servername, rejectUnauthorized: false, timeout: answerPatienceMs });
    const end = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket
      .once('secureConnect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}

/**
 * A long-header packet of a version that is reserved to be unknown: every QUIC server answers it with a Version
 * Negotiation packet, whose version field is 0 (RFC 9000, sections 6.1, 15 and 17.2.1).
 */
function quicAnswers(address: string, port: number): Promise<boolean> {
  const packet = Buffer.alloc(1200);
  packet.writeUInt8(0xc0, 0);
  packet.writeUInt32BE(0x1a2a3a4a, 1);
  packet.writeUInt8(8, 5);
  randomBytes(8).copy(packet, 6);
  packet.writeUInt8(8, 14);
  randomBytes(8).copy(packet, 15);
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    const timer = setTimeout(() => end(false), answerPatienceMs);
    const end = (answered: boolean): void => {
      clearTimeout(timer);
      socket.removeAllListeners().close();
      resolve(answered);
    };
    socket.once('message', (answer) => end(answer.length >= 5 && answer.readUInt32BE(1) === 0));
    socket.once('error', () => end(false));
    // Connected, so that a closed port is an error at once instead of silence.
    socket.connect(port, address, () => socket.send(packet));
  });
}

async function until(answers: () => Promise<boolean>, deadlineMs: number): Promise<boolean> {
  while (performance.now() < deadlineMs) {
    if (await answers()) return true;
    await sleep(retryMs);
  }
  return false;
}

async function defaultTcpCongestionControl(): Promise<string | null> {
  const text = await readFile('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8').catch(() => '');
  return text.trim() === '' ? null : text.trim();
}

if (import.meta.main) {
  const [address = '127.0.0.1', port = '0', servername = 'localhost', timeoutMs = '10000'] =
    process.argv.slice(2);
  const deadlineMs = performance.now() + Number(timeoutMs);
  const answer: OriginAnswer = {
    tcp: await until(() => tlsAnswers(address, Number(port), servername), deadlineMs),
    udp: await until(() => quicAnswers(address, Number(port)), deadlineMs),
    defaultTcpCongestionControl: await defaultTcpCongestionControl(),
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
