import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { intervalsOf } from '../../../../harness/probes/activity.ts';
import { parseCounts } from '../../../../harness/probes/kernel.ts';
import { parseInterfaces, transportCount } from '../../../../src/core/system/interface-counters.ts';
import { asPackets } from '../../../../harness/probes/packets.ts';
import { probes } from '../../../../harness/probes/registry.ts';
import { parseSummary } from '../../../../harness/probes/syscall-times.ts';
import { readQlog } from '../../../../harness/probes/qlog.ts';
import { parseSamples, tcpSeries } from '../../../../harness/probes/transport.ts';
import { transportSeriesSchema } from '../../../../src/core/model/transport-series.ts';
import { metrics } from '../../../../src/core/metrics/registry.ts';

const dev = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:     100       2    0    0    0     0          0         0      100       2    0    0    0     0       0          0
  link0: 3000000    2000    0    0    0     0          0         0    40000     500    0    0    0     0       0          0
`;

test('every metric that probes count has a probe that counts it', () => {
  const counted = metrics.filter(({ formulas }) => formulas.counters !== undefined).map(({ name }) => name);
  const provided = new Set(probes.flatMap(({ counts }) => counts ?? []));
  assert.deepEqual(counted.toSorted(), [...provided].toSorted());
});

test('time in system calls is read by their names, over all threads', () => {
  const heads = '   syscall            calls  errors  total       min       avg       max       stddev\n';
  const text = [
    ' Summary of events:\n',
    ' quic-go (31377), 30 events, 50.0%\n',
    heads,
    '   recvmsg             2000      0    30.500     0.002     0.005     0.009     41.33%',
    '   epoll_pwait           10      1   900.000     0.002     0.005     0.009     41.33%\n',
    ' quic-go (31378), 3 events, 1.0%\n',
    heads,
    '   recvmsg               10      0     0.500     0.002     0.005     0.009      1.33%',
    '',
  ].join('\n');
  assert.deepEqual(
    [...parseSummary(text)],
    [
      ['recvmsg', 31],
      ['epoll_pwait', 900],
    ],
  );
});

test('counters of an interface are read by its name', () => {
  const counters = parseInterfaces(dev).get('link0');
  assert.deepEqual(counters, {
    receivedBytes: 3_000_000,
    receivedPackets: 2000,
    sentBytes: 40_000,
    sentPackets: 500,
  });
});

test('super-packets count as the packets they are', () => {
  assert.equal(asPackets(2000, 3_000_000, 1500), 2000);
  assert.equal(asPackets(50, 3_000_000, 1500), 2000);
});

test('a transport’s counter is found by its name', () => {
  const snmp = 'Tcp: RtoMin InSegs RetransSegs\nTcp: 200 17 3\nUdp: InDatagrams RcvbufErrors\nUdp: 5 1\n';
  assert.equal(transportCount(snmp, 'Tcp', 'InSegs'), 17);
  assert.equal(transportCount(snmp, 'Udp', 'RcvbufErrors'), 1);
  assert.equal(transportCount(snmp, 'Udp', 'NoSuch'), 0);
});

test('perf’s counts are read by event, and what it could not count is left out', () => {
  const text = [
    'Events disabled',
    '171;;net:netif_receive_skb;1000;100.00;;',
    '<not counted>;;raw_syscalls:sys_enter;0;0.00;;',
    '12;;raw_syscalls:sys_enter;1000;100.00;;',
  ].join('\n');
  assert.deepEqual(parseCounts(text), { netifReceiveSkbCalls: 171, syscalls: 12 });
});

test('TCP_INFO is read as ss writes it, with the moment before it', () => {
  const text = [
    'ESTAB 0 0 1.1.1.1:1 2.2.2.2:2 cubic rto:204 rtt:9.9/1',
    '@100.5',
    'ESTAB 0 50000 198.18.0.2:8443 198.18.0.1:40000 reno wscale:10,10 rto:212 rtt:11.5/0.2 ato:40 mss:1448 cwnd:80 ' +
      'bytes_sent:900 bytes_retrans:100 bytes_acked:700 segs_out:110 segs_in:60 data_segs_out:90 unacked:60 retrans:1/7 dsack_dups:2 busy:350ms ' +
      'rwnd_limited:20ms(5.7%) sndbuf_limited:30ms(8.6%)',
    'LISTEN 0 4096 *:8443 *:*',
  ].join('\n');
  assert.deepEqual(parseSamples(text), [
    {
      tMs: 100_500,
      local: '198.18.0.2:8443',
      peer: '198.18.0.1:40000',
      rttMs: 11.5,
      segmentBytes: 1448,
      congestionWindow: 80,
      unacknowledged: 60,
      retransmitted: 7,
      spurious: 2,
      acknowledgements: 20,
      bytesAcknowledged: 700,
      busyMs: 350,
      receiveWindowLimitedMs: 20,
      sendBufferLimitedMs: 30,
    },
  ]);
});

test('connections of TCP are told over time in the form of QUIC’s, windows in bytes', () => {
  const at = (tMs: number, rest: string): string =>
    `@${tMs / 1000}\nESTAB 0 0 198.18.0.2:8443 198.18.0.1:40000 reno rto:212 ${rest}`;
  const text = [
    at(1000, 'rtt:11.5/0.2 mss:1000 cwnd:80 unacked:60'),
    at(1050, 'rtt:12/0.2 mss:1000 cwnd:40 retrans:0/7'),
  ];
  const connections = tcpSeries(parseSamples(text.join('\n')), 'server');
  const same = { congestionWindowBytes: 80_000, inFlightBytes: 60_000, lostPackets: 0 };
  assert.deepEqual(transportSeriesSchema.parse({ schemaVersion: 1, connections }).connections, [
    {
      transport: 'tcp',
      side: 'server',
      name: '198.18.0.1:40000',
      samples: [
        { tMs: 1000, rttMs: 11.5, ...same },
        { tMs: 1050, rttMs: 12, congestionWindowBytes: 40_000, inFlightBytes: 0, lostPackets: 7 },
      ],
    },
  ]);
});

test('a client’s connections differ by their own port, because all have one peer', () => {
  const line = (port: number): string =>
    `ESTAB 0 0 198.18.0.1:${port} 198.18.0.2:8443 reno rto:212 rtt:12/1 mss:1448 cwnd:10`;
  const connections = tcpSeries(parseSamples(`@1.0\n${line(40_000)}\n${line(40_001)}`), 'client');
  assert.deepEqual(
    connections.map(({ side, name }) => [side, name]),
    [
      ['client', '198.18.0.1:40000 to 198.18.0.2:8443'],
      ['client', '198.18.0.1:40001 to 198.18.0.2:8443'],
    ],
  );
});

test('a thread that waits for a CPU is as busy as one that runs', () => {
  const sample = (epochMs: number, ran: number, waited: number, bytes: number) => ({
    epochMs,
    receiver: new Map([
      ['7', `${ran} ${waited} 5`],
      ['8', '0 0 0'],
    ]),
    quotas: [],
    sender: new Map([
      ['20', `${ran} 0 1`],
      ['21', `${ran} 0 1`],
    ]),
    interfaces: dev.replace('3000000', String(bytes)),
  });
  const found = intervalsOf([sample(1000, 0, 0, 0), sample(1100, 40e6, 50e6, 5000)], 'link0', 2);
  assert.deepEqual(found, [
    {
      startEpochMs: 1000,
      durationMs: 100,
      receiver: 0.9,
      receiverWithheld: 0,
      sender: 0.4,
      receivedBytes: 5000,
    },
  ]);
});

test('a sender’s qlog gives round trips, window, losses, what was lost for nothing, and time in each state', async () => {
  const rs = '\u001e';
  const data = (packetType: string, frames: readonly (number[][] | undefined)[]): object => ({
    header: { packet_type: packetType },
    frames: frames.map((ranges) =>
      ranges === undefined ? { frame_type: 'stream' } : { frame_type: 'ack', acked_ranges: ranges },
    ),
  });
  const event = (time: number, name: string, data: object): string =>
    `${rs}${JSON.stringify({ time, name, data })}`;
  const windows = (streamBytes: number): object => ({
    initial_max_data: 2 * streamBytes,
    initial_max_stream_data_bidi_local: streamBytes,
  });
  const lines = [
    `${rs}${JSON.stringify({ trace: { common_fields: { reference_time: { wall_clock_time: '2026-01-01T00:00:01Z' } } } })}`,
    event(0, 'recovery:congestion_state_updated', { new: 'slow_start' }),
    event(1, 'recovery:metrics_updated', { congestion_window: 38_400, bytes_in_flight: 1200 }),
    event(2, 'transport:packet_sent', {}),
    event(3, 'recovery:metrics_updated', { smoothed_rtt: 20 }),
    event(30, 'transport:packet_received', data('initial', [[[0, 8]]])),
    event(40, 'recovery:packet_lost', { header: { packet_type: '1RTT', packet_number: 7 } }),
    event(40, 'recovery:packet_lost', { header: { packet_type: '1RTT', packet_number: 8 } }),
    event(40, 'recovery:packet_lost', { header: { packet_type: 'handshake', packet_number: 9 } }),
    event(40, 'recovery:congestion_state_updated', { new: 'recovery' }),
    event(50, 'recovery:metrics_updated', { smoothed_rtt: 24, congestion_window: 19_200 }),
    event(60, 'transport:packet_received', data('1RTT', [[[0, 6], [8]], undefined])),
    event(
      61,
      'transport:packet_received',
      data('1RTT', [
        [
          [0, 6],
          [8, 9],
        ],
      ]),
    ),
    event(62, 'transport:packet_received', data('1RTT', [undefined])),
    event(100, 'transport:packet_sent', {}),
    event(100, 'transport:parameters_set', { initiator: 'local', ...windows(1) }),
    event(100, 'transport:parameters_set', { initiator: 'remote', ...windows(6_291_456) }),
    event(100, 'transport:parameters_set', { owner: 'remote', max_ack_delay: 25 }),
    `${rs}{"time":101,"name":"recov`,
  ];
  assert.deepEqual(await readQlog(Readable.from(lines)), {
    samples: [
      {
        tMs: Date.UTC(2026, 0, 1, 0, 0, 1) + 1,
        rttMs: null,
        congestionWindowBytes: 38_400,
        inFlightBytes: 1200,
        lostPackets: 0,
      },
      {
        tMs: Date.UTC(2026, 0, 1, 0, 0, 1) + 50,
        rttMs: 24,
        congestionWindowBytes: 19_200,
        inFlightBytes: 1200,
        lostPackets: 3,
      },
    ],
    packetsSent: 2,
    packetsLost: 3,
    spuriousLosses: 1,
    acknowledgements: 3,
    stateMs: { slow_start: 40, recovery: 60 },
    transitions: { 'slow_start>recovery': 1 },
    granted: { connectionBytes: 2 * 6_291_456, streamBytes: 6_291_456 },
  });
});
