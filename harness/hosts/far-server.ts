import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { H2h3Error, foundOr } from '../../src/core/model/errors.ts';
import { filesBelow } from '../../src/core/system/files-below.ts';
import { digestOf } from '../../src/core/system/package-archive.ts';
import type { ProcessRow } from '../../src/core/system/processes/process-table.ts';
import type { SiteRoot } from '../../src/core/model/workload.ts';
import type { RunningServer, ServerProvider, ServerStartOptions } from '../servers/server.ts';
import { hasJumped, type ClockOffset } from './far-clock.ts';
import type { FarHost } from './far-host.ts';
import { partBytes, type Answered, type Asked, type FarRoot } from './far-protocol.ts';

/** What the servers of a run share on the other machine: it has one address, so one of them runs at a time. */
interface FarPlace {
  readonly host: FarHost;
  readonly content: SentContent;
  running?: RunningServer;
}

/**
 * Servers that are started on the other machine, the same in everything else. Each takes the port from the one before, which is
 * started anew when it is needed again.
 */
export function farServers(providers: readonly ServerProvider[], host: FarHost): readonly ServerProvider[] {
  const place: FarPlace = { host, content: new SentContent() };
  return providers.map(({ id, title, applies, quicCongestionControls }) => ({
    id,
    title: `${title}, on ${host.host}`,
    applies,
    quicCongestionControls,
    start: (options) => start(id, options, place),
  }));
}

async function start(server: string, options: ServerStartOptions, place: FarPlace): Promise<RunningServer> {
  const { host, content } = place;
  const { address, port, congestion, tcpCongestionControl } = options;
  if (port === null) throw new H2h3Error('internal', 'a server of another machine was given no port');
  await place.running?.stop();
  await host.ask('keys', { files: await keysOf(options) });
  const roots = await content.send(options.roots, host);
  const settings = settingsOf(options);
  const { answered } = await host.ask('start', {
    server,
    roots,
    address,
    port,
    ...(congestion === undefined ? {} : { congestion }),
    ...(tcpCongestionControl === undefined ? {} : { tcpCongestionControl }),
    ...(settings === undefined ? {} : { settings }),
  });
  return (place.running = running(answered, options, host));
}

/** Of a trial: its offset when it began. */
interface Clock {
  offset: ClockOffset | undefined;
}

function running(
  { server, description, port, warnings }: Answered<'start'>,
  { address }: ServerStartOptions,
  host: FarHost,
): RunningServer {
  const { session } = host;
  const clock: Clock = { offset: undefined };
  let isStopped = false;
  const isOfNow = (): boolean => host.session === session && host.lost() === undefined;
  const requireOfNow = (): void => {
    const lost = host.lost();
    if (lost !== undefined) throw lost;
    if (host.session !== session)
      throw new H2h3Error('process-failed', `the connection to ${host.host} was another one`);
  };
  const deadBehind = (): string | undefined => {
    if (!isOfNow()) return `the connection to ${host.host}`;
    const part = isStopped ? 'the server' : host.deadOf(server);
    return part === undefined ? undefined : `${part} on ${host.host}`;
  };
  return {
    description,
    address,
    port,
    // It is no process of this machine.
    pid: 0,
    warnings: warnings.map((warning) => `${warning} (on ${host.host})`),
    mark: async () => {
      requireOfNow();
      const { answered, clock: offset } = await host.ask('mark', { server });
      clock.offset = offset;
      return answered.mark;
    },
    entriesSince: async (mark, awaited) => {
      requireOfNow();
      const asked = await host.ask('entries', { server, mark, awaited: [...awaited] });
      const offset = clock.offset ?? asked.clock;
      if (hasJumped(offset, asked.clock))
        throw new H2h3Error('process-failed', `the clock of ${host.host} was set during the trial`, {
          next: 'Have NTP slew it, and not step it, while a run is under way.',
        });
      return asked.answered.entries.map((entry) => ({
        ...entry,
        startEpochMs: entry.startEpochMs - offset.offsetMs,
      }));
    },
    awaitEntry: async (mark, path, signal) => {
      requireOfNow();
      const given = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => given.resolve(), { once: true });
      await Promise.race([host.ask('awaitEntry', { server, mark, path }), given.promise]);
    },
    cpuTimes: async () => {
      requireOfNow();
      const { answered } = await host.ask('cpuTimes', { server });
      return new Map(answered.rows.map((row): [number, ProcessRow] => [row.pid, row]));
    },
    deadBehind,
    alive: () => deadBehind() === undefined,
    stop: async () => {
      if (isStopped) return;
      isStopped = true;
      if (!isOfNow()) return;
      await host.ask('stop', { server }).catch((thrown: unknown) => {
        // One that is not reached any more ends by itself.
        if (host.lost() === undefined) throw thrown;
      });
    },
  };
}

/** What factors say of the server, which must be the same after it was sent. */
function settingsOf({ settings }: ServerStartOptions): Asked<'start'>['settings'] {
  if (settings === undefined) return undefined;
  const sent = JSON.parse(JSON.stringify(settings)) as Record<string, unknown>;
  if (!isDeepStrictEqual(sent, { ...settings }))
    throw new H2h3Error('internal', 'a factor of the server cannot be sent to another machine');
  return sent;
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

/** What a run serves, by content: each folder is looked at once, and each file sent once. */
export class SentContent {
  readonly #folders = new Map<string, Promise<FarRoot['files']>>();

  /** Has all files of the roots over there. @throws H2h3Error `unsupported` for a host that is answered by a program */
  async send(roots: readonly SiteRoot[], host: FarHost): Promise<FarRoot[]> {
    const sent: FarRoot[] = [];
    const places = new Map<string, string>();
    for (const { host: name, directory, workload, messages, origin } of roots) {
      if (origin !== undefined)
        throw new H2h3Error(
          'unsupported',
          `${name} is answered by a program, which runs on this machine alone`,
        );
      const files = await this.#filesOf(directory);
      for (const { path, digest } of files) places.set(digest, join(directory, path));
      sent.push({
        host: name,
        files,
        ...(workload === undefined ? {} : { workload }),
        ...(messages === undefined ? {} : { messages }),
      });
    }
    const { answered } = await host.ask('missing', { digests: [...places.keys()] });
    for (const digest of answered.digests) await put(digest, places.get(digest), host);
    return sent;
  }

  #filesOf(directory: string): Promise<FarRoot['files']> {
    const known = this.#folders.get(directory) ?? listed(directory);
    this.#folders.set(directory, known);
    return known;
  }
}

async function listed(directory: string): Promise<FarRoot['files']> {
  const files: FarRoot['files'] = [];
  for (const path of filesBelow(directory).toSorted())
    files.push({ path, digest: await digestOf(join(directory, path), 'sha256', 'hex') });
  return files;
}

async function put(digest: string, file: string | undefined, host: FarHost): Promise<void> {
  if (file === undefined)
    throw new H2h3Error('process-failed', `${host.host} wants a file that was not named`);
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    for (let sentBytes = 0, isLast = false; !isLast;) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(partBytes), 0, partBytes, sentBytes);
      sentBytes += bytesRead;
      isLast = sentBytes >= size || bytesRead === 0;
      await host.ask('put', { digest, base64: buffer.toString('base64', 0, bytesRead), isLast });
    }
  } finally {
    await handle.close();
  }
}
