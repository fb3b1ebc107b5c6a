import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrialTable } from '../../../../src/analyse/comparison/trial-table.ts';
import { firstFlights } from '../../../../src/analyse/first-flights/first-flights.ts';
import { unlikeFirstFlights } from '../../../../src/analyse/first-flights/unlike-first-flights.ts';
import type { Environment } from '../../../../src/core/model/environment.ts';
import type { Factors } from '../../../../src/core/model/factor.ts';
import type { FirstFlights, UnlikeFlights } from '../../../../src/core/model/first-flights.ts';
import type { FirstFlight } from '../../../../src/core/model/metrics.ts';
import { liveServer } from '../../../../src/core/model/live-address.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';

const environment = { servers: [{ id: 'caddy', name: 'Caddy' }], networks: [] } as unknown as Environment;

function flightOver(transport: 'tcp' | 'udp') {
  return (packets: number, { isLeast = false, bytes = packets * 1250 } = {}): FirstFlight => ({
    transport,
    packets,
    bytes,
    isLeast,
    largestPacketBytes: transport === 'tcp' ? 1500 : 1280,
    roundPackets: [packets, 2 * packets],
  });
}

const tcp = flightOver('tcp');
const udp = flightOver('udp');

interface Side {
  readonly factors: Factors;
  readonly flights: readonly FirstFlight[];
}

function unlike(
  baseline: Side,
  candidate: Side,
  command = 'h2h3 run web --arms h2,h3 --out results/a',
): { readonly all: FirstFlights[]; readonly told: UnlikeFlights[] } {
  const sides = [baseline, candidate].map((side) => {
    const { protocol = '', initialwindow } = side.factors;
    return {
      ...side,
      label: initialwindow === undefined ? protocol : `${protocol}+initialwindow=${initialwindow}`,
    };
  });
  const condition = { client: 'chromium', network: 'cable', server: 'caddy', workload: 'page' };
  const recordsByArm = new Map(
    sides.map(({ label, flights }) => [
      label,
      new Map(flights.map((firstFlight, block) => [block, { status: 'ok', metrics: { firstFlight } }])),
    ]),
  );
  const plan = { arms: sides.map(({ label, factors }) => ({ label, factors })), trials: [] };
  const table = { conditions: [{ condition, recordsByArm }] } as unknown as TrialTable;
  const run = { command, spanMs: 240_000 } as unknown as Summary['run'];
  const all = firstFlights(plan as unknown as Plan, table, environment);
  return { all, told: unlikeFirstFlights(plan as unknown as Plan, all, environment, run) };
}

const told = (...sides: readonly [Side, Side]): string[] =>
  unlike(...sides).told.map(({ sentence }) => sentence);

const h2 = (...flights: FirstFlight[]): Side => ({ factors: { protocol: 'h2' }, flights });
const h3 = (...flights: FirstFlight[]): Side => ({ factors: { protocol: 'h3' }, flights });

test('first flights that differ by more than a fifth are told with their sizes, and with what measures their share', () => {
  const { told: found } = unlike(h2(tcp(10), tcp(10)), h3(udp(32), udp(32)));
  assert.deepEqual(found, [
    {
      sentence: 'HTTP/3 from Caddy begins with 40 kB, HTTP/2 with 15 kB',
      baselineArm: 'h2',
      candidateArm: 'h3',
      command: 'h2h3 run web --arm h2 --arm h3 --arm h2+initialwindow=32 --budget 9m',
      minutes: 6,
    },
  ]);
});

test('no command is told where QUIC begins with less, or no run of ours was made', () => {
  const [fewer] = unlike(h2(tcp(32)), h3(udp(10))).told;
  assert.deepEqual([fewer?.command, fewer?.minutes], [null, null]);
  const [tooMany] = unlike(h2(tcp(10)), h3(udp(80))).told;
  assert.equal(tooMany?.command, null, 'no initial window is set above 64 packets');
  const [merged] = unlike(h2(tcp(10)), h3(udp(32)), 'h2h3 merge a b').told;
  assert.equal(merged?.command, null);
});

test('a window that an arm sets is told like any other where that is not all in which the arms differ', () => {
  const large: Side = { factors: { protocol: 'h3', initialwindow: '64' }, flights: [udp(64)] };
  const [found] = unlike(h2(tcp(10)), large).told;
  assert.match(
    found?.sentence ?? '',
    /^HTTP\/3 with an initial window of 64 packets from Caddy begins with 80 kB, HTTP\/2 with 15 kB$/,
  );
  assert.match(found?.command ?? '', /--arm h2\+initialwindow=64 /);
});

test('equal first flights, and those that differ by less, are no news', () => {
  assert.deepEqual(told(h2(tcp(32)), h3(udp(38))), []);
  assert.deepEqual(told(h2(tcp(10)), h3(udp(12))), []);
});

test('a response that fitted tells the least of a window alone: it is told only where that settles it', () => {
  const least = { isLeast: true };
  assert.deepEqual(told(h2(tcp(10)), h3(udp(20, least), udp(22, least))), [
    'HTTP/3 from Caddy begins with at least 28 kB, HTTP/2 with 15 kB',
  ]);
  assert.deepEqual(told(h2(tcp(8, least)), h3(udp(32))), []);
  assert.deepEqual(told(h2(tcp(8, least)), h3(udp(20, least))), []);
});

test('a server that changes its window has a range, and is told where all of it differs', () => {
  assert.deepEqual(told(h2(tcp(10)), h3(udp(18), udp(32), udp(34))), [
    'HTTP/3 from Caddy begins with 23 to 43 kB, HTTP/2 with 15 kB',
  ]);
  assert.deepEqual(told(h2(tcp(10)), h3(udp(12), udp(32))), []);
});

