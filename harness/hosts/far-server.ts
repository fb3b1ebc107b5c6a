import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { H2h3Error, foundOr } from '../../src/core/model/errors.ts';
import type { ProcessRow } from '../../src/core/system/processes/process-table.ts';
import type { RunningServer, ServerProvider, ServerStartOptions } from '../servers/server.ts';
import { requireSteady, type ClockOffset } from './far-clock.ts';
import type { FarHost } from './far-host.ts';
import { FarLogs } from './far-logs.ts';
import { farPart } from './far-part.ts';
import type { FarPlace } from './far-place.ts';
import type { Answered, Asked, FarRole, FarServerStart } from './far-protocol.ts';
import { asSent } from './sent-settings.ts';

/**
 * Servers or proxies that are started on the other machine, the same in everything else. Each takes the port from the one before, which is
 * started anew when it is needed again.
 */
export function farServers(
  role: FarRole,
  providers: readonly ServerProvider[],
  place: FarPlace,
): readonly ServerProvider[] {
  return providers.map(({ id, title, applies, quicCongestionControls }) => ({
    id,
    title: `${title}, on ${place.host.host}`,
    applies,
    quicCongestionControls,
    start: (options) => start({ role, server: id }, options, place),
  }));
}

async function start(
  wanted: Pick<FarServerStart, 'role' | 'server'>,
  options: ServerStartOptions,
  place: FarPlace,
): Promise<RunningServer> {
  const { host, content } = place;
  const { address, port, congestion, tcpCongestionControl, upstream } = options;
  if (port === null) throw new H2h3Error('internal', 'a server of another machine was given no port');
  // What is behind a proxy has an address of its own.
  const isFront = address === place.address;
  if (isFront) await place.vacate();
  await host.ask('keys', { files: await keysOf(options) });
  const roots = await content.send(options.roots, host);
  const settings = options.settings && asSent(options.settings);
  const { answered } = await host.ask('start', {
    ...wanted,
    roots,
    address,
    port,
    ...(congestion === undefined ? {} : { congestion }),
    ...(tcpCongestionControl === undefined ? {} : { tcpCongestionControl }),
    ...(settings === undefined ? {} : { settings }),
    ...(upstream === undefined ? {} : { upstream }),
    clockAheadMs: place.aheadOfClientMs,
    ...(logsDirOf(options) === undefined ? {} : { logsConnections: true }),
  });
  const started = running(answered, options, host);
  return isFront ? place.taken(started) : started;
}

function running(
  { server, description, port, warnings }: Answered<'start'>,
  options: ServerStartOptions,
  host: FarHost,
): RunningServer {
  if (description === null)
    throw new H2h3Error('bad-input', `${host.host} started something else than a server`);
  const { deadPart, requireReached, stop } = farPart(server, 'the server', host);
  const logsDir = logsDirOf(options);
  const logs = logsDir === undefined ? undefined : new FarLogs(server, host, logsDir);
  const evidence = evidenceOf(server, host, requireReached);
  return {
    description,
    address: options.address,
    port,
    // It is no process of this machine.
    pid: 0,
    warnings: warnings.map((warning) => `${warning} (on ${host.host})`),
    ...evidence,
    ...(logs === undefined ? {} : withLogs(evidence, logs)),
    deadBehind: deadPart,
    alive: () => deadPart() === undefined,
    stop,
  };
}

/** Where it is to log its QUIC connections, as every server is told; undefined: nowhere. */
const logsDirOf = ({ environment }: ServerStartOptions): string | undefined => environment['QLOGDIR'];

type Evidence = Required<
  Pick<
    RunningServer,
    'mark' | 'entriesSince' | 'awaitEntry' | 'cpuTimes' | 'ledgerSince' | 'arrivedSince' | 'appLedgerSince'
  >
>;

/** The same of one that logs its QUIC connections. */
function withLogs(
  { mark }: Pick<Evidence, 'mark'>,
  logs: FarLogs,
): Required<Pick<RunningServer, 'mark' | 'fetchLogs'>> {
  return {
    mark: async () => {
      const [marked] = await Promise.all([mark(), logs.mark()]);
      return marked;
    },
    fetchLogs: () => logs.fetch(),
  };
}

/** What it logs and uses, by the clock of this machine. @param requireReached throws where it is not reached any more */
function evidenceOf(server: number, host: FarHost, requireReached: () => void): Evidence {
  /** Of the far clock, when the trial began. */
  let offset: ClockOffset = host.clock;
  const there = (epochMs: number): number => epochMs + offset.offsetMs;
  const here = <Line extends { readonly atEpochMs: number }>(line: Line): Line => ({
    ...line,
    atEpochMs: line.atEpochMs - offset.offsetMs,
  });
  return {
    mark: async () => {
      requireReached();
      const asked = await host.ask('mark', { server });
      offset = asked.clock;
      return asked.answered.mark;
    },
    entriesSince: async (mark, awaited) => {
      requireReached();
      const { answered, clock } = await host.ask('entries', { server, mark, awaited: [...awaited] });
      requireSteady(host.host, offset, clock);
      return answered.entries.map((entry) => ({
        ...entry,
        startEpochMs: entry.startEpochMs - offset.offsetMs,
      }));
    },
    awaitEntry: async (mark, path, signal) => {
      requireReached();
      const given = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => given.resolve(), { once: true });
      await Promise.race([host.ask('awaitEntry', { server, mark, path }), given.promise]);
    },
    cpuTimes: async () => {
      requireReached();
      const { answered } = await host.ask('cpuTimes', { server });
      return new Map(answered.rows.map((row): [number, ProcessRow] => [row.pid, row]));
    },
    ledgerSince: async (epochMs) => {
      requireReached();
      const { answered, clock } = await host.ask('ledger', { server, sinceEpochMs: there(epochMs) });
      requireSteady(host.host, offset, clock);
      const { ledger } = answered;
      if (ledger === null) return undefined;
      return { ...ledger, inexact: ledger.inexact.map(here), misses: ledger.misses.map(here) };
    },
    appLedgerSince: async (epochMs) => {
      requireReached();
      const { answered, clock } = await host.ask('appLedger', { server, sinceEpochMs: there(epochMs) });
      requireSteady(host.host, offset, clock);
      const { ledger } = answered;
      return ledger === null ? undefined : { ...ledger, waits: ledger.waits.map(here) };
    },
    arrivedSince: async (epochMs) => {
      requireReached();
      const { answered, clock } = await host.ask('arrived', { server, sinceEpochMs: there(epochMs) });
      requireSteady(host.host, offset, clock);
      return answered.lines?.map(here);
    },
  };
}

/** The browser is told to accept what these keys sign, so the server must have them. */
async function keysOf({ certificates, settings }: ServerStartOptions): Promise<Asked<'keys'>['files']> {
  const { keyFile } = await certificates.filesFor('localhost');
  const read = (file: string): string => readFileSync(file, 'utf8');
  const authority = foundOr(() => read(join(dirname(keyFile), 'authority.pem')), null);
  const rsa =
    settings?.keytype === 'rsa' ? await certificates.filesFor('localhost', { keyType: 'rsa' }) : null;
  return [
    { path: 'certificates/key.pem', pem: read(keyFile) },
    ...(authority === null ? [] : [{ path: 'certificates/authority.pem' as const, pem: authority }]),
    ...(rsa === null ? [] : [{ path: 'certificates-rsa/key.pem' as const, pem: read(rsa.keyFile) }]),
  ];
}
