import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startCapture, type Capture } from './dumpcap.ts';
import type { Probe, ProbeYield } from './probe.ts';
import { serverHere } from './server-here.ts';

const run = promisify(execFile);
/** Of each packet, bytes: its headers, a whole acknowledgement, and the mark by which a capture knows its end. */
const maxBytesOfPacket = 160;
/** After so many dumpcap ends by itself: a quarter of a million packets. */
const maxKilobytes = 64_000;
const maxTextBytes = 256_000_000;
/** A QUIC packet that is shorter has no data worth a packet of its own: acknowledgements, credit, a ping. */
const minDataBytes = 100;

/** How long the packets of a transport waited for their acknowledgements. */
interface Waits {
  /** What each wait counts for added up: bytes of TCP, packets of QUIC. */
  readonly weight: number;
  readonly weightedMs: number;
}

/** Times at the server’s interface, so that its own queue in front of that counts for neither protocol. */
export const acknowledgements: Probe = {
  id: 'acknowledgements',
  title:
    'time from each data packet of the server to its first acknowledgement, from a capture at the server',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  counts: ['packetToAckMs'],
  launch: { logs: ['keys'] },
  setup: async (context) => {
    const { launch, tempDir } = context;
    const { protocol, logs } = launch;
    const server = serverHere(context);
    const { pid, port } = server;
    await mkdir(tempDir, { recursive: true });
    const file = join(tempDir, 'acknowledgements.pcapng');
    const capture = await startCapture(file, {
      prefix: ['nsenter', '--target', String(pid), '--net', '--'],
      device: 'any',
      server,
      maxKilobytes,
      // A QUIC handshake is needed whole, because the secrets of a connection are found by it; its packets have long headers.
      parts: [
        { filter: `udp port ${port} and udp[8] & 0x80 != 0` },
        {
          filter: `port ${port} and not (udp and udp[8] & 0x80 != 0)`,
          maxBytes: maxBytesOfPacket,
        },
      ],
    });
    return {
      stop: capture.end,
      teardown: () =>
        protocol === 'h3' ? timedQuic(file, capture, port, logs?.keys) : timedTcp(file, capture, port),
    };
  },
};

async function timedTcp(file: string, capture: Capture, port: number): Promise<ProbeYield> {
  const rows = await rowsOf(file, ['-Y', 'tcp'], tcpFields);
  return yieldOf(capture, tcpWaits(rows, port));
}

async function timedQuic(
  file: string,
  capture: Capture,
  port: number,
  keys: string | undefined,
): Promise<ProbeYield> {
  if (keys === undefined || !existsSync(keys))
    return {
      warnings: [
        'this client writes no secrets (SSLKEYLOGFILE), without which QUIC’s acknowledgements are not read',
      ],
    };
  // Of two parts of a capture, the packets lie in the file as dumpcap came to read them.
  const ordered = `${file}.ordered`;
  await run('reordercap', [file, ordered]);
  const rows = await rowsOf(ordered, ['-Y', 'quic', '-o', `tls.keylog_file:${keys}`], quicFields);
  return yieldOf(capture, quicWaits(rows, port));
}

async function rowsOf(file: string, words: readonly string[], fields: readonly string[]): Promise<string[]> {
  const named = fields.flatMap((field) => ['-e', field]);
  const { stdout } = await run('tshark', ['-n', '-r', file, ...words, '-T', 'fields', ...named], {
    maxBuffer: maxTextBytes,
  });
  return stdout.split('\n');
}

async function yieldOf({ lacks }: Capture, { weight, weightedMs }: Waits): Promise<ProbeYield> {
  if (weight === 0) return { warnings: ['no data packet of the server was seen to be acknowledged'] };
  return { counters: { packetToAckMs: weightedMs / weight }, warnings: await lacks() };
}

interface CapturedPacket {
  readonly atMs: number;
  readonly isOfServer: boolean;
  /** Port of the client, which tells connections apart. */
  readonly client: string;
  /** What the transport’s own fields say. */
  readonly told: readonly string[];
}

/** The packets of lines that begin with a time and two ports; others are left out. */
function* packetsOf(lines: Iterable<string>, port: number): Generator<CapturedPacket> {
  for (const line of lines) {
    const [time, source = '', target, ...told] = line.split('\t');
    const atMs = Number(time) * 1000;
    if (target === undefined || !Number.isFinite(atMs)) continue;
    const isOfServer = Number(source) === port;
    yield { atMs, isOfServer, client: isOfServer ? target : source, told };
  }
}

/** Bytes from `begin` to `end`, sent at that time. */
interface Segment {
  readonly begin: number;
  readonly end: number;
  readonly atMs: number;
}

const tcpFields = [
  'frame.time_epoch',
  'tcp.srcport',
  'tcp.dstport',
  'tcp.seq',
  'tcp.len',
  'tcp.ack',
  'tcp.options.sack_le',
  'tcp.options.sack_re',
];

/**
 * From each data segment of the server to the first acknowledgement that covers it, cumulative or selective (RFC 9293, RFC 2018).
 * A segment that segmentation offload will cut counts as the packets that come of it. Segments that were sent again are left
 * out, because it is not known whose an acknowledgement is (RFC 6298, section 3). Lines have the fields above, separated by tabs,
 * sequence numbers from 0; those of another form are left out.
 */
