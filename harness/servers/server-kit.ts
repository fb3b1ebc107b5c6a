import path from 'node:path';
import { noTcp, type ServerDescription } from '../../src/core/model/environment.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { PortClaim } from '../../src/core/system/port-claim.ts';
import { runProgram, tailOf } from '../../src/core/system/run-program.ts';
import type { CertificateStore } from '../tools/certificates.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { logLength, readAccessLog } from './access-log.ts';
import { storageOf, storagePrefix } from './files-in-memory.ts';
import { startFilesOrigin } from './files-origin.ts';
import type { HostsAsked, OriginAnswer } from './origin-probe.ts';
import { startOrigins } from './origin-processes.ts';
import {
  factorsAppliedBy,
  requireCoalescing,
  requireApplied,
  requireHttp3,
  requireKeyExchange,
  requirePriorities,
  settingsSeen,
} from './sender-settings.ts';
import { digestFact } from '../../src/core/system/program-digest.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import type { ServerProgram, ServerSoftware } from './server-software.ts';
import type { RunningServer, ServerProvider, ServerStartOptions } from './server.ts';
import { chooseTcpCongestion, inheritedSocket, tcpNote, type TcpCongestion } from './tcp-congestion.ts';
import { moduleFile } from '../../src/core/system/module-file.ts';

const startPatienceMs = 15_000;
const probePatienceMs = startPatienceMs + 10_000;

/** Makes of what a server's file says something that can be started. */
export function serverProvider(software: ServerSoftware, context: SetupContext): ServerProvider {
  const { id, title, quicCongestionControls } = software;
  return {
    id,
    title,
    quicCongestionControls,
    applies: factorsAppliedBy(software),
    require: async () => void (await software.ensure(context)),
    start: async (options) => start(software, await software.ensure(context), options, context),
  };
}

/** Those that there are, ready to be started. */
export function providersOf(
  software: readonly (ServerSoftware | undefined)[],
  context: SetupContext,
): ServerProvider[] {
  return software.flatMap((each) => (each === undefined ? [] : serverProvider(each, context)));
}

async function start(
  software: ServerSoftware,
  program: ServerProgram,
  options: ServerStartOptions,
  context: SetupContext,
): Promise<RunningServer> {
  requireApplied(options.settings ?? {}, software);
  requireKeyExchange(options.settings?.keyexchange, program.lacksHybrid);
  if (software.echoesMessages !== true && options.roots.some(({ messages }) => messages === true))
    throw new H2h3Error('unsupported', `${software.name} echoes no messages`);
  const answered = options.roots.find(({ origin }) => origin !== undefined);
  if (software.scope !== undefined && answered !== undefined)
    throw new H2h3Error(
      'unsupported',
      `${software.name} hands out files, and ${answered.host} is answered by a program`,
    );
  const port = await claimPort(options);
  const quic = program.quicCongestionControl ?? quicCongestionOf(software, options.congestion);
  const wanted = options.congestion ?? options.tcpCongestionControl;
  const congestion = await chooseTcpCongestion(
    wanted === undefined ? quic : wanted,
    ...([software, program, options, port, context] as const),
  );
  const backends = await startBackends(software, options, context);
  const accessLogFile = path.join(options.workDir, 'access.log');
  const parts = {
    software,
    program,
    options,
    port,
    congestion,
    quic,
    accessLogFile,
    sockets: backends.sockets,
  };
  const { server, answer, entriesFile, seen } = await startAnswering(parts, backends.filesPid).catch(
    async (thrown: unknown) => {
      await backends.stop();
      throw thrown;
    },
  );
  return {
    description: {
      ...describeServer(parts, answer),
      ...(await digestFact(program.command.at(-1) ?? '', context.cache.directory)),
      ...seen,
    },
    address: options.address,
    port,
    pid: server.pid,
    warnings: software.warningsIn?.(await server.log()) ?? [],
    mark: () => logLength(entriesFile),
    entriesSince: (mark, awaited) => readAccessLog(entriesFile, software.parseLogLine, mark, awaited),
    ledgerSince: backends.ledgerSince,
    appLedgerSince: backends.appLedgerSince,
    relayLogSince: backends.relayLogSince,
    arrivedSince: backends.arrivedSince,
    deadBehind: backends.dead,
    alive: () => server.alive() && backends.alive(),
    stop: async () => {
      await server.stop();
      await backends.stop();
    },
  };
}

interface StartParts {
  readonly software: ServerSoftware;
  readonly program: ServerProgram;
  readonly options: ServerStartOptions;
  readonly port: number;
  readonly congestion: TcpCongestion;
  readonly quic: string;
  readonly accessLogFile: string;
  readonly sockets: ReadonlyMap<string, string>;
}

