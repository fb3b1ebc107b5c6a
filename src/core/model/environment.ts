import { z } from 'zod';
import { instrumentationAsymmetrySchema } from './calibration.ts';
import { conditionFields } from './condition.ts';
import { remoteSchema } from './live-address.ts';
import { protocolSchema } from './protocol.ts';
import { shardSchema } from './shard.ts';
import { networkSpecSchema } from './network-spec.ts';
import { nicSchema } from './nic.ts';

export const clientDescriptionSchema = z.object({
  id: z.string(),
  /** `chromium`, `firefox`, or the name of a command-line client. */
  family: z.string(),
  name: z.string(),
  version: z.string(),
  /** Never mix builds in one comparison: they differ more than releases do. */
  build: z.enum(['full', 'headless-shell', 'command-line']),
  source: z.enum(['system', 'embedded', 'path', 'cache']),
  executablePath: z.string(),
  /** SHA-256 of its program as it was when the run began; absent in older runs. */
  executableSha256: z.string().optional(),
  headed: z.boolean(),
  /** Protocols that this build speaks, where builds of one client differ in that. */
  protocols: z.array(protocolSchema).optional(),
  /** What makes HTTP/3 in it, such as `ngtcp2 1.22.1`, where builds of one client differ in that. */
  quicLibrary: z.string().optional(),
});
export type ClientDescription = z.infer<typeof clientDescriptionSchema>;

/** In the place of TCP's algorithm, of a server that speaks HTTP/3 alone. */
export const noTcp = 'none';

/** How a server shakes hands, read back from handshakes with it; null where none told. */
export const handshakeSchema = z.object({
  /** All certificates that it sends, in DER. */
  chainBytes: z.number().nullable(),
  /** Hosts that its certificate is for. */
  names: z.number().nullable(),
  keyType: z.enum(['ecdsa', 'rsa']).nullable(),
  /** The group that it takes of X25519MLKEM768 and X25519, over either transport. */
  tcpKeyExchange: z.string().nullable(),
  quicKeyExchange: z.string().nullable(),
  /** How it sends its certificates over TCP to a client that takes every way. */
  compression: z.enum(['none', 'zlib', 'brotli', 'zstd']).nullable(),
});
export type Handshake = z.infer<typeof handshakeSchema>;

export const serverDescriptionSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  /** Of a version that was fetched by name: where from, and what its archive was checked against. */
  origin: z.string().optional(),
  integrity: z.string().optional(),
  /** SHA-256 of its program as it was started; absent in older runs. */
  executableSha256: z.string().optional(),
  quicCongestionControl: z.string(),
  /** Whether that was read out of the program; absent where it is what is known of the version or was asked for. */
  quicCongestionControlReadBack: z.boolean().optional(),
  /** What a reader must know of it beyond the name. */
  quicCongestionControlNote: z.string().optional(),
  tcpCongestionControl: z.string(),
  /** Of a proxy: what it speaks to the next hop. */
  upstreamProtocol: z.string().optional(),
  /** Where the server's TCP algorithm was set, or why it could not be. */
  tcpCongestionControlNote: z.string().optional(),
  /** The only cipher suite that it may use, read back from a handshake; absent where it was free to choose. */
  cipher: z.string().optional(),
  /** The newest TLS that it speaks, read back from a handshake; absent where nothing was asked. */
  tls: z.literal('1.2').optional(),
  /** Absent in older runs. */
  handshake: handshakeSchema.optional(),
  /** That its TCP paces whatever its algorithm, read back from a connection; absent where nothing was asked. */
  tcpPacing: z.literal('on').optional(),
  /** What its QUIC was told to begin with, which each trial's first flight must show; absent where nothing was asked. */
  quicInitialWindowPackets: z.number().optional(),
  /** How much its QUIC was told to have under way at most; absent where nothing was asked. */
  quicSendWindowBytes: z.number().optional(),
  /** Protocols over which it sends first what the client calls urgent (RFC 9218, RFC 9113); absent where it is not known. */
  obeysPriorities: z.array(protocolSchema).optional(),
  /** Where its files lie, as its own mounts say; absent where nothing was asked. */
  storage: z.enum(['tmpfs', 'disk']).optional(),
});
export type ServerDescription = z.infer<typeof serverDescriptionSchema>;

/** What a check of a path measures; programs go by it, people read its `quantity`. */
export const pathCheckKinds = [
  'round-trip-time',
  'one-way-delay',
  'loss',
  'overtaken',
  'copies',
  'udp-rate',
  'tcp-rate',
  'tcp-reordering',
  'shared-udp-rate',
  'standing-delay',
  'fairness',
  'rate-behind',
  'round-trip-time-behind',
] as const;
export type PathCheckKind = (typeof pathCheckKinds)[number];

