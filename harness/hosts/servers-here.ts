import { clockAheadVariable } from '../../src/core/system/near-clock.ts';
import type { RunningServer, ServerProvider } from '../servers/server.ts';
import { pollForEntry } from '../testbed/poll-for-entry.ts';
import type { ClientClock } from './client-clock.ts';
import type { ClientPlace } from './client-place.ts';

/**
 * Servers or proxies of this machine for clients on another, the same in everything else. Each takes the port from the one before,
 * because clients reach this machine at one address.
 */
export function serversHere(
  providers: readonly ServerProvider[],
  place: ClientPlace,
): readonly ServerProvider[] {
  return providers.map((provider) => ({
    ...provider,
    start: async (options) => {
      const { clock, address } = place;
      // What is behind a proxy has an address of its own.
      const isFront = options.address === address;
      if (isFront) await place.vacate();
      await clock.mark();
      const environment = { ...options.environment, [clockAheadVariable]: String(-clock.aheadMs) };
      const server = byClock(await provider.start({ ...options, environment }), clock);
      return isFront ? place.taken(server) : server;
    },
  }));
}

/** Servers or proxies that tell everything by the clock of the clients' machine, and otherwise are as they were. */
export function serversByClock(
  providers: readonly ServerProvider[],
  clock: ClientClock,
): readonly ServerProvider[] {
  return providers.map((provider) => ({
    ...provider,
    start: async (options) => {
      await clock.mark();
      return byClock(await provider.start(options), clock);
    },
  }));
}

/** The same with what it tells by the clock of the clients' machine. */
export function byClock(server: RunningServer, clock: ClientClock): RunningServer {
  const here = (epochMs: number): number => epochMs - clock.aheadMs;
  const there = <Line extends { readonly atEpochMs: number }>(line: Line): Line => ({
    ...line,
    atEpochMs: line.atEpochMs + clock.aheadMs,
  });
  return {
    ...server,
    mark: async () => {
      const [marked] = await Promise.all([server.mark(), clock.mark()]);
      return marked;
    },
    entriesSince: async (mark, awaited) => {
      const [entries] = await Promise.all([server.entriesSince(mark, awaited), clock.requireSteady()]);
      return entries.map((entry) => ({ ...entry, startEpochMs: entry.startEpochMs + clock.aheadMs }));
    },
    // The clock is not looked at while something is measured.
    awaitEntry: server.awaitEntry ?? ((mark, path, signal) => pollForEntry(server, mark, path, signal)),
    ledgerSince: async (epochMs) => {
      const ledger = await server.ledgerSince?.(here(epochMs));
      if (ledger === undefined) return undefined;
      return { ...ledger, inexact: ledger.inexact.map(there), misses: ledger.misses.map(there) };
    },
    arrivedSince: async (epochMs) => (await server.arrivedSince?.(here(epochMs)))?.map(there),
  };
}
