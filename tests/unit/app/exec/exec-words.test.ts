import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkWords, crossed, endWords, tableRows } from '../../../../src/app/exec/exec-words.ts';
import type { NetworkDescription, PathCheckKind } from '../../../../src/core/model/environment.ts';
import type { CommandRun } from '../../../../src/core/model/exec-report.ts';

const check = (direction: 'up' | 'down', kind: PathCheckKind, measured: number, ok = true) => ({
  direction,
  kind,
  quantity: `${kind} in words`,
  unit: kind === 'udp-rate' ? 'Mbit/s' : 'ms',
  expected: 20,
  measured,
  tolerance: 0.5,
  ok,
});

const cable: NetworkDescription = {
  id: 'cable',
  backend: 'emulator',
  description: '',
  impaired: true,
  privilege: 'user-namespace',
  offloads: null,
  checks: [check('up', 'round-trip-time', 20.1), check('down', 'udp-rate', 99.9)],
  notes: ['TCP at the client: cubic'],
};

test('one line says what a path was measured to be, another what it does not reach', () => {
  const lack = 'nothing beyond this machine is reached: that needs root';
  assert.deepEqual(checkWords({ description: cable, lack }), [
    'cable: 20.1 ms round trip, 99.9 Mbit/s down; all 2 checks of the path passed',
    `cable: ${lack}`,
  ]);
  const wordsOf = (description: NetworkDescription): string[] => checkWords({ description, lack: null });
  const off = { ...cable, checks: [...cable.checks, check('up', 'one-way-delay', 11, false)] };
  assert.match(
    wordsOf(off).join(),
    /1 of 3 checks of the path failed: one-way-delay in words up: set 20.00 ± 0.50 ms, measured 11.00 ms/,
  );
  assert.match(wordsOf({ ...cable, checks: [] })[0] ?? '', /was not checked/);
  assert.deepEqual(wordsOf({ ...cable, backend: 'none' }), []);
  const proxied = wordsOf({
    ...cable,
    backend: 'proxy',
    checks: [],
    notes: ['shaped by a proxy', 'not QUIC'],
  });
  assert.deepEqual(proxied, ['cable: shaped by a proxy', 'cable: not QUIC']);
});

const run: CommandRun = {
  network: 'cable',
  repetition: 1,
  startedAt: '2026-11-24T12:00:00.000Z',
  durationMs: 1000,
  exitCode: 0,
  signal: null,
  leftBehind: 0,
  counters: {
    receivedBytes: 900,
    sentBytes: 100,
    emulatorDownBytes: 2_000_000,
    emulatorDownPackets: 1500,
    emulatorUpBytes: 60_000,
    emulatorUpPackets: 800,
    emulatorDownQueueDrops: 12,
    emulatorDownLate10ms: 1,
    emulatorDownLate2ms: 3,
    softnetDrops: 4,
    emulatorCpuMs: 7,
    emulatorDownMarks: 5,
  },
  flows: null,
};

test('what crossed a path is said both ways, with drops, and counters that no word is known for by their names', () => {
  assert.deepEqual(endWords(run), [
    'cable: 2 MB down in 1500 packets, 12 dropped by the queue; 60 kB up in 800 packets; emulatorDownLate2ms 3; emulatorDownMarks 5',
  ]);
  assert.deepEqual(endWords({ ...run, counters: {} }), []);
  const still = { emulatorDownPackets: 0, emulatorUpPackets: 0 };
  assert.deepEqual(endWords({ ...run, counters: still }), ['cable: nothing crossed the network']);
  // A proxy sees bytes, and no packets.
  const proxied = { receivedBytes: 310_000, sentBytes: 83, connections: 1 };
  assert.deepEqual(endWords({ ...run, counters: proxied }), [
    'cable: 310 kB down; 83 bytes up; connections 1',
  ]);
  assert.match(endWords({ ...run, leftBehind: 2 })[1] ?? '', /ended 2 processes that the command left/);
});

test('a link without counters of its own is told by its near end', () => {
  const counters = { receivedBytes: 900, receivedPackets: 3, sentBytes: 100, sentPackets: 2 };
  assert.deepEqual(crossed({ counters }, 'down'), { bytes: 900, packets: 3, dropped: 0 });
  assert.deepEqual(crossed({ counters }, 'up'), { bytes: 100, packets: 2, dropped: 0 });
});

test('several runs make a table of times and exit codes, a row a network', () => {
  const runs = [
    { ...run, network: 'none', counters: {} },
    run,
    { ...run, repetition: 2, durationMs: 3000, exitCode: 7 },
  ];
  const report = { schemaVersion: 1, command: [], localPorts: [], far: null, networks: [], runs } as const;
  const [head, none, shaped] = tableRows({ ...report, command: [], localPorts: [], networks: [] });
  assert.equal(head?.length, none?.length);
  assert.deepEqual(none?.slice(0, 5), ['none', '1', '1 s', '1 s to 1 s', '0']);
  assert.deepEqual(shaped, ['cable', '2', '2 s', '1 s to 3 s', '0, 7', '4 MB', '120 kB', '24']);
});
