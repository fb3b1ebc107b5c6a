import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrialTable } from '../../../src/analyse/comparison/trial-table.ts';
import { unlikeFirstFlights } from '../../../src/analyse/unlike-first-flights.ts';
import type { Environment } from '../../../src/model/environment.ts';
import type { Factors } from '../../../src/model/factor.ts';
import type { FirstFlight } from '../../../src/model/metrics.ts';
import type { Plan } from '../../../src/model/plan.ts';

const environment = { servers: [{ id: 'caddy', name: 'Caddy' }] } as unknown as Environment;
const flight = (bytes: number, isLeast = false, packets = Math.round(bytes / 1500)): FirstFlight => ({
  transport: 'tcp',
  packets,
  bytes,
  isLeast,
  roundPackets: [],
});

interface Side {
  readonly factors: Factors;
  readonly flights: readonly FirstFlight[];
}

function told(baseline: Side, candidate: Side): string[] {
  const sides = [baseline, candidate].map((side, index) => ({ ...side, label: `arm${index}` }));
  const condition = { client: 'chromium', network: 'cable', server: 'caddy', workload: 'page' };
  const recordsByArm = new Map(
    sides.map(({ label, flights }) => [
      label,
      new Map(flights.map((firstFlight, block) => [block, { status: 'ok', metrics: { firstFlight } }])),
    ]),
  );
  const plan = { arms: sides.map(({ label, factors }) => ({ label, factors })), trials: [] };
  const table = { conditions: [{ condition, recordsByArm }] };
  return unlikeFirstFlights(plan as unknown as Plan, table as unknown as TrialTable, environment);
}

const h2 = (...flights: FirstFlight[]): Side => ({ factors: { protocol: 'h2' }, flights });
const h3 = (...flights: FirstFlight[]): Side => ({ factors: { protocol: 'h3' }, flights });

test('first flights that differ by more than a fifth are told with their sizes', () => {
  assert.deepEqual(told(h2(flight(15_000), flight(15_000)), h3(flight(40_960), flight(40_960))), [
    'HTTP/3 from Caddy begins with 41 kB, HTTP/2 with 15 kB',
  ]);
});

test('equal first flights, and those that differ by less, are no news', () => {
  assert.deepEqual(told(h2(flight(15_000)), h3(flight(15_000))), []);
  assert.deepEqual(told(h2(flight(40_960)), h3(flight(48_000))), []);
});

test('a response that fitted tells the least of a window alone: it is told only where that settles it', () => {
  assert.deepEqual(told(h2(flight(15_000)), h3(flight(25_000, true), flight(28_000, true))), [
    'HTTP/3 from Caddy begins with at least 28 kB, HTTP/2 with 15 kB',
  ]);
  assert.deepEqual(told(h2(flight(12_000, true)), h3(flight(40_960))), []);
  assert.deepEqual(told(h2(flight(12_000, true)), h3(flight(28_000, true))), []);
});

test('a server that changes its window has a range, and what is not known is not guessed', () => {
  const [range] = told(h2(flight(15_000)), h3(flight(20_000), flight(40_000), flight(42_000)));
  assert.equal(range, 'HTTP/3 from Caddy begins with 20 to 42 kB, HTTP/2 with 15 kB');
  const unknown: FirstFlight = { transport: 'udp', reason: 'no-handshake' };
  assert.deepEqual(told(h2(flight(15_000)), h3(unknown)), []);
});

test('a window that is counted in packets is as large as its largest flight, however small the packets of others', () => {
  const tcp = h2(flight(4000, false, 10), flight(8300, false, 10), flight(15_000, false, 11));
  const quic = h3(flight(39_990, false, 38), flight(40_960, false, 32));
  assert.deepEqual(told(tcp, quic), ['HTTP/3 from Caddy begins with 41 kB, HTTP/2 with 15 kB']);
});

test('two servers are both named', () => {
  const from = (server: string, bytes: number): Side => ({
    factors: { protocol: 'h3', server },
    flights: [flight(bytes)],
  });
  assert.deepEqual(told(from('nginx', 15_000), from('caddy', 40_960)), [
    'HTTP/3 from caddy begins with 41 kB, HTTP/3 from nginx with 15 kB',
  ]);
});