type Backends = Awaited<ReturnType<typeof startOrigins>> & {
  /** Of the program that hands out the files, where that is not the server itself. */
  readonly filesPid?: number;
};

/** The programs that answer behind the server: origins of recorded sites, and the files where it has none itself. */
async function startBackends(
  { servesFiles }: ServerSoftware,
  options: ServerStartOptions,
  context: SetupContext,
): Promise<Backends> {
  if (options.upstream !== undefined) return noBackends;
  const origins = await startOrigins(options);
  const files = options.roots.filter(({ origin }) => origin === undefined);
  if (servesFiles || files.length === 0) return origins;
  try {
    const { socket, process } = await startFilesOrigin(options, context);
    return {
      ...origins,
      sockets: new Map([...origins.sockets, ...files.map(({ host }) => [host, socket] as const)]),
      filesPid: process.pid,
      alive: () => process.alive() && origins.alive(),
      stop: async () => {
        await process.stop();
        await origins.stop();
      },
    };
  } catch (thrown) {
    await origins.stop();
    throw thrown;
  }
}

/** After a proxy comes the next hop, which is no program of its own. */
const noBackends: Backends = {
  sockets: new Map(),
  ledgerSince: () => Promise.resolve(undefined),
  appLedgerSince: () => Promise.resolve(undefined),
  relayLogSince: () => Promise.resolve(undefined),
  arrivedSince: () => Promise.resolve(undefined),
  dead: () => undefined,
  alive: () => true,
  stop: () => Promise.resolve(),
};

/** The algorithm asked for where its QUIC has it, else its own default. */
function quicCongestionOf({ quicCongestionControls }: ServerSoftware, asked: string | undefined): string {
  const [first = 'unknown'] = quicCongestionControls;
  return asked !== undefined && quicCongestionControls.includes(asked) ? asked : first;
}

interface Answering {
  readonly server: ServerProcess;
  readonly answer: OriginAnswer;
  readonly entriesFile: string;
  /** What it does of what was asked of it. */
  readonly seen: Partial<ServerDescription>;
}

async function startAnswering(parts: StartParts, filesPid: number | undefined): Promise<Answering> {
  const { software, program, options, port, congestion, quic, accessLogFile, sockets } = parts;
  const {
    args,
    environment = {},
    logsToOutput = false,
  } = await software.configure({
    program,
    options,
    port,
    accessLogFile,
    sockets,
    certificates: await certificatesOf(options),
    inheritedTcpSocket: congestion.wrapper.length > 0 ? inheritedSocket : null,
    tcpCongestionControl: congestion.byServer ? congestion.wanted : null,
    quicCongestionControl: quic,
  });
  const logFile = path.join(options.workDir, `${software.id}.log`);
  const isOrigin = options.upstream === undefined;
  const storage = isOrigin && software.servesFiles ? await storagePrefix(options) : [];
  const server = await startServerProcess({
    name: software.name,
    command: [...options.launchPrefix, ...storage, ...congestion.wrapper, ...program.command, ...args],
    environment: { ...options.environment, ...environment },
    logFile,
  });
  const answer = await awaitAnswer(server, parts);
  try {
    const stored = isOrigin ? await storageOf(filesPid ?? server.pid, options) : undefined;
    const said = software.seenIn?.(await server.log()) ?? {};
    requirePriorities(options.settings?.priorities, said.obeysPriorities);
    requireCoalescing(
      options.settings?.coalescing,
      [...pagesOf(options.roots).values()],
      answer.certificates,
    );
    requireHttp3(answer.withoutHttp3);
    const seen = {
      ...settingsSeen(options.settings ?? {}, answer),
      ...said,
      ...(stored === undefined ? {} : { storage: stored }),
    };
    return { server, answer, entriesFile: logsToOutput ? logFile : accessLogFile, seen };
  } catch (thrown) {
    await server.stop();
    throw thrown;
  }
}

/** Hosts by what they are loaded for. */
function pagesOf(roots: ServerStartOptions['roots']): ReadonlyMap<string, readonly string[]> {
  const byWorkload = Map.groupBy(roots, ({ host, workload = host }) => workload);
  return new Map([...byWorkload].map(([workload, those]) => [workload, those.map(({ host }) => host)]));
}

/** The leaf of each host of the roots, as factors say. */
function certificatesOf({
  roots,
  certificates,
  settings = {},
}: ServerStartOptions): Promise<Awaited<ReturnType<CertificateStore['filesFor']>>[]> {
  const { certificate, keytype, certificatecompression, coalescing } = settings;
  const form = {
    ...certificate,
    ...(keytype !== undefined && { keyType: keytype }),
    // The same certificate whether it is compressed or not.
    ...(certificatecompression !== undefined && { compressible: true }),
    ...(coalescing !== undefined && { byAuthority: true }),
  };
  const pages = pagesOf(roots);
  return Promise.all(
    roots.map(({ host, workload = host, messages = false }) => {
      const names = pages.get(workload) ?? [];
      return certificates.filesFor(host, {
        ...form,
        ...(coalescing === 'on' && { names }),
        ...(messages && { shortLived: true }),
      });
    }),
  );
}

