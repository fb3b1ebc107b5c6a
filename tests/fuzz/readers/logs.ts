import { quicWaits, tcpWaits } from '../../../harness/probes/acknowledgements.ts';
import { amplificationStalls } from '../../../harness/probes/amplification.ts';
import { networkingTaskCounters } from '../../../harness/probes/networking-tasks.ts';
import { countLines } from '../../../harness/probes/firefox-log.ts';
import { parseCounts } from '../../../harness/probes/kernel.ts';
import { readNetLog } from '../../../harness/probes/net-log.ts';
import { parsePerfReport } from '../../../harness/probes/perf-report.ts';
import { parseSummary } from '../../../harness/probes/syscall-times.ts';
import { stageCounters } from '../../../harness/probes/profile.ts';
import { inDraftsForm } from '../../../harness/probes/qlog-form.ts';
import { readQlog } from '../../../harness/probes/qlog.ts';
import { parseUdpSockets } from '../../../harness/probes/sockets.ts';
import { parseSamples, tcpSeries } from '../../../harness/probes/transport.ts';
import { deviceDrops, softnetDrops } from '../../../harness/network/path-counters.ts';
import { parseCaddyLine } from '../../../harness/servers/caddy.ts';
import { parseEnvoyLine } from '../../../harness/servers/envoy.ts';
import { parseGoLine } from '../../../harness/servers/go.ts';
import { parseHaproxyLine } from '../../../harness/servers/haproxy.ts';
import { parseNginxLine } from '../../../harness/servers/nginx-log.ts';
import { Ngtcp2Log } from '../../../harness/servers/ngtcp2-log.ts';
import { parseNgtcp2Line } from '../../../harness/servers/ngtcp2.ts';
import { parseTquicLine } from '../../../harness/servers/tquic.ts';
import { answerOf, readQuestion } from '../../../harness/testbed/dns-answer.ts';
import { parseInterfaces } from '../../../src/core/system/interface-counters.ts';
import { transportSeriesSchema } from '../../../src/core/model/transport-series.ts';
import { json, jsonLines, linesOf, type FuzzedReader } from '../fuzzed-reader.ts';

const logLines = (input: Buffer): string[] => input.toString('utf8').split('\n');

/** One question for the HTTPS record of `www.lab.test`. */
const dnsQuery = Buffer.from('12340100000100000000000003777777036c616204746573740000410001', 'hex');
const dnsZone = { hosts: new Set(['www.lab.test']), addresses: ['198.18.0.2', '2001:2::1'], alpn: ['h3'] };

const caddyLine = {
  ts: 1.5,
  request: { proto: 'HTTP/3.0', method: 'GET', host: 'a.test:8443', uri: '/?x', tls: { resumed: true } },
  duration: 0.01,
  size: 10,
  status: 200,
};
const nginxLine = {
  ts: 1.5,
  protocol: 'HTTP/2.0',
  method: 'GET',
  host: 'a.test',
  uri: '/?x',
  duration: 0.01,
  bytes: 10,
  status: 200,
  session: 'r',
  cipher: 'TLS_AES_128_GCM_SHA256',
};
const haproxyLine = {
  end: 1500,
  version: '3',
  method: 'GET',
  host: 'a.test',
  uri: '/?x',
  duration: 10,
  length: '10',
  sent: 200,
  status: 200,
  cipher: '',
};
const envoyLine = {
  start: '1.5',
  protocol: 'HTTP/3',
  method: 'GET',
  host: 'a.test',
  uri: '/?x',
  duration: '10',
  bytes: '10',
  status: '200',
};

