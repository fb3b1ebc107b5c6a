import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { TransportSeries } from '../../src/core/model/transport-series.ts';
import { within } from '../clients/browsers/deadline.ts';
import { keepSeries } from './keep-series.ts';
import type { Probe, ProbeContext, ProbeYield } from './probe.ts';
import { serverHere } from './server-here.ts';

const limitMs = 5000;
/** Of text that `ss` writes; what comes after it is not kept. */
const maxBytes = 32_000_000;

/** What the kernel says of one connection of the server at one moment (`TCP_INFO`, as `ss -ti` writes it). */
export interface TcpSample {
  readonly tMs: number;
  /** Address and port of this end and of the other. */
  readonly local: string;
  readonly peer: string;
  readonly rttMs: number | null;
  readonly segmentBytes: number | null;
  readonly congestionWindow: number | null;
  readonly unacknowledged: number | null;
  readonly retransmitted: number;
  /** Segments that the other end had already when they were sent again (D-SACK, RFC 2883). */
  readonly spurious: number;
  /** Segments without data that this end sent: acknowledgements. */
  readonly acknowledgements: number;
  readonly bytesAcknowledged: number;
  readonly busyMs: number;
  readonly receiveWindowLimitedMs: number;
  readonly sendBufferLimitedMs: number;
}

/** TCP_INFO of the connections of server and client every 50 ms. QUIC keeps its state in the server's own memory: nothing is seen of it here. */
export const transport: Probe = {
  id: 'transport',
  title: 'TCP_INFO of the server’s and the client’s connections over time, by ss; for diagnosis',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  forDiagnosis: true,
  counts: ['smoothedRttMs'],
  setup: (context) => {
    const { protocol, factors } = context.launch;
    const server = serverHere(context);
    if (protocol === 'h3' && factors?.competingflows?.transport !== 'tcp')
      throw new H2h3Error('unsupported', 'QUIC keeps its state in the server, where ss sees nothing of it', {
        next: 'The probe `qlog` tells of it.',
      });
    return sampled(context, {
      pid: server.pid,
      port: server.port,
      alone: factors?.competingflows === undefined,
    });
  },
};

interface Sampled {
  readonly pid: number;
  readonly port: number;
  /** Whether all connections of the server belong to the measured transfer; else nothing is counted up. */
  readonly alone: boolean;
}

function sampled({ trialDir }: ProbeContext, { pid, port, alone }: Sampled): ReturnType<Probe['setup']> {
  const intoServer = ['nsenter', '--target', String(pid), '--net', '--'];
  const server = startSampler(intoServer, `sport = :${port}`);
  // This process runs where the client does.
  const client = startSampler([], `dport = :${port}`);
  return {
    start: () => [server, client].forEach((sampler) => sampler.record()),
    stop: async () => void (await Promise.all([server, client].map((sampler) => sampler.end()))),
    teardown: async () => {
      const { counters, ...kept } = await keep(
        parseSamples(server.text()),
        parseSamples(client.text()),
        trialDir,
      );
      return alone && counters !== undefined ? { ...kept, counters } : kept;
    },
  };
}

interface Sampler {
  record(): void;
  end(): Promise<void>;
  /** What ss wrote. @throws H2h3Error `unsupported` where it complained */
  text(): string;
}

/** One shell that lives for the trial: its `date` and `ss` are read when it has ended. */
function startSampler(prefix: readonly string[], filter: string): Sampler {
  const script = `while sleep 0.05; do date +@%s.%N; ss -tinHO "${filter}"; done`;
  const [program = 'bash', ...words] = [...prefix, 'bash', '-c', script];
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let text = '';
  let complaint = '';
  let recording = false;
  child.on('error', (cause) => (complaint += cause.message));
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (recording && text.length < maxBytes) text += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => (complaint += part));
  const ended = once(child, 'close');
  ended.catch(() => undefined); // its reason is in `complaint`
  return {
    record: () => {
      recording = true;
    },
    end: async () => {
      recording = false;
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await within(ended, limitMs, 'ss');
    },
    text: () => {
      if (complaint === '') return text;
      throw new H2h3Error('unsupported', `ss: ${complaint.trim().split('\n')[0] ?? ''}`, {
        next: 'It takes ss (iproute2), nsenter (util-linux) and root.',
      });
    },
  };
}

