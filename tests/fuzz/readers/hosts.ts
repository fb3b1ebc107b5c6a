import { datagram, readDatagram } from '../../../harness/hosts/datagrams.ts';
import { readAnswer, readFarLine } from '../../../harness/hosts/far-channel.ts';
import { parseFarSystem } from '../../../harness/hosts/far-program.ts';
import { farCalls, requestSchema, type FarCall } from '../../../harness/hosts/far-protocol.ts';
import { readCounts } from '../../../harness/hosts/link-listener.ts';
import { parseLink } from '../../../harness/hosts/nic.ts';
import { readAs } from '../../../src/app/exec/path-answers.ts';
import { pathQuestionSchema } from '../../../src/app/exec/path-message.ts';
import { parseForeignJson } from '../../../src/core/model/bounded-json.ts';
import { linkTowards } from '../../../src/core/system/interface-counters.ts';
import { json, type FuzzedReader } from '../fuzzed-reader.ts';

const machine = {
  platform: 'linux x64',
  kernel: 'Linux 6.1',
  cpuModel: 'x',
  cpuCount: 8,
  memoryBytes: 1e9,
  governor: null,
  loadAverage1m: 0.1,
  stealShare: null,
  virtualised: null,
};
const hello = {
  protocol: 1,
  version: '0.9.0',
  node: '24.21.0',
  hostName: 'far',
  runId: `7-${'ab'.repeat(8)}`,
  machine,
  address: '10.0.0.2',
  nearAddress: '10.0.0.1',
  tcpCongestionControls: ['cubic', 'reno'],
  nic: {
    device: 'eth0',
    mtuBytes: 1500,
    speedMbps: 1000,
    queueing: 'mq',
    offloads: { tso: true },
    receiveBufferBytes: 212_992,
  },
};
const entry = {
  host: 'a.test',
  path: '/',
  method: 'GET',
  protocol: 'h3',
  status: 200,
  bytes: 10,
  startEpochMs: 1.7e12,
  durationMs: 3,
};
const description = {
  id: 'caddy',
  name: 'Caddy',
  version: '2.11.7',
  quicCongestionControl: 'reno',
  tcpCongestionControl: 'reno',
};
const row = {
  pid: 7,
  parentPid: 1,
  groupId: 7,
  commandLine: 'caddy run',
  zombie: false,
  userSeconds: 0.1,
  systemSeconds: 0.2,
  endedChildrenUserSeconds: 0,
  endedChildrenSystemSeconds: 0,
};
const upload = {
  id: 'a',
  method: 'POST',
  host: 'sink.test',
  path: '/up',
  atEpochMs: 1.7e12,
  bytes: 100,
  lastByteMs: 3,
  pauses: [],
  end: 'whole',
  sha256: 'ab'.repeat(32),
};
const times = { heardEpochMs: 1.7e12, saidEpochMs: 1.7e12 };
const digest = 'ab'.repeat(32);
const token = 'ab'.repeat(16);

/** One answer of each kind that says something. */
const answers: Readonly<Partial<Record<FarCall, unknown>>> = {
  hello,
  find: { lacking: [{ role: 'server', name: 'nginx', reason: 'not there', next: 'Install it.' }] },
  missing: { digests: [digest] },
  start: { server: 0, description, port: 8443, warnings: ['small buffers'] },
  mark: { mark: 12 },
  entries: { entries: [entry] },
  cpuTimes: { rows: [row] },
  ledger: { ledger: { answered: { exact: 3 }, inexact: [], misses: [], missed: 0 } },
  arrived: { lines: [upload] },
  appLedger: {
    ledger: {
      answered: 1,
      waits: [{ atEpochMs: 1.7e12, thinkMs: 3 }],
      slowest: { url: 'https://app.h2h3.test/', thinkMs: 3 },
      failures: [],
      sockets: [],
      unended: [],
    },
  },
  questions: { questions: [{ atEpochMs: 1.7e12, name: 'a.test', type: 'HTTPS', found: true }] },
  clients: {
    clients: [
      {
        name: 'chromium',
        found: {
          id: 'chromium',
          family: 'chromium',
          name: 'Chromium',
          version: '153',
          build: 'full',
          source: 'system',
          executablePath: '/usr/bin/chromium',
          headed: false,
          environment: { LD_LIBRARY_PATH: '/opt' },
        },
      },
      { name: 'opera', found: null, fault: { code: 'unsupported', reason: 'x', next: 'y' } },
    ],
  },
  begin: {
    raw: {
      schemaVersion: 1,
      trialId: 'b000-c00-x-h2',
      instrumentation: 'uninstrumented',
      outcome: 'completed',
      browser: { name: 'Chromium', version: '153' },
      startedAt: '2026-01-05T08:30:00.000Z',
      durationMs: 1,
      measuredMs: 1,
      deadlineMs: 1,
      timings: null,
      session: null,
      cpu: null,
      frames: null,
      counters: { UdpRcvbufErrors: 0 },
      warnings: [],
    },
    artifacts: { har: 'page.har.gz' },
    postProcessMs: 3,
    steps: [{ name: 'load', durationMs: 1 }],
  },
  files: { files: [{ path: 'frames/0001.jpg', bytes: 100 }] },
  filePart: { base64: 'aGVsbG8=' },
  lackingNetworks: {
    lacking: [{ name: 'cable', code: 'unsupported', reason: 'no nft', next: 'Install it.' }],
  },
  startNetwork: {
    network: 0,
    description: {
      id: 'cable',
      backend: 'emulator',
      description: 'cable',
      impaired: true,
      privilege: 'root',
      offloads: null,
      checks: [],
      notes: ['a note'],
    },
    tells: { starts: true, queue: false, course: false },
    transferMs: [30_000, 90_000],
  },
  networkCounts: { counters: { drops: 1 }, flows: [], starts: [] },
  counters: { counters: { UdpRcvbufErrors: 0 } },
  measureLink: { roundTripMs: 0.2, upMbps: 900, downMbps: 900, routers: null },
  noise: { disturbances: ['noisy machine: load'] },
  doctor: {
    rows: [{ item: 'perl', state: 'missing', found: 'none', costs: 'x', fix: 'y', required: false }],
  },
};

