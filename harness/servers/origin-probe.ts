/**
 * A program of its own, because it must run where the server runs (inside a network namespace): waits until
 * the origin answers a TLS handshake over TCP and a QUIC packet over UDP, and reads the TCP congestion control of
 * that place and of the connection that the origin accepted, and how it shakes hands, also for further hosts. One line of
 * JSON on standard output.
 * Usage: node origin-probe.ts ADDRESS PORT SERVERNAME TIMEOUT_MS tcp+udp|udp [HOSTS] (`HostsAsked` as JSON)
 */
import { X509Certificate, randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { promisify } from 'node:util';
import { answerOverUdp } from './answer-over-udp.ts';
import {
  inspectHandshake,
  quicKeyExchange,
  type InspectedHandshake,
  type InspectedPlace,
} from './inspect-handshake.ts';

/** Hosts whose own answers count. */
export interface HostsAsked {
  /** Over TCP, for the names in their certificates. */
  readonly certificates: readonly string[];
  /** Over QUIC, for HTTP/3. */
  readonly http3: readonly string[];
}

/** Names that a certificate covers. */
export interface HostCertificate {
  readonly host: string;
  /** Null where no handshake came about. */
  readonly names: readonly string[] | null;
}

export interface OriginAnswer {
  /** Null where it was not asked. */
  readonly tcp: boolean | null;
  readonly udp: boolean;
  /** Of the connection that the origin accepted, as the kernel says; null where `ss` (iproute2) is not there. */
  readonly tcpCongestionControl: string | null;
  /** Whether the kernel paces that connection because a socket option asks for it; null where nothing tells. */
  readonly tcpPaced: boolean | null;
  /** Cipher suite of the handshake by its name in the standard. */
  readonly cipher: string | null;
  /** As OpenSSL names it, such as `TLSv1.3`. */
  readonly tlsVersion: string | null;
  /** Of the certificates that it sent; null where none came. */
  readonly chain: CertificateChain | null;
  readonly inspected: InspectedHandshake;
  /** Of the hosts that were asked for theirs. */
  readonly certificates: readonly HostCertificate[];
  /** The first of the hosts asked for HTTP/3 that does not speak it; null: each does. */
  readonly withoutHttp3: string | null;
  /** Null outside Linux. */
  readonly defaultTcpCongestionControl: string | null;
}

export interface CertificateChain {
  /** Of all its certificates, in DER. */
  readonly bytes: number;
  /** Hosts that the first one is for. */
  readonly names: number;
  readonly keyType: 'ecdsa' | 'rsa' | null;
}

const retryMs = 25;
const answerTimeoutMs = 500;
const groupPatienceMs = 5_000;

interface TlsAnswer extends Pick<
  OriginAnswer,
  'tcpCongestionControl' | 'tcpPaced' | 'cipher' | 'tlsVersion' | 'chain'
> {
  readonly answered: boolean;
}

const noAnswer: TlsAnswer = {
  answered: false,
  tcpCongestionControl: null,
  tcpPaced: null,
  cipher: null,
  tlsVersion: null,
  chain: null,
};

function tlsAnswers(host: string, port: number, servername: string): Promise<TlsAnswer> {
  return new Promise((resolve) => {
    // Whose certificate it is does not matter here: only that this port speaks TLS for this name.
    const socket = connect({ host, port, servername, rejectUnauthorized: false, timeout: answerTimeoutMs });
    const end = (answer: TlsAnswer): void => {
      socket.destroy();
      resolve(answer);
    };
    socket
      .once('secureConnect', () => {
        socket.setTimeout(0);
        const cipher = socket.getCipher().standardName;
        const chain = chainOf(socket.getPeerCertificate(true));
        void acceptedConnection(port, socket.localPort ?? 0).then((text) =>
          end({
            answered: true,
            cipher,
            tlsVersion: socket.getProtocol(),
            chain,
            tcpCongestionControl: text === null ? null : congestionOf(text),
            tcpPaced: text === null ? null : isPaced(text),
          }),
        );
      })
      .once('error', () => end(noAnswer))
      .once('timeout', () => end(noAnswer));
  });
}

function chainOf(first: DetailedPeerCertificate): CertificateChain | null {
  if (first.raw === undefined) return null;
  const seen = new Set<string>();
  let bytes = 0;
  let one: DetailedPeerCertificate | undefined = first;
  // What signed itself is its own issuer.
  for (; one?.raw !== undefined && !seen.has(one.fingerprint256); one = one.issuerCertificate) {
    seen.add(one.fingerprint256);
    bytes += one.raw.length;
  }
  const { asymmetricKeyType } = new X509Certificate(first.raw).publicKey;
  const keyType = asymmetricKeyType === 'ec' ? 'ecdsa' : asymmetricKeyType === 'rsa' ? 'rsa' : null;
  return { bytes, names: namesIn(first).length, keyType };
}

/** Names and addresses without their kind, as in `DNS:a.test`. */
function namesIn({ subjectaltname = '' }: Pick<DetailedPeerCertificate, 'subjectaltname'>): string[] {
  return subjectaltname.split(', ').map((name) => name.replace(/^[^:]*:/, ''));
}

/** The names in the certificate that a server has for a host; null where no handshake comes about. */
export function certificateNames(
  address: string,
  port: number,
  servername: string,
): Promise<readonly string[] | null> {
  return new Promise((resolve) => {
    const socket = connect({
      host: address,
      port,
      servername,
      rejectUnauthorized: false,
      timeout: answerTimeoutMs,
    });
    const end = (names: readonly string[] | null): void => {
      socket.destroy();
      resolve(names);
    };
    socket
      .once('secureConnect', () => end(namesIn(socket.getPeerCertificate())))
      .once('error', () => end(null))
      .once('timeout', () => end(null));
  });
}

/** The first of the hosts for which a server does not speak HTTP/3; null: it does for each. @param patienceMs as of `quicKeyExchange` */
export async function firstWithoutHttp3(
  { address, port }: Omit<InspectedPlace, 'name'>,
  hosts: readonly string[],
  patienceMs = 0,
): Promise<string | null> {
  for (const name of hosts)
    if ((await quicKeyExchange({ address, port, name }, patienceMs)) === null) return name;
  return null;
}

/** The algorithm out of `ss -ti`: the word before the window scale or the retransmission time-out. */
export function congestionOf(text: string): string | null {
  return /\s([a-z][a-z0-9_]*) (?:wscale:\S+ )?rto:/.exec(text)?.[1] ?? null;
}

/** Whether `ss -ti` tells a most rate of pacing behind the present one: a socket option has set it. */
export function isPaced(text: string): boolean {
  return /\spacing_rate [^\s/]+\/\S+/.test(text);
}

/** What the kernel says of the origin's end of our connection. */
async function acceptedConnection(port: number, ownPort: number): Promise<string | null> {
  const filter = ['-tinH', 'state', 'established', `( sport = :${port} and dport = :${ownPort} )`];
  // iproute2 lies in sbin, which is not on every user's PATH; a run hands its servers an environment without any.
  const searchPath = `${process.env['PATH'] ?? '/usr/bin:/bin'}:/usr/sbin:/sbin`;
  const environment = { ...process.env, PATH: searchPath };
  const seen = await promisify(execFile)('ss', filter, { env: environment, timeout: 5000 }).catch(() => null);
  return seen?.stdout ?? null;
}

/**
 * A long-header packet of a version that is reserved to be unknown: a QUIC server answers it with a Version
 * Negotiation packet, whose version field is 0 (RFC 9000, sections 6.1, 15 and 17.2.1).
 */
export function quicAnswers(address: string, port: number): Promise<boolean> {
  const packet = Buffer.alloc(1200);
  packet.writeUInt8(0xc0, 0);
  packet.writeUInt32BE(0x1a2a3a4a, 1);
  packet.writeUInt8(8, 5);
  randomBytes(8).copy(packet, 6);
  packet.writeUInt8(8, 14);
  randomBytes(8).copy(packet, 15);
  return packetAnswered(
    address,
    port,
    packet,
    (answer) => answer.length >= 5 && answer.readUInt32BE(1) === 0,
  );
}

/** Whether a place answers a UDP packet soon, and with what it should. */
export async function packetAnswered(
  address: string,
  port: number,
  packet: Buffer,
  isAnswer: (answer: Buffer) => boolean,
): Promise<boolean> {
  const ask = { packet, limitMs: answerTimeoutMs, read: isAnswer };
  return (await answerOverUdp(address, port, ask)) === true;
}

async function until<T>(
  ask: () => Promise<T>,
  isEnough: (answer: T) => boolean,
  deadlineMs: number,
): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isEnough(answer) || performance.now() >= deadlineMs) return answer;
    await sleep(retryMs);
  }
}