export function tcpWaits(lines: Iterable<string>, port: number): Waits {
  let weight = 0;
  let weightedMs = 0;
  const connections = new Map<string, { highest: number; waiting: Segment[] }>();
  for (const { atMs, isOfServer, client, told } of packetsOf(lines, port)) {
    const [sequence, length, acknowledged, lefts = '', rights = ''] = told;
    const known = connections.get(client) ?? { highest: 0, waiting: [] };
    connections.set(client, known);
    if (isOfServer) {
      const begin = Number(sequence);
      const end = begin + Number(length);
      if (!(end > begin)) continue;
      if (begin < known.highest) known.waiting = known.waiting.filter((segment) => segment.end <= begin);
      else known.waiting.push({ begin, end, atMs });
      known.highest = Math.max(known.highest, end);
      continue;
    }
    const ranges = [[0, Number(acknowledged)], ...sackedBy(lefts, rights)];
    const isCovered = ({ begin, end }: Segment): boolean =>
      ranges.some(([left = 0, right = 0]) => left <= begin && end <= right);
    for (const segment of known.waiting.filter(isCovered)) {
      const bytes = segment.end - segment.begin;
      weight += bytes;
      weightedMs += bytes * (atMs - segment.atMs);
    }
    known.waiting = known.waiting.filter((segment) => !isCovered(segment));
  }
  return { weight, weightedMs };
}

function sackedBy(lefts: string, rights: string): number[][] {
  const ends = rights.split(',').map(Number);
  return lefts === '' ? [] : lefts.split(',').map((left, index) => [Number(left), ends[index] ?? 0]);
}

const quicFields = [
  'frame.time_epoch',
  'udp.srcport',
  'udp.dstport',
  'udp.length',
  'quic.long.packet_type',
  'quic.packet_number',
  'quic.ack.largest_acknowledged',
  'quic.ack.first_ack_range',
  'quic.ack.gap',
  'quic.ack.ack_range',
];

/**
 * From each data packet of the server to the first acknowledgement that covers it (RFC 9000, section 19.3.1), after the handshake.
 * A capture shows the number of the first packet alone where segmentation offload will cut more out of one datagram: they have
 * all numbers up to the next datagram’s. Lines have the fields above, separated by tabs; those of another form are left out.
 */
export function quicWaits(lines: Iterable<string>, port: number): Waits {
  let weight = 0;
  let weightedMs = 0;
  const connections = new Map<string, Sent>();
  for (const { atMs, isOfServer, client, told } of packetsOf(lines, port)) {
    const [length, handshake, number, ...ack] = told;
    if (handshake !== '' || number === undefined) continue;
    const sent = connections.get(client) ?? new Sent();
    connections.set(client, sent);
    if (isOfServer) {
      if (/^\d+$/.test(number)) sent.add(Number(number), { atMs, isData: Number(length) >= minDataBytes });
      continue;
    }
    for (const sentMs of sent.take(acknowledgedBy(ack))) {
      weight++;
      weightedMs += atMs - sentMs;
    }
  }
  return { weight, weightedMs };
}

interface Datagram {
  readonly atMs: number;
  readonly isData: boolean;
}

/** Packets of one connection that wait for an acknowledgement, in the order of their numbers. */
class Sent {
  readonly #waiting = new Map<number, number>();
  #last: Datagram | undefined;
  #next = 0;

  add(first: number, datagram: Datagram): void {
    if (first < this.#next) return; // reordered on its way to the capture
    this.#numberLast(first - 1);
    this.#last = datagram;
    this.#next = first;
  }

  /** When the packets were sent that these ranges cover; they wait no longer. */
  take(ranges: readonly (readonly [first: number, last: number])[]): number[] {
    const [[, highest] = [0, -1]] = ranges;
    this.#numberLast(highest);
    const taken: number[] = [];
    for (const [number, sentMs] of this.#waiting) {
      if (number > highest) break;
      if (!ranges.some(([first, last]) => first <= number && number <= last)) continue;
      this.#waiting.delete(number);
      taken.push(sentMs);
    }
    return taken;
  }

  /** The packets of the last datagram have numbers up to this one at least. */
  #numberLast(upTo: number): void {
    const most = Math.min(upTo, this.#next + maxPacketsOfDatagram);
    for (; this.#next <= most; this.#next++)
      if (this.#last?.isData === true) this.#waiting.set(this.#next, this.#last.atMs);
  }
}

/** Of UDP segmentation offload (Linux, UDP_MAX_SEGMENTS). */
const maxPacketsOfDatagram = 128;

/** First and last packet of each range, from the highest down. */
function acknowledgedBy([largest = '', first = '', gaps = '', lengths = '']: readonly string[]): [
  number,
  number,
][] {
  if (largest === '') return [];
  const ranges: [number, number][] = [[Number(largest) - Number(first), Number(largest)]];
  const lengthOf = lengths.split(',').map(Number);
  for (const [index, gap] of (gaps === '' ? [] : gaps.split(',')).entries()) {
    const last = (ranges.at(-1)?.[0] ?? 0) - Number(gap) - 2;
    ranges.push([last - (lengthOf[index] ?? 0), last]);
  }
  return ranges;
}