export const pathCheckSchema = z.object({
  direction: z.enum(['up', 'down']),
  /** Of `pathCheckKinds`, or of a newer version; absent in older runs. */
  kind: z.string().optional(),
  /** For people. */
  quantity: z.string(),
  unit: z.string(),
  expected: z.number().nullable(),
  /** The middle one, where there are several. */
  measured: z.number(),
  tolerance: z.number().nullable(),
  ok: z.boolean(),
  /** All of them in the order in which they were made, where the first check of the path failed. */
  measurements: z.array(z.number()).optional(),
});

/** What came of datagrams that were sent evenly one way. */
const datagramFiguresSchema = z.object({
  mbps: z.number(),
  lossPercent: z.number(),
  /** Of those that came, which a later one had overtaken. */
  overtakenPercent: z.number(),
});

/** What the link between two machines did for a moment; up is towards the server. */
export const realLinkSchema = z.object({
  /** Median of one byte each way over TCP. */
  roundTripMs: z.number(),
  /** What one TCP connection carried. */
  upMbps: z.number(),
  downMbps: z.number(),
  /** Between both machines on the way there, by TTL; null where none told, absent in older runs. */
  routers: z.int().nonnegative().nullable().optional(),
  /** Over UDP: the median of a packet there and back, and what came of so many Mbit/s. Absent in older runs. */
  udp: z
    .object({
      roundTripMs: z.number(),
      askedMbps: z.number(),
      up: datagramFiguresSchema,
      down: datagramFiguresSchema,
    })
    .optional(),
});
export type RealLink = z.infer<typeof realLinkSchema>;

export const networkDescriptionSchema = z.object({
  id: z.string(),
  /**
   * `link`: two joined devices of the kernel at a link's speed, nothing impaired. `real`: that between two machines, as it is. `proxy`: of
   * `exec` alone, TCP of programs that use it.
   */
  backend: z.enum(['none', 'netem', 'emulator', 'link', 'real', 'proxy']),
  description: z.string(),
  /** Whether rate, delay, loss or queue are set; without, offloads stay on and a mismatch of congestion control is only a warning. */
  impaired: z.boolean(),
  /** How privilege was had: root, sudo, user-namespace, none. */
  privilege: z.string(),
  offloads: z.record(z.string(), z.boolean()).nullable(),
  /** Largest IP packet at both ends, and to what TCP's buffers may grow there, as read back; absent where the ends are not ours, and in older runs. */
  mtuBytes: z.number().optional(),
  tcpBufferBytes: z.number().optional(),
  /** TCP's initial window, as the route of both ends has it; absent where that was not set. */
  initialWindowPackets: z.number().optional(),
  /** TCP's first receive window at the client, as its route has it; absent where the stack's own is left. */
  initialReceiveWindowPackets: z.number().optional(),
  /** Whether TCP of both ends begins anew after idle time, as read back; absent where the ends are not ours, and in older runs. */
  slowStartAfterIdle: z.enum(['on', 'off']).optional(),
  /** Whether TCP of both ends asks for ECN, as read back; absent where that was not set. */
  ecn: z.enum(['on', 'off']).optional(),
  /** The version of IP over which client and server speak; absent where that was not set: it is 4. */
  family: z.enum(['4', '6', 'both']).optional(),
  checks: z.array(pathCheckSchema),
  /** Of two machines: what the link between them did before the run, by itself, also where an emulated one is before it. */
  realLink: realLinkSchema.optional(),
  /** The same after the run. */
  realLinkAfter: realLinkSchema.optional(),
  /** What was asked for, both directions; absent where nothing is set. */
  spec: networkSpecSchema.optional(),
  /** Whether idle CPUs of the machine may have woken late, and packets with them; absent where nothing is shaped, and in older runs. */
  cpusWakeLate: z.boolean().optional(),
  /** What bears on the figures: buffers, scheduling, TCP algorithms of both ends, caps. */
  notes: z.array(z.string()).optional(),
});
export type NetworkDescription = z.infer<typeof networkDescriptionSchema>;

export const pinningSchema = z.object({
  browserCpus: z.string().nullable(),
  serverCpus: z.string().nullable(),
  note: z.string().optional(),
});

/** A machine as it was when the run began there. */
const machineSchema = z.object({
  platform: z.string(),
  kernel: z.string(),
  cpuModel: z.string(),
  cpuCount: z.number(),
  memoryBytes: z.number(),
  governor: z.string().nullable(),
  loadAverage1m: z.number(),
  /** Share of CPU time stolen by the hypervisor during the run's start, 0 … 1; null where unknown. */
  stealShare: z.number().nullable(),
  virtualised: z.string().nullable(),
  /** Of the hottest thermal zone, °C; null where none is visible, absent in older runs. */
  temperatureCelsius: z.number().nullable().optional(),
});