test('bursts and acknowledgements of all trials stand beside the first flight', () => {
  const condition = { client: 'chromium', network: 'cable', server: 'caddy', workload: 'page' };
  const record = (largestBurstBytes: number, acksPerPacket: number): object => ({
    status: 'ok',
    metrics: { firstFlight: tcp(10), largestBurstBytes, acksPerPacket },
  });
  const timed = { status: 'ok', metrics: { firstFlight: tcp(10) } };
  const byBlock = new Map<number, object>([
    [0, record(15_000, 0.5)],
    [1, record(30_000, 0.4)],
    [2, timed],
  ]);
  const table = {
    conditions: [{ condition, recordsByArm: new Map([['h2', byBlock]]) }],
  } as unknown as TrialTable;
  const arms = [{ label: 'h2', slug: 'h2', factors: { protocol: 'h2' } }] as unknown as Plan['arms'];
  const [only] = firstFlights({ arms }, table, environment);
  assert.deepEqual(only?.largestBurstBytes, [15_000, 30_000]);
  assert.deepEqual(only.acksPerPacket, [0.4, 0.5]);
});

test('what is not known has its reason, and is not guessed', () => {
  const reused: FirstFlight = { transport: 'udp', reason: 'no-handshake' };
  const { all, told: found } = unlike(h2(tcp(10)), h3(reused));
  assert.deepEqual(found, []);
  const [known, unknown] = all;
  assert.deepEqual(
    [known?.packets, known?.bytes, known?.roundPackets],
    [
      [10, 10],
      [15_000, 15_000],
      [10, 20],
    ],
  );
  assert.equal(unknown?.packets, null);
  assert.match(unknown.why ?? '', /did not see its handshake/);
});

test('TCP counts its window in packets, however small some of them are', () => {
  const flights = [tcp(10, { bytes: 4000 }), tcp(10, { bytes: 8300 }), tcp(11, { bytes: 15_000 })];
  assert.deepEqual(told(h2(...flights), h3(udp(32, { bytes: 40_960 }))), [
    'HTTP/3 from Caddy begins with 41 kB, HTTP/2 with 17 kB',
  ]);
});

test('where initial windows alone are what is compared, nothing is told', () => {
  const wide: Side = { factors: { protocol: 'h2', initialwindow: '32' }, flights: [tcp(32)] };
  assert.deepEqual(told(h2(tcp(10)), wide), []);
});

test('two servers are both named', () => {
  const from = (server: string, packets: number, protocol: 'h3' | 'h2'): Side => ({
    factors: { protocol, server },
    flights: [udp(packets)],
  });
  assert.deepEqual(told(from('nginx', 10, 'h2'), from('caddy', 32, 'h3')), [
    'HTTP/3 from Caddy begins with 40 kB, HTTP/2 from nginx with 13 kB',
  ]);
});

test('where no link of ours tells it, the reason says why, whatever a recording would show', () => {
  const reasonOver = (backend: string | null, server = 'caddy'): string | undefined => {
    const condition = { client: 'chromium', network: 'cable', server, workload: 'page' };
    const recordsByArm = new Map([['h2', new Map([[0, { status: 'ok', metrics: {} }]])]]);
    const table = { conditions: [{ condition, recordsByArm }] } as unknown as TrialTable;
    const networks = backend === null ? [] : [{ id: 'cable', backend }];
    const arms = [{ label: 'h2', slug: 'h2', factors: { protocol: 'h2' } }] as unknown as Plan['arms'];
    const [only] = firstFlights({ arms }, table, { servers: [], networks } as unknown as Environment);
    assert.equal(only?.packets, null);
    return only.why;
  };
  assert.match(reasonOver('none') ?? '', /without a network an acknowledgement is back before/);
  assert.match(reasonOver('link') ?? '', /no delay/);
  assert.match(reasonOver('netem') ?? '', /netem does not tell/);
  assert.match(reasonOver('emulator') ?? '', /saw no connection/);
  assert.match(
    reasonOver('emulator', liveServer) ?? '',
    /beyond the link/,
    'of an address behind a proxy too',
  );
  assert.match(reasonOver(null) ?? '', /not recorded/);
});

/** First flights of one server: some end with its window, of others the response fitted into it; tickets come with some. */
function drawn(
  random: ReturnType<typeof seededRandom>,
  transport: 'tcp' | 'udp',
  windowPackets: number,
  trials = 8,
): FirstFlight[] {
  return Array.from({ length: trials }, () => {
    const response = 1 + random.integer(3 * windowPackets);
    const isLeast = response < windowPackets;
    const tickets = random.integer(3);
    const packets = isLeast ? response : windowPackets + tickets;
    return flightOver(transport)(packets, {
      isLeast,
      bytes: Math.min(packets, windowPackets) * (transport === 'tcp' ? 1500 : 1250) + tickets * 100,
    });
  });
}

test('of 50 runs of like senders none is accused, and of 50 with one that begins with 64 packets each is', () => {
  let accused = 0;
  let found = 0;
  for (let seed = 1; seed <= 50; seed++) {
    const random = seededRandom(seed);
    const transport = seed % 2 === 0 ? 'tcp' : 'udp';
    const window = seed % 4 < 2 ? 10 : 32;
    const like = (): FirstFlight[] => drawn(random, transport, window);
    const own: Side = { factors: { protocol: 'h2' }, flights: like() };
    accused += told(own, { factors: { protocol: 'h3' }, flights: like() }).length;
    found += told(h2(...drawn(random, 'tcp', 10)), h3(...drawn(random, 'udp', 64))).length;
  }
  assert.equal(accused, 0);
  assert.equal(found, 50);
});