async function defaultTcpCongestionControl(): Promise<string | null> {
  const text = await readFile('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8').catch(() => '');
  return text.trim() === '' ? null : text.trim();
}

if (import.meta.main) {
  const [
    address = '127.0.0.1',
    port = '0',
    servername = 'localhost',
    timeoutMs = '10000',
    transports = 'tcp+udp',
    hosts = '{"certificates":[],"http3":[]}',
  ] = process.argv.slice(2);
  const asked = JSON.parse(hosts) as HostsAsked;
  const deadlineMs = performance.now() + Number(timeoutMs);
  const asksTcp = transports !== 'udp';
  const tls = await until(
    () => (asksTcp ? tlsAnswers(address, Number(port), servername) : Promise.resolve(noAnswer)),
    ({ answered }) => answered || !asksTcp,
    deadlineMs,
  );
  const certificates: HostCertificate[] = [];
  for (const host of asked.certificates) {
    const ask = (): Promise<readonly string[] | null> => certificateNames(address, Number(port), host);
    certificates.push({ host, names: await until(ask, (names) => names !== null, deadlineMs) });
  }
  const place = { address, port: Number(port) };
  const udp = await until(() => quicAnswers(address, place.port), Boolean, deadlineMs);
  // One that speaks QUIC says its group, or has not had its CPU.
  const leftMs = (): number => (udp ? Math.min(groupPatienceMs, deadlineMs - performance.now()) : 0);
  const answer: OriginAnswer = {
    tcp: asksTcp ? tls.answered : null,
    udp,
    tcpCongestionControl: tls.tcpCongestionControl,
    tcpPaced: tls.tcpPaced,
    cipher: tls.cipher,
    tlsVersion: tls.tlsVersion,
    chain: tls.chain,
    inspected: await inspectHandshake({ ...place, name: servername }, leftMs()),
    certificates,
    withoutHttp3: await firstWithoutHttp3(place, asked.http3, leftMs()),
    defaultTcpCongestionControl: await defaultTcpCongestionControl(),
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