const ngtcp2Line = {
  startEpochMs: 1500,
  durationMs: 10,
  port: '40000',
  headers: { ':path': '/?x', ':authority': 'a.test', ':status': '200', 'content-length': '10' },
  isWhole: true,
};
/** What that server prints of one request. */
const ngtcp2Output = [
  'Received packet: local=[127.0.0.1]:8443 remote=[127.0.0.1]:40000 ecn=0x0 1252 bytes',
  'I00000004 0x5c frm rx 2 1RTT STREAM(0x0b) id=0x0 fin=1 offset=0 len=28 uni=0',
  'http: stream 0x0 request headers started',
  'http: stream 0x0 [:path: /?x]',
  'http: stream 0x0 submit response headers',
  '[:status: 200]',
  'HTTP stream 0 closed with error code 256',
].join('\n');
const goLine = {
  startEpochMs: 1500,
  durationMs: 10,
  protocol: 'HTTP/3.0',
  method: 'GET',
  host: 'a.test:8443',
  path: '/?x',
  status: 200,
  bytes: 10,
  announced: '10',
  port: '40000',
  resumed: false,
  cipher: 'TLS_AES_128_GCM_SHA256',
  priority: 'u=1, i',
};
const tquicLine = {
  startEpochMs: 1500,
  durationMs: 10,
  method: 'GET',
  host: 'a.test',
  path: '/?x',
  status: 200,
  bytes: 10,
  announced: 10,
  port: '40000',
};

const recordSeparator = '\u001e';
const records = (...values: readonly object[]): Buffer =>
  Buffer.from(values.map((value) => `${recordSeparator}${JSON.stringify(value)}\n`).join(''));
const event = (name: string, data: object, time = 1.5): object => ({ time, name, data });
const header = { packet_type: '1RTT', packet_number: 7, version: '1', scil: 4, scid: '839d', dcil: 4 };
/** Of every kind that the reader looks into, in the form of quic-go. */
const quicGoEvents = [
  event('transport:version_information', { server_versions: ['1'], chosen_version: '1' }),
  event('transport:parameters_set', { original_destination_connection_id: '(empty)', max_ack_delay: 25 }),
  event('transport:alpn_information', { chosen_alpn: 'h3' }),
  event('transport:packet_sent', {
    header: { ...header, key_phase_bit: '0' },
    raw: { length: 95 },
    frames: [
      { frame_type: 'stream', stream_id: 3, offset: 0, length: 10 },
      { frame_type: 'ack_frequency', sequence_number: 1 },
      { frame_type: 'connection_close', error_space: 'transport', error_code: 'x', raw_error_code: 300 },
    ],
    ecn: 'ECT(0)',
  }),
  event('recovery:packet_lost', { header, trigger: 'time_threshold' }),
  event('transport:packet_received', {
    header,
    frames: [{ frame_type: 'ack', acked_ranges: [[5, 9], [1]] }],
  }),
  event('transport:packet_dropped', { header: { packet_type: '' }, trigger: 'dos_prevention' }),
  event('recovery:congestion_state_updated', { new: 'slow_start' }),
  event(
    'recovery:metrics_updated',
    { smoothed_rtt: 12.5, congestion_window: 38_400, bytes_in_flight: 95 },
    30,
  ),
  event('recovery:congestion_state_updated', { new: 'recovery' }, 40),
  event('recovery:mtu_updated', { mtu: 1326, done: false }, 41),
  event(
    'recovery:loss_timer_updated',
    { event_type: 'set', timer_type: 'pto', packet_number_space: 'x' },
    42,
  ),
  event(
    'http3:frame_created',
    { stream_id: 3, frame: { frame_type: 'settings', settings: [{ value: true }] } },
    43,
  ),
];
const quicGoLog = records(
  {
    file_schema: 'urn:ietf:params:qlog:file:sequential',
    title: 'quic-go qlog',
    qlog_version: '0.3',
    trace: {
      event_schemas: ['urn:ietf:params:qlog:events:quic-12'],
      common_fields: { reference_time: { wall_clock_time: '2026-11-23T01:54:57.261817614Z' } },
    },
  },
  ...quicGoEvents,
);
const openSslLog = records(
  { qlog_version: '0.3', trace: { vantage_point: { name: 'OpenSSL/3.5 (x)' }, common_fields: {} } },
  event('connectivity:connection_state_updated', { state: 'attempted' }),
  event('transport:parameters_set', { original_source_connection_id: '00' }),
);