async function keep(
  samples: readonly TcpSample[],
  ofClient: readonly TcpSample[],
  trialDir: string,
): Promise<ProbeYield> {
  if (samples.length === 0) return { warnings: ['the probe transport saw no connection of the server'] };
  const series = [...tcpSeries(samples, 'server'), ...tcpSeries(ofClient, 'client')];
  const artifacts = await keepSeries(series, trialDir);
  const segment = Math.max(0, ...samples.map(({ segmentBytes }) => segmentBytes ?? 0));
  const total = (of: (sample: TcpSample) => number): number => sumOfLast(samples, of);
  return {
    artifacts,
    counters: {
      ...meanRoundTrip(samples),
      ...(segment > 0 && { segmentBytes: segment }),
      tcpBusyMs: total(({ busyMs }) => busyMs),
      tcpReceiveWindowLimitedMs: total(({ receiveWindowLimitedMs }) => receiveWindowLimitedMs),
      tcpSendBufferLimitedMs: total(({ sendBufferLimitedMs }) => sendBufferLimitedMs),
      tcpRetransmitted: total(({ retransmitted }) => retransmitted),
      tcpSpuriousRetransmits: total(({ spurious }) => spurious),
      ...(ofClient.length > 0 && {
        tcpAcknowledgements: sumOfLast(ofClient, ({ acknowledgements }) => acknowledgements),
      }),
    },
  };
}

/** What connections had come to when they were last seen, added up. */
function sumOfLast(samples: readonly TcpSample[], of: (sample: TcpSample) => number): number {
  const last = new Map(samples.map((sample) => [`${sample.local} ${sample.peer}`, sample]));
  return [...last.values()].reduce((sum, sample) => sum + of(sample), 0);
}

/** The same of each connection in the form that TCP and QUIC share: windows in bytes. */
export function tcpSeries(
  samples: readonly TcpSample[],
  side: 'client' | 'server',
): TransportSeries['connections'] {
  // A client's connections all have one peer, and differ by their own port.
  const nameOf = ({ local, peer }: TcpSample): string => (side === 'server' ? peer : `${local} to ${peer}`);
  return [...Map.groupBy(samples, nameOf)].map(([name, ofPeer]) => ({
    transport: 'tcp',
    side,
    name,
    samples: ofPeer.map(({ tMs, rttMs, segmentBytes, congestionWindow, unacknowledged, retransmitted }) => {
      const bytes = (segments: number | null): number | null =>
        segments === null || segmentBytes === null ? null : segments * segmentBytes;
      return {
        tMs,
        rttMs,
        congestionWindowBytes: bytes(congestionWindow),
        // ss leaves out what is zero.
        inFlightBytes: bytes(unacknowledged ?? 0),
        lostPackets: retransmitted,
      };
    }),
  }));
}

/** The mean of what a sender said of its round trip; nothing where it said nothing. */
export function meanRoundTrip(samples: readonly { readonly rttMs: number | null }[]): {
  readonly smoothedRttMs?: number;
} {
  const rtts = samples.flatMap(({ rttMs }) => rttMs ?? []);
  return rtts.length === 0 ? {} : { smoothedRttMs: rtts.reduce((sum, ms) => sum + ms, 0) / rtts.length };
}

/** Lines of `@epochSeconds`, each followed by one line a connection as `ss -tinHO` writes it (ss(8)). */
export function parseSamples(text: string): TcpSample[] {
  let tMs = Number.NaN;
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('@')) {
      tMs = Number(line.slice(1)) * 1000;
      return [];
    }
    const [, , , local, peer] = line.trim().split(/\s+/);
    if (!Number.isFinite(tMs) || local === undefined || peer === undefined || !line.includes(' rto:'))
      return [];
    const value = (pattern: RegExp): number | null => {
      const found = pattern.exec(line)?.[1];
      return found === undefined ? null : Number(found);
    };
    return [
      {
        tMs,
        local,
        peer,
        rttMs: value(/ rtt:([\d.]+)\//),
        segmentBytes: value(/ mss:(\d+)/),
        congestionWindow: value(/ cwnd:(\d+)/),
        unacknowledged: value(/ unacked:(\d+)/),
        retransmitted: value(/ retrans:\d+\/(\d+)/) ?? 0,
        spurious: value(/ dsack_dups:(\d+)/) ?? 0,
        // ss leaves out what is zero.
        acknowledgements: (value(/ segs_out:(\d+)/) ?? 0) - (value(/ data_segs_out:(\d+)/) ?? 0),
        bytesAcknowledged: value(/ bytes_acked:(\d+)/) ?? 0,
        busyMs: value(/ busy:(\d+)ms/) ?? 0,
        receiveWindowLimitedMs: value(/ rwnd_limited:(\d+)ms/) ?? 0,
        sendBufferLimitedMs: value(/ sndbuf_limited:(\d+)ms/) ?? 0,
      },
    ];
  });
}
