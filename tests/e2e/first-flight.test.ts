import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { whyNoNamespaces } from '../support/namespaces.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Of the network `cable`, without queueing. */
const roundTripMs = 20;
/** What came later than this after the first acknowledgement was sent may be its answer. */
const answeredMs = 0.97 * roundTripMs;

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

/** Packets of the first flight, by when the client's first acknowledgement of it left the client. */
function flightAt(packets: readonly Seen[], transport: 'tcp' | 'udp'): number {
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
    isUp && (transport === 'tcp' ? acknowledged > first.sequence : atMs > first.atMs);
  const acknowledgement = packets.find(isOfIt);
  assert.ok(acknowledgement);
  return answers.filter(({ atMs }) => atMs < acknowledgement.atMs + answeredMs).length;
}

test('the first flight that the link tells is what tshark counts at the client, and what a factor sets', async (t) => {
  const reason = await whyNoNamespaces();
  if (reason !== null) return t.skip(reason);
  const place = { platform: process.platform, environment: process.env };
  const found = await Promise.all(['tshark', 'dumpcap', 'editcap'].map((name) => findOnPath(name, place)));
  if (found.includes(undefined)) return t.skip('no tshark (Debian: h2h3 setup --system)');
  const out = join(tempFolder(t), 'run');
  const asked = 'run --workload download-1mb --client embedded --network cable --repetitions 1';
  const set = '--arms h2,h3,h2+initialwindow=32 --set offloads=off --probe capture --evidence all';
  const words = [...`${asked} ${set} --exploratory --out`.split(' '), out];
  const { stderr } = await runCli(words);
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  const counted = new Map<string, number>();
  for (const { arm, trialId, status, reason: why, artifacts, metrics } of readRecords(out)) {
    if (artifacts['capture'] === undefined || machineWasLate(why)) continue;
    assert.equal(status, 'ok', `${trialId}: ${why}`);
    const { connectionStarts = [] } = readEvidence(join(out, 'trials', trialId)).raw;
    const { firstFlight } = metrics;
    assert.ok(firstFlight !== undefined && 'packets' in firstFlight, JSON.stringify(connectionStarts));
    assert.equal(firstFlight.isLeast, false, JSON.stringify(connectionStarts));
    const start = connectionStarts.find((one) => one.firstFlight?.bytes === firstFlight.bytes);
    assert.ok(start);
    const packets = packetsAt(join(out, artifacts['capture']), start.transport, start.clientPort);
    const seen = flightAt(packets, start.transport);
    t.diagnostic(`${arm}: ${firstFlight.packets} packets by the link, ${seen} by tshark`);
    assert.equal(firstFlight.packets, seen, arm);
    counted.set(arm.replace('+offloads=off', ''), seen);
  }
  const of = (arm: string): number => counted.get(arm) ?? 0;
  if (counted.size < 3) return t.skip('the machine was late: not every arm has a valid trial');
  assert.ok(of('h2') >= 9 && of('h2') <= 12, `Linux begins with 10 packets: ${of('h2')}`);
  assert.ok(of('h3') >= 31 && of('h3') <= 40, `quic-go begins with 32 full packets: ${of('h3')}`);
  assert.ok(of('h2+initialwindow=32') >= 30, `as set: ${of('h2+initialwindow=32')}`);
});