const netLog = Buffer.from(
  [
    '{"constants":{"logEventTypes":{"QUIC_SESSION":1,"TCP_CONNECT":2,"SSL_CONNECT":3}},',
    '"events": [',
    '{"phase":1,"source":{"id":1},"time":"1","type":1},',
    '{"phase":2,"source":{"id":1},"time":"2","type":1}]}',
  ].join('\n'),
);

const traced = (parts: object): object => ({
  ph: 'X',
  pid: 7,
  tid: 1,
  name: 'Task',
  ts: 0,
  dur: 4000,
  ...parts,
});
const trace = {
  traceEvents: [
    { ph: 'M', pid: 7, tid: 0, name: 'process_name', args: { name: 'NetworkService' } },
    traced({ args: { src_file: 'net/spdy/spdy_session.cc' } }),
    traced({ ts: 5000, args: { controller_created_from: { file_name: 'net/socket/socket_posix.cc' } } }),
  ],
};

const perfReport = [
  '# Samples: 12  of event cpu-clock',
  ' 9          \t   7898:quic-go-client\t[kernel.kallsyms]    \t[k] udp_recvmsg',
  '6 main.main\tquic-go.(*oobConn).ReadPacket\tentry_SYSCALL_64_after_hwframe\tudp_recvmsg',
  ' 4          \t   41:NetworkService\tchromium\t[.] 0x0000000009c8e329',
  '4 0x0000000009c8e329',
].join('\n');
const udpTable = [
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops',
  ' 2421: 0200A8C0:D431 0100A8C0:01BB 01 00000000:0000A000 00:00000000 00000000     0        0 778899 2 000000001b2c 389',
].join('\n');
const socketStatistics = [
  '@1700000000.5',
  'ESTAB 0 0 10.0.0.2:8443 10.0.0.1:40000 cubic rto:204 rtt:12.5/3 mss:1448 cwnd:10 unacked:3 retrans:0/2 dsack_dups:1 segs_out:9 data_segs_out:7 bytes_acked:100 busy:12ms rwnd_limited:3ms(1.0%)',
].join('\n');
const deviceTable = [
  'Inter-|   Receive                                                |  Transmit',
  '    lo:  100 2 0 0 0 0 0 0 100 2 0 0 0 0 0 0',
  '  eth0:  5000 20 1 3 0 0 0 0 900 8 0 0 0 0 0 0',
].join('\n');
const series = {
  schemaVersion: 1,
  connections: [
    {
      transport: 'quic',
      side: 'server',
      name: '1',
      samples: [{ tMs: 1, rttMs: 20, congestionWindowBytes: 14_000, inFlightBytes: 9000, lostPackets: 0 }],
    },
  ],
};

function accessLog(id: string, line: object, parse: (line: string) => unknown): FuzzedReader {
  return {
    id: `access-log-${id}`,
    modules: [`harness/servers/${id === 'nginx' ? 'nginx-log' : id}.ts`, 'harness/servers/access-log.ts'],
    corpus: [jsonLines(line, line)],
    read: (input) => logLines(input).map(parse),
  };
}