function describeServer(
  { software, program, congestion, quic }: StartParts,
  answer: OriginAnswer,
): ServerDescription {
  const { wanted, wrapper, byServer } = congestion;
  const set = wrapper.length > 0 || byServer ? wanted : null;
  const note = tcpNote(congestion, answer.tcpCongestionControl);
  return {
    id: software.id,
    name: software.name,
    version: program.version,
    ...(program.origin === undefined ? {} : { origin: program.origin }),
    ...(program.integrity === undefined ? {} : { integrity: program.integrity }),
    quicCongestionControl: quic,
    ...(program.quicCongestionControl === undefined ? {} : { quicCongestionControlReadBack: true }),
    ...(software.upstreamProtocol === undefined ? {} : { upstreamProtocol: software.upstreamProtocol }),
    ...(software.obeysPriorities === undefined ? {} : { obeysPriorities: [...software.obeysPriorities] }),
    // What is known of the usual algorithm says nothing of another one that the program has.
    ...(software.quicNote === undefined || !software.quicCongestionControls.includes(quic)
      ? {}
      : { quicCongestionControlNote: software.quicNote }),
    tcpCongestionControl:
      software.scope !== undefined
        ? noTcp
        : (answer.tcpCongestionControl ?? set ?? answer.defaultTcpCongestionControl ?? 'unknown'),
    ...(note === undefined ? {} : { tcpCongestionControlNote: note }),
  };
}

/** Runs one of the project's own programs where the server runs; it prints one line of JSON. */
async function runThere(
  file: string,
  args: readonly string[],
  options: ServerStartOptions,
): Promise<unknown> {
  const script = moduleFile(file, import.meta.url);
  const [program = '', ...rest] = [...options.launchPrefix, process.execPath, script, ...args];
  const result = await runProgram(program, rest, {
    timeoutMs: probePatienceMs,
    // Without what Node has compiled before, most of its time goes to compiling it again.
    environment: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...options.environment },
  });
  if (result.exitCode === 0) return JSON.parse(result.stdout);
  throw new H2h3Error('process-failed', `${path.basename(file)} failed where the server is to run`, {
    context: { command: [program, ...rest].join(' '), stderrTail: tailOf(result.stderr) },
  });
}

async function claimPort(options: ServerStartOptions): Promise<number> {
  const { address, port } = options;
  const claim = (await runThere(
    '../../src/core/system/port-claim.ts',
    [address, String(port ?? 0)],
    options,
  )) as PortClaim;
  if (claim.outcome === 'free') return claim.port;
  if (claim.outcome === 'failed')
    throw new H2h3Error('unsupported', `Cannot listen on ${address}: ${claim.message}`, {
      context: { address },
    });
  const holder = claim.holder === null ? 'another process' : claim.holder;
  throw new H2h3Error('usage', `Port ${port} is in use: ${holder} holds it for ${claim.protocol}`, {
    context: { address, expected: 'a port that is free for TCP and UDP', got: holder },
    next: 'Choose another port, or none to have a free one picked.',
  });
}

/** Hosts that must show that they are as factors say. */
function hostsAsked({ roots, settings = {} }: ServerStartOptions): HostsAsked {
  const hosts = roots.map(({ host }) => host);
  return {
    certificates: settings.coalescing === undefined ? [] : hosts,
    http3: settings.discovery === undefined ? [] : hosts,
  };
}

/** Waits until TCP and UDP both answer. @throws H2h3Error `process-failed` with the server's last lines when they do not. */
async function awaitAnswer(
  server: ServerProcess,
  { software, options, port }: StartParts,
): Promise<OriginAnswer> {
  const host = options.roots[0]?.host ?? 'localhost';
  const transports = software.scope === undefined ? 'tcp+udp' : 'udp';
  const hosts = JSON.stringify(hostsAsked(options));
  const words = [options.address, String(port), host, String(startPatienceMs), transports, hosts];
  const probe = runThere('./origin-probe.ts', words, options);
  try {
    const answer = (await Promise.race([probe, server.ended])) as OriginAnswer | undefined;
    if (answer !== undefined && answer.udp && answer.tcp !== false) return answer;
    const silent =
      answer === undefined ? 'it ended' : `no answer over ${answer.tcp === false ? 'TCP' : 'UDP'}`;
    throw new H2h3Error('process-failed', `${software.name} did not start: ${silent}`, {
      context: { address: options.address, port, stderrTail: await server.logTail() },
    });
  } catch (error) {
    await server.stop();
    throw error;
  }
}
