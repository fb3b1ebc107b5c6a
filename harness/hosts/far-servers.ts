import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import type { SiteRoot } from '../../src/core/model/workload.ts';
import { clockAheadVariable } from '../../src/core/system/near-clock.ts';
import { cpuSnapshot } from '../../src/core/system/processes/process-cpu.ts';
import { proxyNamed } from '../proxies/registry.ts';
import { serverNamed } from '../servers/registry.ts';
import { serverProvider } from '../servers/server-kit.ts';
import type { RunningServer } from '../servers/server.ts';
import { startResolver, type RunningResolver } from '../testbed/resolver.ts';
import { openCertificateStore, type CertificateStore } from '../tools/certificates.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import type { ServerSoftware } from '../servers/server-software.ts';
import { openToolCache } from '../../src/core/system/tool-cache.ts';
import type { FarContent } from './far-content.ts';
import type { Answered, Asked, FarResolverStart, FarRole, FarRoot, FarServerStart } from './far-protocol.ts';
import { logNames, logPart } from './far-logs.ts';
import { requireRoom } from './far-room.ts';
import { sentProgram } from './program-files.ts';

const lookEveryMs = 250;
const pollMs = 100;

export interface FarServersOptions {
  readonly setup: SetupContext;
  readonly content: FarContent;
  /** Everything that servers write, and the folders that they serve, is below it. */
  readonly workDir: string;
  /** Folder of a tool cache that holds the key pairs. */
  readonly keysDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly died: (server: number, part: string) => void;
}

/** What runs here: a server with what it logs, or a resolver with what it was asked. */
interface Started {
  readonly server?: RunningServer;
  readonly resolver?: RunningResolver;
  /** Where it logs its QUIC connections; absent: it logs none. */
  readonly logsDir?: string;
  readonly port: number;
  readonly alive: () => boolean;
  /** What of it has died, for people. */
  readonly deadPart: () => string;
  readonly stop: () => Promise<void>;
}

type Lack = Pick<Answered<'find'>['lacking'][number], 'reason' | 'next'>;

/** What the other end has started here, by its number: servers, proxies and resolvers. */
export class FarServers {
  readonly #options: FarServersOptions;
  readonly #running = new Map<number, Started>();
  readonly #timer: NodeJS.Timeout;
  #started = 0;
  /** How often a trial has begun. */
  #marks = 0;

  constructor(options: FarServersOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#tellDead(), lookEveryMs);
  }

  /** A reason each for those whose program cannot be had. */
  async find({ servers, proxies, fetches }: Asked<'find'>): Promise<Answered<'find'>> {
    const wanted = [
      ...servers.map((name) => ({ role: 'server' as const, name })),
      ...proxies.map((name) => ({ role: 'proxy' as const, name })),
    ];
    const lacking: Answered<'find'>['lacking'] = [];
    for (const { role, name } of wanted) {
      const lack = await this.#lackOf(role, name, fetches);
      if (lack !== undefined) lacking.push({ role, name, ...lack });
    }
    return { lacking };
  }

