import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { H2h3Error } from '../../src/model/errors.ts';
import { ensureCaddy, isVersionAtLeast } from '../tools/caddy-binary.ts';
import type { CaddyBinary } from '../tools/caddy-binary.ts';
import { findOnPath } from '../../src/system/find-executable.ts';
import { runProgram, tailOf } from '../../src/system/run-program.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { logLength, readAccessLog } from './access-log.ts';
import { caddyConfig } from './caddy-config.ts';
import { startOrigins } from './origin-processes.ts';
import type { OriginAnswer } from './origin-probe.ts';
import type { PortClaim } from '../../src/system/port-claim.ts';
import { startServerProcess } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import type { RunningServer, ServerProvider, ServerStartOptions } from './server.ts';
import { moduleFile } from '../../src/system/module-file.ts';

/** quic-go has one sender, New Reno (`NewCubicSender` with `reno` true), and no switch for another. */
const quicCongestionControl = 'reno';
const startPatienceMs = 15_000;
const probePatienceMs = startPatienceMs + 10_000;
/** The first Caddy that takes listening sockets over from the process that starts it. */
const oldestWithInheritedSockets = '2.10.0';

interface TcpCongestion {
  /** Words that open the listening socket and then become the server; empty: the server opens it. */
  readonly wrapper: readonly string[];
  /** Why the wanted algorithm could not be set. */
  readonly reason?: string;
}

/** Caddy: H1, H2 and H3 on one port, static files. */
export function createCaddyProvider(context: SetupContext): ServerProvider {
  return {
    id: 'caddy',
    title: 'Caddy (quic-go): HTTP/1.1, HTTP/2 and HTTP/3 on one port, New Reno for QUIC',
    require: async () => void (await ensureCaddy(context)),
    start: async (options) => startCaddy(await ensureCaddy(context), options, context),
  };
}

async function startCaddy(
  binary: CaddyBinary,
  options: ServerStartOptions,
  context: SetupContext,
): Promise<RunningServer> {
  const port = await claimPort(options);
  const wanted =
    options.tcpCongestionControl === undefined ? quicCongestionControl : options.tcpCongestionControl;
  const congestion = await tcpCongestion(wanted, binary, options, port, context);
  const accessLogFile = path.join(options.workDir, 'access.log');
  const origins = await startOrigins(options);
  const configFile = await writeConfig(options, port, accessLogFile, congestion, origins.sockets);
  const server = await startServerProcess({
    name: 'Caddy',
    command: [...options.launchPrefix, ...congestion.wrapper, binary.path, 'run', '--config', configFile],
    environment: options.environment,
    logFile: path.join(options.workDir, 'caddy.log'),
  });
  const answer = await awaitAnswer(server, options, port).catch(async (thrown: unknown) => {
    await origins.stop();
    throw thrown;
  });
  const set = congestion.wrapper.length > 0;
  const note = tcpNote(wanted, set, congestion.reason);
  return {
    description: {
      id: 'caddy',
      name: 'Caddy',
      version: binary.version,
      quicCongestionControl,
      tcpCongestionControl: (set ? wanted : answer.defaultTcpCongestionControl) ?? 'unknown',
      ...(note === undefined ? {} : { tcpCongestionControlNote: note }),
    },
    address: options.address,
    port,
    pid: server.pid,
    warnings: warningsIn(await server.log()),
    mark: () => logLength(accessLogFile),
    entriesSince: (mark, awaited) => readAccessLog(accessLogFile, mark, awaited),
    ledgerSince: origins.ledgerSince,
    alive: () => server.alive() && origins.alive(),
    stop: async () => {
      await server.stop();
      await origins.stop();
    },
  };
}

/** Runs one of the programs beside this file where the server runs; it prints one line of JSON. */
async function runBeside(
  file: string,
  args: readonly string[],
  options: ServerStartOptions,
): Promise<unknown> {
  const script = moduleFile(file, import.meta.url);
  const [program = '', ...rest] = [...options.launchPrefix, process.execPath, script, ...args];
  const result = await runProgram(program, rest, {
    timeoutMs: probePatienceMs,
    environment: options.environment,
  });
  if (result.exitCode === 0) return JSON.parse(result.stdout);
  throw new H2h3Error('process-failed', `${path.basename(file)} failed where the server is to run`, {
    context: { command: [program, ...rest].join(' '), stderrTail: tailOf(result.stderr) },
  });
}

