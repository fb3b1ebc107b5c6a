import { createReadStream, createWriteStream, readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { H2h3Error, foundOr } from '../../src/core/model/errors.ts';
import type { TransportSample } from '../../src/core/model/transport-series.ts';
import { amplificationStalls, type AmplificationStalls } from './amplification.ts';
import { keepSeries } from './keep-series.ts';
import { logLines } from './log-lines.ts';
import type { ClientRecording, Probe, ProbeYield } from './probe.ts';
import { draftName, inDraftsForm } from './qlog-form.ts';
import { fieldsOf, listOf, qlogRecordOf, type Fields } from './qlog-records.ts';
import { meanRoundTrip } from './transport.ts';

/** Of the server's log; what comes after it is neither read nor kept. */
const maxBytes = 256_000_000;
/** Of a log that is packed in one go: to pack single records takes several times as long. */
const partCharacters = 65_536;
/** A moment of the sender is kept at most this often. */
const sampleMs = 10;

/** What the log of one connection comes to. */
export interface QuicSender {
  readonly samples: readonly TransportSample[];
  readonly packetsSent: number;
  readonly packetsLost: number;
  /** Of those declared lost the ones that the receiver acknowledged later: they were late, not lost. */
  readonly spuriousLosses: number;
  /** Packets of the receiver that acknowledged something. */
  readonly acknowledgements: number;
  /** Time in each state that the sender names, ms: `slow_start`, `congestion_avoidance`, `recovery`, `application_limited`. */
  readonly stateMs: Readonly<Record<string, number>>;
  /** How often it went from one state to another: `slow_start>recovery`. */
  readonly transitions: Readonly<Record<string, number>>;
  /** What the other end granted at the beginning (RFC 9000, section 18.2); absent where the log does not say. */
  readonly granted?: Granted;
}

/** Flow control's first windows: of the connection, and of each stream that the other end opens. */
interface Granted {
  readonly connectionBytes: number;
  readonly streamBytes: number;
}

type Side = 'client' | 'server';

/** A log as its writer left it. */
interface Log {
  readonly side: Side;
  readonly file: string;
  /** Of the sequential form, which can be read while it is long; other forms are kept as they are. */
  readonly isSequential: boolean;
}

/** What server and client themselves log of each QUIC connection (qlog), where they write one: round trips, window, losses, states. */
export const qlog: Probe = {
  id: 'qlog',
  title:
    'the server’s and light clients’ logs of each QUIC connection: round trips, congestion window, losses, states of the congestion control',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  counts: ['smoothedRttMs', 'applicationLimitedPercent'],
  launch: { logs: ['qlog'] },
  setup: ({ launch, trialDir }) => {
    const folder = launch.server?.qlogDir;
    if (launch.protocol !== 'h3')
      throw new H2h3Error('unsupported', 'TCP has no qlog; the probe `transport` tells of its connections');
    let before = new Set<string>();
    return {
      start: () => {
        before = new Set(namesIn(folder));
      },
      teardown: async ({ clean }) => {
        const own = (name: string): boolean => name.endsWith('_server.sqlog') && !before.has(name);
        const logs = [
          ...logsIn(folder, 'server').filter(({ file }) => own(basename(file))),
          ...logsIn(launch.logs?.qlog, 'client'),
        ];
        if (logs.length === 0)
          return { warnings: ['neither the server nor the client wrote a qlog: not every one can'] };
        return keep(logs, { trialDir, clean });
      },
    };
  },
};

function namesIn(folder: string | undefined): string[] {
  return folder === undefined ? [] : foundOr(() => readdirSync(folder).toSorted(), []);
}

function logsIn(folder: string | undefined, side: Side): Log[] {
  return namesIn(folder)
    .filter((name) => /\.s?qlog$/.test(name))
    .map((name) => ({ side, file: join(folder ?? '', name), isSequential: name.endsWith('.sqlog') }));
}

interface Keeping extends Pick<ClientRecording, 'clean'> {
  readonly trialDir: string;
}

async function keep(logs: readonly Log[], { trialDir, clean }: Keeping): Promise<ProbeYield> {
  const read: { readonly side: Side; readonly sender: QuicSender }[] = [];
  const artifacts: Record<string, string> = {};
  const warnings: string[] = [];
  const stalls: AmplificationStalls[] = [];
  for (const { side, file, isSequential } of logs) {
    const { size } = await stat(file);
    if (size > maxBytes) warnings.push(`a qlog of ${size} bytes was read up to ${maxBytes}`);
    if (isSequential && side === 'server') stalls.push(await amplificationStalls(logLines(file, maxBytes)));
    if (isSequential) read.push({ side, sender: await readQlog(logLines(file, maxBytes)) });
    const index = Object.values(artifacts).filter((name) => name.startsWith(side)).length;
    const name = `${side}-${index}.${isSequential ? 'sqlog' : 'qlog'}.gz`;
    const kept = isSequential
      ? Readable.from(inParts(inDraftsForm(logLines(file, maxBytes), clean)))
      : createReadStream(file, { end: maxBytes - 1 });
    await pipeline(kept, createGzip(), createWriteStream(join(trialDir, name)));
    artifacts[side === 'server' ? `qlog${index}` : `clientQlog${index}`] = name;
  }
  const connections = read.map(({ side, sender: { samples } }, index) => ({
    transport: 'quic' as const,
    side,
    name: String(index),
    samples: [...samples],
  }));
  const servers = read.filter(({ side }) => side === 'server').map(({ sender }) => sender);
  Object.assign(artifacts, await keepSeries(connections, trialDir));
  return {
    artifacts,
    counters: servers.length === 0 ? {} : { ...countersOf(servers), ...stallCounters(stalls) },
    warnings,
  };
}

/** What many small texts come to, in parts of a size. */
async function* inParts(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let part = '';
  for await (const text of texts) {
    part += text;
    if (part.length < partCharacters) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}

function countersOf(senders: readonly QuicSender[]): Record<string, number> {
  const total = (of: (sender: QuicSender) => number): number =>
    senders.reduce((sum, sender) => sum + of(sender), 0);
  const states = new Set(senders.flatMap(({ stateMs }) => Object.keys(stateMs)));
  return {
    ...meanRoundTrip(senders.flatMap(({ samples }) => samples)),
    ...grantedCounters(senders.flatMap(({ granted }) => granted ?? [])),
    quicPacketsSent: total(({ packetsSent }) => packetsSent),
    quicPacketsLost: total(({ packetsLost }) => packetsLost),
    quicSpuriousLosses: total(({ spuriousLosses }) => spuriousLosses),
    quicAcknowledgements: total(({ acknowledgements }) => acknowledgements),
    ...Object.fromEntries(
      [...states].map((state) => [`${counterName(state)}Ms`, total(({ stateMs }) => stateMs[state] ?? 0)]),
    ),
    ...Object.fromEntries(
      [...new Set(senders.flatMap(({ transitions }) => Object.keys(transitions)))].map((name) => [
        `quicTransition:${name}`,
        total(({ transitions }) => transitions[name] ?? 0),
      ]),
    ),
  };
}

/** The least that any connection began with. */
function grantedCounters(all: readonly Granted[]): Record<string, number> {
  if (all.length === 0) return {};
  return {
    quicGrantedConnectionBytes: Math.min(...all.map(({ connectionBytes }) => connectionBytes)),
    quicGrantedStreamBytes: Math.min(...all.map(({ streamBytes }) => streamBytes)),
  };
}

function stallCounters(stalls: readonly AmplificationStalls[]): Record<string, number> {
  return {
    quicAmplificationStalls: stalls.reduce((sum, { count }) => sum + count, 0),
    quicAmplificationStallMs: stalls.reduce((sum, { totalMs }) => sum + totalMs, 0),
  };
}

/** `slow_start` as `quicSlowStart`. */
function counterName(state: string): string {
  return `quic_${state}`.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Reads a qlog of the sequential form: a JSON text a record, each behind a record separator (RFC 7464); the first says when
 * the clock began. Event names and fields: draft-ietf-quic-qlog-quic-events. A last record that was cut short is left out.
 */
export async function readQlog(lines: AsyncIterable<string>): Promise<QuicSender> {
  const samples: TransportSample[] = [];
  const stateMs: Record<string, number> = {};
  const transitions: Record<string, number> = {};
  let startMs = 0;
  let lastMs = 0;
  let packetsSent = 0;
  let packetsLost = 0;
  let acknowledgements = 0;
  let spuriousLosses = 0;
  const lost = new Set<number>();
  let granted: Granted | undefined;
  let state: { readonly name: string; readonly sinceMs: number } | null = null;
  let now: Omit<TransportSample, 'tMs' | 'lostPackets'> = {
    rttMs: null,
    congestionWindowBytes: null,
    inFlightBytes: null,
  };
  for await (const line of lines) {
    const record = qlogRecordOf(line);
    startMs = startOf(record) ?? startMs;
    const { time, name: written, data: writtenData } = record;
    if (typeof time !== 'number') continue;
    const name = typeof written === 'string' ? draftName(written) : '';
    const data = fieldsOf(writtenData);
    lastMs = time;
    if (name === 'quic:packet_sent') packetsSent++;
    else if (name === 'quic:parameters_set') granted = grantedBy(data) ?? granted;
    else if (name === 'quic:packet_lost') {
      packetsLost++;
      if (isOfData(data)) lost.add(numberOf(headerOf(data)['packet_number']) ?? -1);
    } else if (name === 'quic:packet_received') {
      const ranges = acknowledgedBy(data);
      if (ranges.length > 0) acknowledgements++;
      if (!isOfData(data)) continue;
      for (const number of [...lost].filter((lostNumber) =>
        ranges.some(([first, last]) => first <= lostNumber && lostNumber <= last),
      )) {
        lost.delete(number);
        spuriousLosses++;
      }
    } else if (name === 'quic:congestion_state_updated') {
      if (state !== null) stateMs[state.name] = (stateMs[state.name] ?? 0) + time - state.sinceMs;
      const { new: next } = data;
      if (state !== null && typeof next === 'string' && next !== state.name) {
        const transition = `${state.name}>${next}`;
        transitions[transition] = (transitions[transition] ?? 0) + 1;
      }
      state = typeof next === 'string' ? { name: next, sinceMs: time } : null;
    } else if (name === 'quic:recovery_metrics_updated') {
      now = {
        rttMs: numberOf(data['smoothed_rtt']) ?? now.rttMs,
        congestionWindowBytes: numberOf(data['congestion_window']) ?? now.congestionWindowBytes,
        inFlightBytes: numberOf(data['bytes_in_flight']) ?? now.inFlightBytes,
      };
      if (startMs + time - (samples.at(-1)?.tMs ?? -Infinity) >= sampleMs)
        samples.push({ tMs: startMs + time, ...now, lostPackets: packetsLost });
    }
  }
  if (state !== null) stateMs[state.name] = (stateMs[state.name] ?? 0) + lastMs - state.sinceMs;
  return {
    samples,
    packetsSent,
    packetsLost,
    spuriousLosses,
    acknowledgements,
    stateMs,
    transitions,
    ...(granted === undefined ? {} : { granted }),
  };
}

/** Of the other end's parameters; undefined for the writer's own. Older drafts call who set them their owner. */
function grantedBy({ initiator, owner = initiator, ...parameters }: Fields): Granted | undefined {
  const connectionBytes = numberOf(parameters['initial_max_data']);
  const streamBytes = numberOf(parameters['initial_max_stream_data_bidi_local']);
  return owner !== 'remote' || connectionBytes === undefined || streamBytes === undefined
    ? undefined
    : { connectionBytes, streamBytes };
}

const headerOf = ({ header }: Fields): Fields => fieldsOf(header);

/** Each phase of a handshake numbers its packets anew; data have one row of numbers. */
const isOfData = (data: Fields): boolean => headerOf(data)['packet_type'] === '1RTT';

/** First and last packet of each range that a packet acknowledges. */
function acknowledgedBy({ frames }: Fields): [first: number, last: number][] {
  const ranges = listOf(frames).flatMap((frame) => listOf(fieldsOf(frame)['acked_ranges']));
  return ranges.flatMap((range): [number, number][] => {
    const [first, last = first] = listOf(range).map(numberOf);
    return first === undefined || last === undefined ? [] : [[first, last]];
  });
}

/** The time of day at which the clock of a log stood at zero, ms; undefined for any record but the first. */
function startOf({ trace }: Fields): number | undefined {
  const { reference_time: reference } = fieldsOf(fieldsOf(trace)['common_fields']);
  const { wall_clock_time: text } = fieldsOf(reference);
  const startMs = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(startMs) ? undefined : startMs;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