export const logReaders: readonly FuzzedReader[] = [
  accessLog('caddy', caddyLine, parseCaddyLine),
  accessLog('nginx', nginxLine, parseNginxLine),
  accessLog('haproxy', haproxyLine, parseHaproxyLine),
  accessLog('envoy', envoyLine, parseEnvoyLine),
  accessLog('ngtcp2', ngtcp2Line, parseNgtcp2Line),
  {
    id: 'output of ngtcp2',
    modules: ['harness/servers/ngtcp2-log.ts'],
    corpus: [Buffer.from(ngtcp2Output)],
    read: (input) => {
      const log = new Ngtcp2Log(() => 0);
      return logLines(input).map((line) => log.take(line));
    },
  },
  accessLog('go', goLine, parseGoLine),
  accessLog('tquic', tquicLine, parseTquicLine),
  {
    id: 'qlog',
    modules: ['harness/probes/qlog.ts'],
    corpus: [quicGoLog],
    read: (input) => readQlog(linesOf(input)),
  },
  {
    id: 'qlog-amplification',
    modules: ['harness/probes/amplification.ts'],
    corpus: [quicGoLog],
    read: (input) => amplificationStalls(linesOf(input)),
  },
  {
    id: 'qlog-form',
    modules: ['harness/probes/qlog-form.ts'],
    corpus: [quicGoLog, openSslLog],
    read: (input) => Array.fromAsync(inDraftsForm(linesOf(input), (value) => value)),
  },
  {
    id: 'net-log',
    modules: ['harness/probes/net-log.ts'],
    corpus: [netLog],
    read: (input) => readNetLog(linesOf(input)),
  },
  {
    id: 'trace',
    modules: ['harness/probes/networking-tasks.ts'],
    corpus: [json(trace)],
    refusesByAnyError: true,
    read: (input) => networkingTaskCounters(JSON.parse(input.toString('utf8'))),
  },
  {
    id: 'firefox-log',
    modules: ['harness/probes/firefox-log.ts'],
    corpus: [
      Buffer.from('2026-01-01 00:00:00.0 UTC - [Parent 1: Socket Thread]: D/nsHttp Http2Session::Foo\n'),
    ],
    read: (input) => countLines(linesOf(input), {}),
  },
  {
    id: 'perf-report',
    modules: ['harness/probes/perf-report.ts', 'harness/probes/networking-stages.ts'],
    corpus: [Buffer.from(perfReport)],
    read: (input) => stageCounters(parsePerfReport(input.toString('utf8'))),
  },
  {
    id: 'perf-counts',
    modules: ['harness/probes/kernel.ts'],
    corpus: [Buffer.from('12;;net:netif_receive_skb;1;100.00\n<not counted>;;skb:kfree_skb;0\n')],
    read: (input) => parseCounts(input.toString('utf8')),
  },
  {
    id: 'perf-trace',
    modules: ['harness/probes/syscall-times.ts'],
    corpus: [
      Buffer.from(' curl (7), 2 events, 9.0%\n   recvmsg   20  0  30.500  0.002  0.005  0.009  41.33%\n'),
    ],
    read: (input) => parseSummary(input.toString('utf8')),
  },
  {
    id: 'acknowledgements',
    modules: ['harness/probes/acknowledgements.ts'],
    corpus: [
      Buffer.from('1.5\t8443\t40000\t1\t1000\t1\t\t\n1.6\t40000\t8443\t1\t0\t1001\t2001\t3001\n'),
      Buffer.from('1.5\t8443\t40000\t1300\t\t4\t\t\t\t\n1.6\t40000\t8443\t40\t\t1\t4\t1\t0,1\t0,1\n'),
    ],
    read: (input) => [tcpWaits(logLines(input), 8443), quicWaits(logLines(input), 8443)],
  },
  {
    id: 'dns-query',
    modules: ['harness/testbed/dns-answer.ts'],
    corpus: [dnsQuery],
    read: (input) => {
      const question = readQuestion(input);
      return question === undefined ? undefined : answerOf(question, dnsZone);
    },
  },
  {
    id: 'udp-sockets',
    modules: ['harness/probes/sockets.ts'],
    corpus: [Buffer.from(udpTable)],
    read: (input) => parseUdpSockets(input.toString('utf8'), 1),
  },
  {
    id: 'tcp-sockets',
    modules: ['harness/probes/transport.ts'],
    corpus: [Buffer.from(socketStatistics)],
    read: (input) => tcpSeries(parseSamples(input.toString('utf8')), 'server'),
  },
  {
    id: 'interfaces',
    modules: ['src/core/system/interface-counters.ts', 'harness/network/path-counters.ts'],
    corpus: [Buffer.from(deviceTable)],
    read: (input) => {
      const text = input.toString('utf8');
      return [parseInterfaces(text), deviceDrops(text, 'eth0'), softnetDrops(text)];
    },
  },
  {
    id: 'transport-series',
    modules: ['src/core/model/transport-series.ts'],
    corpus: [json(series)],
    refusesByAnyError: true,
    read: (input) => transportSeriesSchema.parse(JSON.parse(input.toString('utf8'))),
  },
];
