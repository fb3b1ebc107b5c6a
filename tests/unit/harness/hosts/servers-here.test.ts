import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientPlace } from '../../../../harness/hosts/client-place.ts';
import { ClientClock } from '../../../../harness/hosts/client-clock.ts';
import type { FarHost } from '../../../../harness/hosts/far-host.ts';
import { FarPlace } from '../../../../harness/hosts/far-place.ts';
import { OnePlace } from '../../../../harness/hosts/one-place.ts';
import { byClock, serversByClock, serversHere } from '../../../../harness/hosts/servers-here.ts';
import type {
  RunningServer,
  ServerProvider,
  ServerStartOptions,
} from '../../../../harness/servers/server.ts';
import type { ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';

const entry = { path: '/', startEpochMs: 5_000 } as ServerLogEntry;

/** A machine whose clock is ahead by what it is told next. */
function clockOf(...aheadMs: number[]): ClientClock {
  const clock = (offsetMs: number) => ({ offsetMs, boundMs: 1 });
  const host = {
    host: 'far',
    clock: clock(0),
    ask: () => Promise.resolve({ answered: {}, clock: clock(aheadMs.shift() ?? 0) }),
  };
  return new ClientClock(host as unknown as FarHost);
}

function serverOf(more: Partial<RunningServer> = {}): RunningServer {
  return {
    mark: () => Promise.resolve(3),
    entriesSince: () => Promise.resolve([entry]),
    alive: () => true,
    stop: () => Promise.resolve(),
    ...more,
  } as RunningServer;
}

test('what a server logs here is told by the clock of the clients’ machine', async () => {
  const asked: number[] = [];
  const ledgerSince = (epochMs: number) => {
    asked.push(epochMs);
    const missed = { atEpochMs: 6_000, url: 'https://a.test/', found: 'nothing' as const };
    return Promise.resolve({ answered: {}, inexact: [], misses: [missed], missed: 1 });
  };
  const server = byClock(serverOf({ ledgerSince } as unknown as Partial<RunningServer>), clockOf(100, 100));
  assert.equal(await server.mark(), 3);
  assert.deepEqual(await server.entriesSince(3, []), [{ ...entry, startEpochMs: 5_100 }]);
  const ledger = await server.ledgerSince?.(5_050);
  assert.deepEqual(asked, [4_950]);
  assert.equal(ledger?.misses[0]?.atEpochMs, 6_100);
  assert.equal(await server.arrivedSince?.(0), undefined);
});

test('a clock that was set during a trial fails it', async () => {
  const server = byClock(serverOf(), clockOf(0, 60_000));
  await server.mark();
  await assert.rejects(server.entriesSince(3, []), {
    code: 'process-failed',
    message: 'the clock of far was set during the trial',
  });
});

test('one server has the address at a time, and knows by how much its own clock is ahead', async () => {
  const place = Object.assign(new OnePlace(), { clock: clockOf(250, 250, 250), address: '10.0.0.1' });
  const started: ServerStartOptions[] = [];
  const stopped: string[] = [];
  const provider = {
    id: 'caddy',
    start: (options: ServerStartOptions) => {
      started.push(options);
      return Promise.resolve(serverOf({ stop: () => Promise.resolve(void stopped.push(options.address)) }));
    },
  } as unknown as ServerProvider;
  const [server] = serversHere([provider], place as unknown as ClientPlace);
  const start = (address: string) =>
    server?.start({ address, environment: { MARK: '1' } } as unknown as ServerStartOptions);
  await start('10.0.0.1');
  assert.deepEqual(started[0]?.environment, { MARK: '1', H2H3_CLOCK_AHEAD_MS: '-250' });
  await start('127.0.0.2');
  assert.deepEqual(stopped, []);
  await start('10.0.0.1');
  assert.deepEqual(stopped, ['10.0.0.1']);
});

test('servers of a third machine tell by the clock of the clients’, and themselves say when a session is over', async () => {
  const awaited: string[] = [];
  const awaitEntry = (_mark: number, path: string) => Promise.resolve(void awaited.push(path));
  const provider = {
    id: 'caddy',
    start: () => Promise.resolve(serverOf({ awaitEntry })),
  } as unknown as ServerProvider;
  const [server] = serversByClock([provider], clockOf(100, 100, 100));
  const running = await server?.start({} as unknown as ServerStartOptions);
  assert.equal(await running?.mark(), 3);
  assert.deepEqual(await running?.entriesSince(3, []), [{ ...entry, startEpochMs: 5_100 }]);
  await running?.awaitEntry?.(3, '/end', new AbortController().signal);
  assert.deepEqual(awaited, ['/end']);
});

test('the clock of a machine with servers is ahead of that of clients, wherever those are', () => {
  const host = { clock: { offsetMs: 300, boundMs: 1 } } as unknown as FarHost;
  assert.equal(new FarPlace(host, 8443).aheadOfClientMs, 300);
  assert.equal(new FarPlace(host, 8443, { aheadMs: 250 }).aheadOfClientMs, 50);
});