/** What a host found, before it joined a run that several share, when it compared an arm with itself. */
const hostAaSchema = z.object({
  ...conditionFields,
  arm: z.string(),
  metric: z.string(),
  /** Practical margin of the metric, as a share. */
  margin: z.number(),
  blocks: z.number().int(),
  /** Null for metrics that are compared by difference. */
  ratio: z.number().nullable(),
  /** 95 %, by the t test. */
  ratioInterval: z.tuple([z.number(), z.number()]).nullable(),
  difference: z.number().nullable(),
  differenceInterval: z.tuple([z.number(), z.number()]).nullable(),
  pBeyondMargin: z.number().nullable(),
});
export type HostAa = z.infer<typeof hostAaSchema>;

/** One of the machines of a run that several shared. */
const hostSchema = z.object({
  host: z.string(),
  /** The part of the plan that it ran, where that was settled beforehand. */
  shard: shardSchema.optional(),
  startedAt: z.string(),
  machine: machineSchema,
  aa: hostAaSchema.optional(),
});
export type Host = z.infer<typeof hostSchema>;

/** Another machine of a run, as it told of itself when the run began. */
const otherHostSchema = z.object({
  /** As the user named it. */
  host: z.string(),
  hostName: z.string(),
  machine: machineSchema,
  node: z.string(),
  /** By how much its clock was ahead of that of this machine, and how far off that may be, ms. */
  clockOffsetMs: z.number(),
  clockBoundMs: z.number(),
  /** Its end of the link; absent in older runs. */
  nic: nicSchema.optional(),
});
export type OtherHost = z.infer<typeof otherHostSchema>;
/** With this machine's end of the link, which is the client's; absent in older runs. */
const serverHostSchema = otherHostSchema.extend({ clientNic: nicSchema.optional() });
/** The same where it is the server's. */
const clientHostSchema = otherHostSchema.extend({ serverNic: nicSchema.optional() });

/** `environment.json`: enough to run it again. */
export const environmentSchema = z.object({
  schemaVersion: z.literal(1),
  startedAt: z.string(),
  /** Name of the machine; absent in older runs, and where `hosts` has several. */
  host: z.string().optional(),
  /** Of a run that several machines shared: each of them; all else is that of the first, and is alike on all. */
  hosts: z.array(hostSchema).optional(),
  /** Of a worker: how it was found fit to join. */
  aa: hostAaSchema.optional(),
  /** What was measured of the recording overhead on this machine before the run; absent where nothing was. */
  instrumentationOverhead: z.array(instrumentationAsymmetrySchema).optional(),
  machine: machineSchema,
  /** The machine on which servers ran, where that is another than the client's. */
  serverHost: serverHostSchema.optional(),
  /** The machine on which proxies ran, where that is another than the server's. */
  proxyHost: otherHostSchema.optional(),
  /** The machine on which clients ran, where that is another than the server's, which then is `machine` or `serverHost`. */
  clientHost: clientHostSchema.optional(),
  node: z.string(),
  h2h3: z.object({ version: z.string(), gitRevision: z.string().nullable() }),
  packages: z.record(z.string(), z.string()),
  ffmpeg: z.string().nullable(),
  clients: z.array(clientDescriptionSchema),
  servers: z.array(serverDescriptionSchema),
  networks: z.array(networkDescriptionSchema),
  pinning: pinningSchema,
  /** Live addresses of the run, as they showed themselves at its beginning. */
  remotes: z.array(remoteSchema).optional(),
  /** What else the machine did just before the run, also among the warnings; absent in older runs. */
  disturbances: z.array(z.string()).optional(),
  warnings: z.array(z.string()),
});
export type Environment = z.infer<typeof environmentSchema>;
/** The other machines of a run, by what ran on them. */
export type OtherMachineFacts = Pick<Environment, 'serverHost' | 'proxyHost' | 'clientHost'>;

/** `, virtual machine` with its kind where that is known; empty for a physical one. */
export function virtualWords({ virtualised }: Environment['machine']): string {
  if (virtualised === null) return '';
  return `, virtual machine${virtualised.startsWith('yes') ? '' : ` (${virtualised})`}`;
}

/**
 * `on 1 of 2 CPUs`; empty where it may use all of them. Of several machines that is not said, nor of arms that differ in it.
 *
 * @param asked factor `cpus` of each arm, as it is written; undefined where an arm leaves it open
 */
export function clientCpuWords(
  { clientHost, machine, pinning, hosts }: Environment,
  asked: readonly (string | undefined)[] = [],
): string {
  const [first, ...others] = new Set(asked);
  if (hosts !== undefined || others.length > 0 || first === 'all') return '';
  const { cpuCount } = clientHost?.machine ?? machine;
  const ofRun = pinning.browserCpus === null ? cpuCount : cpuCountOf(pinning.browserCpus);
  const count = first === undefined ? ofRun : Number(first);
  return count < cpuCount && Number.isFinite(cpuCount) ? `on ${count} of ${cpuCount} CPUs` : '';
}

/** Of a list such as `0,2-3`, as taskset takes it. */
function cpuCountOf(list: string): number {
  return list
    .split(',')
    .map((part) => part.split('-').map(Number))
    .reduce((sum, [first = 0, last = first]) => sum + last - first + 1, 0);
}
