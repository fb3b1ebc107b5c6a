import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstFlightOf, flightMetrics } from '../../../../src/analyse/derive/flight-metrics.ts';
import { flightFindings } from '../../../../src/analyse/validity/flight-rules.ts';
import type { ConnectionStart } from '../../../../src/core/model/connection-start.ts';
import type { LinkFlow, RawTrial, ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';
import { rawTrial } from './evidence.ts';

type Transport = LinkFlow['transport'];

const flow = (transport: Transport, clientPort: number, downBytes: number): LinkFlow => ({
  transport,
  clientPort,
  serverPort: 8443,
  upPackets: 50,
  upBytes: 3000,
  downPackets: 100,
  downBytes,
});

const acknowledgedBefore = { packets: 2, bytes: 3000 };

const start = (
  transport: Transport,
  clientPort: number,
  packets: number,
  isLeast = false,
): ConnectionStart => ({
  transport,
  clientPort,
  serverPort: 8443,
  firstFlight: {
    packets,
    bytes: packets * 1500,
    durationMs: 20,
    isLeast,
    largestPacketBytes: 1500,
    acknowledgedBefore,
  },
  rounds: [{ packets, bytes: packets * 1500, durationMs: 20 }],
  largestBurstBytes: packets * 1500,
});

interface Link {
  readonly flows: readonly LinkFlow[];
  readonly starts: readonly ConnectionStart[];
  readonly log?: readonly Partial<ServerLogEntry>[];
  readonly initialWindowPackets?: number;
  readonly quicInitialWindowPackets?: number;
}

function rawOver({
  flows,
  starts,
  log = [],
  initialWindowPackets,
  quicInitialWindowPackets,
}: Link): RawTrial {
  const links = [initialWindowPackets === undefined ? {} : { initialWindowPackets }];
  const testbed = { links, proxies: [], server: { quicInitialWindowPackets } };
  const raw = { linkFlows: flows, connectionStarts: starts, serverLog: log, testbed };
  return { ...rawTrial({ instrumentation: 'uninstrumented' }), ...raw } as unknown as RawTrial;
}

test('the busiest connection over the arm’s transport tells the first flight', () => {
  const flows = [flow('tcp', 1, 1000), flow('tcp', 2, 90_000), flow('udp', 3, 500_000)];
  const starts = [start('tcp', 1, 12), start('tcp', 2, 10), start('udp', 3, 32)];
  const raw = rawOver({ flows, starts });
  const { metrics } = flightMetrics('h2', raw);
  assert.deepEqual(metrics, { firstFlightBytes: 15_000, largestBurstBytes: 15_000, acksPerPacket: 0.5 });
  const told = firstFlightOf('h3', raw);
  assert.deepEqual(told, {
    transport: 'udp',
    packets: 32,
    bytes: 48_000,
    isLeast: false,
    largestPacketBytes: 1500,
    acknowledgedBefore,
    roundPackets: [32],
  });
});

test('a connection whose window ended its flight tells more than a busier one of which only the least is known', () => {
  const flows = [flow('tcp', 1, 1000), flow('tcp', 2, 90_000)];
  const raw = rawOver({ flows, starts: [start('tcp', 1, 10), start('tcp', 2, 4, true)] });
  assert.equal(flightMetrics('h2', raw).metrics['firstFlightBytes'], 15_000);
  const least = rawOver({ flows, starts: [start('tcp', 2, 4, true)] });
  assert.equal(flightMetrics('h2', least).metrics['firstFlightBytes'], undefined);
  assert.deepEqual(firstFlightOf('h2', least), {
    transport: 'tcp',
    packets: 4,
    bytes: 6000,
    isLeast: true,
    largestPacketBytes: 1500,
    acknowledgedBefore,
    roundPackets: [4],
  });
});

test('connections that the server’s log does not name, and those with early data, tell nothing', () => {
  const flows = [flow('udp', 1, 90_000), flow('udp', 2, 1000), flow('udp', 53, 900_000)];
  const starts = [start('udp', 1, 40), start('udp', 2, 32), start('udp', 53, 1)];
  const log = [{ connection: '1', earlyData: true }, { connection: '2' }];
  const told = firstFlightOf('h3', rawOver({ flows, starts, log }));
  assert.ok(told !== undefined && 'packets' in told && told.packets === 32);
});

test('what is not known has its reason, and where no link of ours is there is nothing', () => {
  const reused: ConnectionStart = {
    ...start('tcp', 1, 0),
    firstFlight: null,
    reason: 'no-handshake',
    rounds: [],
    largestBurstBytes: null,
  };
  const raw = rawOver({ flows: [flow('tcp', 1, 90_000)], starts: [reused] });
  assert.deepEqual(firstFlightOf('h2', raw), { transport: 'tcp', reason: 'no-handshake' });
  assert.deepEqual(flightMetrics('h2', raw).metrics, { acksPerPacket: 0.5 });
  const { metrics } = flightMetrics('h2', rawTrial({ instrumentation: 'uninstrumented' }));
  assert.deepEqual(metrics, {});
  assert.equal(firstFlightOf('h2', { ...raw, testbed: undefined }), undefined);
});

test('a first flight that is not as the arm sets it makes a trial invalid', () => {
  const over = (packets: number, isLeast = false): RawTrial =>
    rawOver({
      flows: [flow('tcp', 1, 90_000)],
      starts: [start('tcp', 1, packets, isLeast)],
      initialWindowPackets: 32,
    });
  assert.deepEqual(flightFindings('h2', over(32)), []);
  assert.deepEqual(flightFindings('h2', over(12, true)), []);
  const [finding] = flightFindings('h2', over(10));
  assert.equal(finding?.status, 'invalid');
  assert.match(finding?.reason ?? '', /initialwindow=32, and the first flight has 10 packets/);
  assert.equal(flightFindings('h2', over(64, true)).length, 1);
});

test('a first flight of QUIC is held against what the server was told, by its bytes', () => {
  const over = (packets: number, bytes: number, isLeast = false): RawTrial => {
    const { firstFlight, ...others } = start('udp', 1, packets, isLeast);
    assert.ok(firstFlight !== null);
    const starts = [{ ...others, firstFlight: { ...firstFlight, bytes } }];
    return rawOver({ flows: [flow('udp', 1, 90_000)], starts, quicInitialWindowPackets: 64 });
  };
  assert.deepEqual(flightFindings('h3', over(64, 64 * 1280)), []);
  assert.deepEqual(flightFindings('h3', over(55, 64 * 1280)), [], 'larger packets, as many bytes');
  assert.deepEqual(flightFindings('h3', over(20, 20 * 1280, true)), []);
  const [finding] = flightFindings('h3', over(32, 32 * 1280));
  assert.match(finding?.reason ?? '', /initialwindow=64, and the first flight has 33 packets/);
  const { linkFlows, connectionStarts, ...none } = over(32, 32 * 1280);
  assert.ok(linkFlows !== undefined && connectionStarts !== undefined);
  assert.deepEqual(flightFindings('h3', none), [], 'no link of ours saw it');
});

test('a first flight may be larger by what the client acknowledged before it ended, and by no more', () => {
  const over = (packets: number, acknowledged: number): RawTrial => {
    const { firstFlight, ...others } = start('udp', 1, packets);
    assert.ok(firstFlight !== null);
    const acknowledgedBefore = { packets: acknowledged, bytes: acknowledged * 1280 };
    const starts = [
      { ...others, firstFlight: { ...firstFlight, bytes: packets * 1280, acknowledgedBefore } },
    ];
    return rawOver({ flows: [flow('udp', 1, 90_000)], starts, quicInitialWindowPackets: 10 });
  };
  assert.deepEqual(flightFindings('h3', over(10, 0)), []);
  assert.deepEqual(flightFindings('h3', over(13, 3)), [], 'a handshake of three packets was acknowledged');
  assert.equal(flightFindings('h3', over(13, 0)).length, 1, 'nothing was');
  assert.equal(flightFindings('h3', over(32, 3)).length, 1, 'as quic-go begins of its own');
});