  async #lackOf(role: FarRole, name: string, fetches: boolean): Promise<Lack | undefined> {
    const { setup } = this.#options;
    try {
      const software = named(role, name);
      if (fetches) await software.ensure(setup);
      else if ((await software.find(setup)) === undefined)
        return { reason: `${software.name} is not there yet`, next: 'The run fetches it there.' };
      return undefined;
    } catch (thrown) {
      const next = thrown instanceof H2h3Error ? thrown.next : undefined;
      return { reason: messageOf(thrown), ...(next === undefined ? {} : { next }) };
    }
  }

  /** Starts what is asked for, which from then on has a number. */
  async start(asked: Asked<'start'>): Promise<Answered<'start'>> {
    const number = this.#started++;
    const workDir = join(this.#options.workDir, `server-${number}`);
    await mkdir(workDir, { recursive: true });
    const started =
      asked.role === 'resolver'
        ? await this.#startResolver(asked, workDir)
        : await this.#startServer(asked, workDir);
    this.#running.set(number, started);
    const { server, port } = started;
    const { description = null, warnings = [] } = server ?? {};
    return { server: number, description, port, warnings: [...warnings] };
  }

  async #startServer(asked: FarServerStart, workDir: string): Promise<Started> {
    const { setup } = this.#options;
    const logsDir = asked.logsConnections === true ? join(workDir, 'qlog') : undefined;
    const roots = this.#laid(asked.roots, join(workDir, 'roots'));
    const { address, port, congestion, tcpCongestionControl, settings, upstream } = asked;
    const server = await serverProvider(named(asked.role, asked.server), setup).start({
      roots,
      address,
      port,
      certificates: await this.#certificates(),
      workDir,
      launchPrefix: [],
      environment: {
        ...this.#options.environment,
        [clockAheadVariable]: String(asked.clockAheadMs),
        ...(logsDir === undefined ? {} : { QLOGDIR: logsDir }),
      },
      ...(upstream === undefined ? {} : { upstream }),
      ...(congestion === undefined ? {} : { congestion }),
      ...(tcpCongestionControl === undefined ? {} : { tcpCongestionControl }),
      // The near end made it from factors; every server refuses what it does not apply.
      ...(settings === undefined ? {} : { settings }),
    });
    const deadPart = (): string => server.deadBehind?.() ?? 'the server';
    return {
      server,
      port: server.port,
      ...(logsDir === undefined ? {} : { logsDir }),
      alive: () => server.alive(),
      deadPart,
      stop: () => server.stop(),
    };
  }

  async #startResolver(
    { hosts, address, lateMs, lossPercent }: FarResolverStart,
    workDir: string,
  ): Promise<Started> {
    const resolver = await startResolver({
      hosts,
      address,
      lateMs,
      lossPercent,
      prefix: [],
      certificates: await this.#certificates(),
      environment: this.#options.environment,
      workDir,
    });
    return {
      resolver,
      port: resolver.port,
      alive: resolver.alive,
      deadPart: () => 'the resolver',
      stop: resolver.stop,
    };
  }

  /** Of the key pairs that were sent. */
  #certificates(): Promise<CertificateStore> {
    return openCertificateStore({ cache: openToolCache(this.#options.keysDir) });
  }

  /** Roots with the same files share a folder, and so the program that answers from it. */
  #laid(roots: readonly FarRoot[], folder: string): SiteRoot[] {
    const folders = new Map<string, string>();
    return roots.map(({ files, origin, ...root }) => {
      const content = JSON.stringify(files);
      const directory = folders.get(content) ?? join(folder, String(folders.size));
      if (!folders.has(content)) this.#options.content.lay(directory, files);
      folders.set(content, directory);
      return {
        ...siteRoot(root),
        directory,
        ...(origin === undefined ? {} : { origin: started(origin, directory) }),
      };
    });
  }

  async mark({ server }: Asked<'mark'>): Promise<Answered<'mark'>> {
    this.#marks++;
    requireRoom(this.#options.workDir);
    return { mark: await this.#of(server).mark() };
  }

  async entries({ server, mark, awaited }: Asked<'entries'>): Promise<Answered<'entries'>> {
    const entries = await this.#of(server).entriesSince(mark, awaited);
    requireRoom(this.#options.workDir);
    return { entries };
  }

  async awaitEntry({ server, mark, path }: Asked<'awaitEntry'>): Promise<void> {
    const marks = this.#marks;
    let lengthBefore = mark;
    while (marks === this.#marks && this.#running.has(server)) {
      await sleep(pollMs);
      const running = this.#of(server);
      const length = await running.mark();
      if (length === lengthBefore) continue;
      lengthBefore = length;
      if ((await running.entriesSince(mark, [])).some((entry) => entry.path === path)) return;
    }
  }

  async ledger({ server, sinceEpochMs }: Asked<'ledger'>): Promise<Answered<'ledger'>> {
    return { ledger: (await this.#of(server).ledgerSince?.(sinceEpochMs)) ?? null };
  }

  async arrived({ server, sinceEpochMs }: Asked<'arrived'>): Promise<Answered<'arrived'>> {
    return { lines: (await this.#of(server).arrivedSince?.(sinceEpochMs)) ?? null };
  }

  async appLedger({ server, sinceEpochMs }: Asked<'appLedger'>): Promise<Answered<'appLedger'>> {
    return { ledger: (await this.#of(server).appLedgerSince?.(sinceEpochMs)) ?? null };
  }

  async questions({ server, sinceEpochMs }: Asked<'questions'>): Promise<Answered<'questions'>> {
    const resolver = this.#running.get(server)?.resolver;
    if (resolver === undefined) throw new H2h3Error('process-failed', `no resolver ${server} runs`);
    return { questions: await resolver.questionsSince(sinceEpochMs) };
  }

  logs({ server }: Asked<'logs'>): Answered<'logs'> {
    const { logsDir } = this.#running.get(server) ?? {};
    return { names: logsDir === undefined ? [] : logNames(logsDir) };
  }

  logPart({ server, name, offsetBytes }: Asked<'logPart'>): Answered<'logPart'> {
    const { logsDir } = this.#running.get(server) ?? {};
    if (logsDir === undefined) throw new H2h3Error('process-failed', `server ${server} logs no connections`);
    return { base64: logPart(logsDir, name, offsetBytes).toString('base64') };
  }

  cpuTimes({ server }: Asked<'cpuTimes'>): Answered<'cpuTimes'> {
    return { rows: [...cpuSnapshot(this.#of(server).pid).values()] };
  }

  async stop({ server }: Asked<'stop'>): Promise<void> {
    const running = this.#running.get(server);
    this.#running.delete(server);
    await running?.stop();
  }

  /** Nothing is told of any server any more. */
  close(): void {
    clearInterval(this.#timer);
  }

  #of(server: number): RunningServer {
    const running = this.#running.get(server)?.server;
    if (running === undefined) throw new H2h3Error('process-failed', `no server ${server} runs`);
    return running;
  }

  /** Each that died is told of once; it is still there for what it has logged. */
  readonly #told = new Set<number>();
  #tellDead(): void {
    for (const [server, running] of this.#running) {
      if (running.alive() || this.#told.has(server)) continue;
      this.#told.add(server);
      this.#options.died(server, running.deadPart());
    }
  }
}

const siteRoot = ({
  host,
  workload,
  messages,
}: Pick<FarRoot, 'host' | 'workload' | 'messages'>): Omit<SiteRoot, 'directory' | 'origin'> => ({
  host,
  ...(workload === undefined ? {} : { workload }),
  ...(messages === undefined ? {} : { messages }),
});

/** The command of a program that was sent. */
function started(
  { kind, program, words }: NonNullable<FarRoot['origin']>,
  directory: string,
): NonNullable<SiteRoot['origin']> {
  return {
    kind,
    command: [process.execPath, sentProgram(program), ...words.map((word) => word ?? directory)],
  };
}

/** @throws H2h3Error `usage` */
function named(role: FarRole, name: string): ServerSoftware {
  const software = role === 'proxy' ? proxyNamed(name) : serverNamed(name);
  if (software === undefined) throw new H2h3Error('usage', `there is no ${role} called ${name}`);
  return software;
}