async function claimPort(options: ServerStartOptions): Promise<number> {
  const { address, port } = options;
  const claim = (await runBeside(
    '../../src/system/port-claim.ts',
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

/** Finds out whether the listening socket can be made with the wanted algorithm, by trying it once. */
async function tcpCongestion(
  wanted: string | null,
  binary: CaddyBinary,
  options: ServerStartOptions,
  port: number,
  context: SetupContext,
): Promise<TcpCongestion> {
  if (wanted === null) return { wrapper: [] };
  if (context.platform !== 'linux') return { wrapper: [], reason: 'only Linux lets a socket choose' };
  if (!isVersionAtLeast(binary.version, oldestWithInheritedSockets))
    return { wrapper: [], reason: `Caddy ${binary.version} cannot take a socket over` };
  const perl = await findOnPath('perl', context);
  if (perl === undefined) return { wrapper: [], reason: 'perl, which opens the socket, is not on PATH' };
  const script = fileURLToPath(new URL('./listen-with-congestion.pl', import.meta.url));
  const wrapper = [perl, script, wanted, options.address, String(port)];
  const [program = '', ...rest] = [...options.launchPrefix, ...wrapper, process.execPath, '--version'];
  const trial = await runProgram(program, rest, {
    timeoutMs: probePatienceMs,
    environment: options.environment,
  });
  return trial.exitCode === 0 ? { wrapper } : { wrapper: [], reason: tailOf(trial.stderr, 1) };
}

function tcpNote(wanted: string | null, set: boolean, reason: string | undefined): string | undefined {
  if (wanted === null) return undefined;
  if (set) return 'set on the listening socket alone, equal in kind to QUIC; the machine is as it was';
  return `the default of this machine, not ${wanted}: ${reason}`;
}

async function writeConfig(
  options: ServerStartOptions,
  port: number,
  accessLogFile: string,
  congestion: TcpCongestion,
  sockets: ReadonlyMap<string, string>,
): Promise<string> {
  const config = caddyConfig({
    roots: options.roots,
    sockets,
    address: options.address,
    port,
    certificates: await Promise.all(options.roots.map(({ host }) => options.certificates.filesFor(host))),
    storageDir: path.join(options.workDir, 'caddy-storage'),
    accessLogFile,
    inheritedTcpSocket: congestion.wrapper.length > 0 ? 3 : null,
  });
  const file = path.join(options.workDir, 'caddy.json');
  await writeFile(file, JSON.stringify(config, undefined, 1));
  return file;
}

/** Waits until TCP and UDP both answer. @throws H2h3Error `process-failed` with Caddy's last lines when they do not. */
async function awaitAnswer(
  server: ServerProcess,
  options: ServerStartOptions,
  port: number,
): Promise<OriginAnswer> {
  const host = options.roots[0]?.host ?? 'localhost';
  const probe = runBeside(
    './origin-probe.ts',
    [options.address, String(port), host, String(startPatienceMs)],
    options,
  );
  try {
    const answer = (await Promise.race([probe, server.ended])) as OriginAnswer | undefined;
    if (answer?.tcp === true && answer.udp) return answer;
    const silent = answer === undefined ? 'it ended' : `no answer over ${answer.tcp ? 'UDP' : 'TCP'}`;
    throw new H2h3Error('process-failed', `Caddy did not start: ${silent}`, {
      context: { address: options.address, port, stderrTail: await server.logTail() },
    });
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** What Caddy itself warns of at its start; quic-go says there when the kernel keeps UDP buffers small. */
function warningsIn(log: string): string[] {
  const warning = /failed to sufficiently increase (?:receive|send) buffer size[^"\n]*/g;
  return [...new Set(log.match(warning) ?? [])].map(
    (text) => `Caddy: ${text}; packets may be lost in the machine (sysctl net.core.rmem_max, wmem_max)`,
  );
}
