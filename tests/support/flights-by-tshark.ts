import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { FirstFlight } from '../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { readEvidence } from '../../src/store/evidence.ts';

/** Undefined where all that reads packets is here. */
export async function tsharkLack(): Promise<string | undefined> {
  const place = { platform: process.platform, environment: process.env };
  const found = await Promise.all(['tshark', 'dumpcap', 'editcap'].map((name) => findOnPath(name, place)));
  return found.includes(undefined) ? 'no tshark (Debian: h2h3 setup --system)' : undefined;
}

interface Seen {
  readonly atMs: number;
  readonly isUp: boolean;
  /** Of TCP's or UDP's data. */
  readonly bytes: number;
  readonly sequence: number;
  readonly acknowledged: number;
  readonly isLong: boolean;
}

/** The packets of one connection as tshark reads them at the client's interface. */
function packetsAt(file: string, transport: 'tcp' | 'udp', clientPort: number): Seen[] {
  const fields = [
    'frame.time_epoch',
    `${transport}.srcport`,
    ...(transport === 'tcp'
      ? ['tcp.len', 'tcp.seq', 'tcp.ack']
      : ['udp.length', 'udp.stream', 'udp.stream', 'quic.long.packet_type']),
  ];
  const words = fields.flatMap((field) => ['-e', field]);
  const filter = `${transport}.port == ${clientPort}`;
  const text = execFileSync('tshark', ['-n', '-r', file, '-Y', filter, '-T', 'fields', ...words], {
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [time, source, length, sequence, acknowledged, long = ''] = line.split('\t');
      return {
        atMs: Number(time) * 1000,
        isUp: Number(source) === clientPort,
        bytes: Number(length) - (transport === 'udp' ? 8 : 0),
        sequence: Number(sequence),
        acknowledged: Number(acknowledged),
        isLong: long !== '',
      };
    });
}

/** By so much a busy machine may hand a packet over late, and its trial still counts. */
const maxLateMs = 2;
/** Over 100 Mbit/s a burst of ten packets takes so long; servers that send more at once are done long before the answer. */
const burstMs = 1;

interface Start {
  /** What the server sent after the request, in the order in which it came. */
  readonly answers: readonly Seen[];
  readonly first: Seen;
  /** The client's first packet that acknowledges it. */
  readonly acknowledgement: Seen;
}

/**
 * Where the first flight begins, and with what it ends.
 *
 * @param answeredMs what came later than this after the first acknowledgement was sent may be its answer
 * @param earlierMs by so much earlier the client may have had a packet than the capture has it
 */
function startOf(
  packets: readonly Seen[],
  transport: 'tcp' | 'udp',
  answeredMs: number,
  earlierMs: number,
): Start {
  const hello = packets.findIndex(({ isUp, bytes }) => !isUp && bytes > 0);
  const finished = packets.findIndex(({ isUp, bytes }, index) => index > hello && isUp && bytes > 0);
  const response = packets.filter(
    ({ isUp, bytes, isLong }, index) => index > finished && !isUp && bytes > 0 && !isLong,
  );
  // What came within a round trip of the request was sent before it.
  const requestMs = packets[finished]?.atMs ?? 0;
  const answers = response.filter(({ atMs }) => atMs > requestMs + answeredMs);
  const [first] = answers;
  assert.ok(first);
  const isOfIt = ({ isUp, atMs, acknowledged }: Seen): boolean =>
    isUp && (transport === 'tcp' ? acknowledged > first.sequence : atMs > first.atMs - earlierMs);
  const acknowledgement = packets.find((packet, index) => index > finished && isOfIt(packet));
  assert.ok(acknowledgement);
  return { answers, first, acknowledgement };
}

/** Packets of the first flight, by when the client's first acknowledgement of it left the client. @param earlierMs by so much earlier it ends */
function flightAt({ answers, acknowledgement }: Start, answeredMs: number, earlierMs = 0): number {
  return answers.filter(({ atMs }) => atMs < acknowledgement.atMs + answeredMs - earlierMs).length;
}

/** Of TCP: the server's packets with data that the client had acknowledged, by their numbers, before it acknowledged the flight. */
function acknowledgedAt(packets: readonly Seen[], { first, acknowledgement }: Start): number {
  const before = packets.slice(0, packets.indexOf(acknowledgement));
  const upTo = Math.max(...before.filter(({ isUp }) => isUp).map(({ acknowledged }) => acknowledged));
  const isAcknowledged = ({ isUp, bytes, sequence }: Seen): boolean =>
    !isUp && bytes > 0 && sequence + bytes <= upTo;
  return packets.slice(0, packets.indexOf(first)).filter(isAcknowledged).length;
}

/** Packets of a trial's first flight by the link, and by tshark of the trial's capture. */
export interface TwoReadings {
  readonly flight: Extract<FirstFlight, { packets: number }>;
  readonly seen: number;
  /** Of TCP: packets that were acknowledged before by tshark; QUIC encrypts its acknowledgements. */
  readonly acknowledged: number | undefined;
  /**
   * Whether the flight was over well before the answer to the acknowledgement could come. A server that got no CPU sends until then,
   * and times at the client cannot tell what was sent before.
   */
  readonly isClear: boolean;
}

/** Both readings of a trial that was captured over a path of this round trip; a text where the link does not know. */
export function flightsOfTrial(
  out: string,
  { trialId, artifacts, metrics: { firstFlight } }: TrialRecord,
  roundTripMs: number,
): TwoReadings | string {
  const capture = artifacts['capture'];
  if (capture === undefined) return 'not captured';
  const { connectionStarts = [] } = readEvidence(join(out, 'trials', trialId)).raw;
  if (firstFlight === undefined || !('packets' in firstFlight)) return JSON.stringify(connectionStarts);
  const start = connectionStarts.find((one) => one.firstFlight?.bytes === firstFlight.bytes);
  assert.ok(start);
  const packets = packetsAt(join(out, capture), start.transport, start.clientPort);
  const answeredMs = 0.97 * roundTripMs;
  const { transport } = start;
  const begun = startOf(packets, transport, answeredMs, 0);
  const seen = flightAt(begun, answeredMs);
  const least = flightAt(startOf(packets, transport, answeredMs, maxLateMs), answeredMs, maxLateMs + burstMs);
  const acknowledged = transport === 'tcp' ? acknowledgedAt(packets, begun) : undefined;
  return { flight: firstFlight, seen, acknowledged, isClear: least === seen };
}