/** What the program on another machine may say, and what it may be asked. */
export const hostReaders: readonly FuzzedReader[] = [
  ...Object.entries(answers).map(([call, answered]): FuzzedReader => ({
    id: `answer of another machine to ${call}`,
    modules: [
      'harness/hosts/far-channel.ts',
      'harness/hosts/far-protocol.ts',
      'harness/hosts/client-calls.ts',
      'harness/hosts/network-calls.ts',
    ],
    corpus: [json({ id: 0, ...times, answered })],
    read: (input) => {
      const line = readFarLine(input.toString('utf8'), 'far');
      return 'answered' in line ? readAnswer(call as FarCall, line.answered, 'far') : line;
    },
  })),
  {
    id: 'events and errors of another machine',
    modules: ['harness/hosts/far-channel.ts', 'harness/hosts/far-protocol.ts'],
    corpus: [
      json({ event: 'died', server: 1, part: 'the server' }),
      json({ event: 'progress', title: 'Fetching Caddy' }),
      json({ event: 'refused', error: { code: 'storage', message: 'x', next: 'y' } }),
      json({ id: 0, ...times, error: { code: 'usage', message: 'x', next: 'y', stderrTail: 'z' } }),
    ],
    read: (input) => readFarLine(input.toString('utf8'), 'far'),
  },
  {
    id: 'requests to another machine',
    modules: ['harness/hosts/far-protocol.ts'],
    refusesByAnyError: true,
    corpus: [
      json({ id: 1, call: 'put', asked: { digest, base64: 'aGVsbG8=', isLast: true } }),
      json({
        id: 2,
        call: 'start',
        asked: {
          role: 'server',
          server: 'caddy',
          roots: [
            {
              host: 'a.test',
              files: [{ path: 'a/b.html', digest }],
              origin: { kind: 'sink', program: 'sites/uploads/serve-sink.ts', words: ['9', null] },
            },
          ],
          address: '10.0.0.2',
          port: 8443,
          clockAheadMs: -0.5,
          settings: { tls: '1.2' },
        },
      }),
      json({
        id: 3,
        call: 'start',
        asked: {
          role: 'resolver',
          hosts: ['a.test'],
          address: '10.0.0.2',
          lateMs: { AAAA: 100 },
          lossPercent: 5,
        },
      }),
      json({ id: 4, call: 'takeOver', asked: { runId: `7-${'ab'.repeat(8)}` } }),
    ],
    read: (input) => {
      const { call, asked } = requestSchema.parse(parseForeignJson(input.toString('utf8')));
      return farCalls[call].asks.parse(asked);
    },
  },
  {
    id: 'the shell of another machine',
    modules: ['harness/hosts/far-program.ts'],
    corpus: [Buffer.from('Welcome\nsystem Linux x86_64\nnode v24.21.0\nprogram\npinned\nlacks tar\n')],
    read: (input) => parseFarSystem(input.toString('utf8')),
  },
  {
    id: 'counts of datagrams of another machine',
    modules: ['harness/hosts/link-listener.ts'],
    refusesByAnyError: true,
    corpus: [json({ received: 5000, overtaken: 0, mbps: 99.5, sent: 5001 })],
    read: (input) => readCounts(input.toString('utf8')),
  },
  {
    id: 'questions of a program about its network',
    modules: ['src/app/exec/path-answers.ts', 'src/app/exec/path-message.ts'],
    corpus: [
      json({ type: 'change', figures: { rateMbps: 1, delayMs: 200, jitterMs: 1, lossPercent: 5 } }),
      json({ type: 'change', figures: { outage: true } }),
      json({ type: 'wrap', program: '/bin/true' }),
      json({ type: 'begin', seed: 1 }),
      json({ type: 'count' }),
    ],
    read: (input) => readAs(pathQuestionSchema, input.toString('utf8')),
  },
  {
    id: 'datagrams of another machine',
    modules: ['harness/hosts/datagrams.ts'],
    corpus: [datagram(token, { kind: 'data', number: 7 }), datagram(token, { kind: 'ping', number: 1 })],
    read: (input) => readDatagram(input, token),
  },
  {
    id: 'a device of the kernel',
    modules: ['harness/hosts/nic.ts'],
    corpus: [
      Buffer.from(
        '2: eth0: <BROADCAST,UP> mtu 1500 qdisc fq_codel state UP mode DEFAULT group default qlen 1000',
      ),
    ],
    read: (input) => parseLink(input.toString('utf8')),
  },
  {
    id: 'routes of the kernel',
    modules: ['src/core/system/interface-counters.ts'],
    corpus: [
      Buffer.from(
        'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\neth0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0\neth1\t0002000A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n',
      ),
    ],
    read: (input) => linkTowards('10.0.2.7', () => input.toString('utf8')),
  },
];
