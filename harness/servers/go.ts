import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { jsonOf } from '../../src/core/model/bounded-json.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { messagesPath } from '../../src/core/model/message-transport.ts';
import { messageCountsSchema, type ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import { serverNames } from '../../src/core/model/server-names.ts';
import { unkeptEnding } from '../../src/core/model/unkept-files.ts';
import { fromBuilt, runBuildStep, type ProgramSource } from '../tools/built-program.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { announcedOf, askedOf } from './access-log.ts';
import { contentTypes } from './content-types.ts';
import { quicGoEcn } from './quic-go-ecn.ts';
import type { ServerLaunch, ServerLayout, ServerProgram, ServerSoftware } from './server-software.ts';
import {
  altSvc,
  cacheControl,
  documentCacheControl,
  handedAbort,
  handedVia,
  unkeptCacheControl,
} from './static-headers.ts';

const sourceDir = fileURLToPath(new URL('go-origin/', import.meta.url));
const versionLimitMs = 20_000;

/** Versions stand in `go-origin/go.mod`; an older Go fetches the one that it names. */
export const goOriginProgram: ProgramSource = {
  name: 'go-origin',
  sourceDir,
  needs: ['go'],
  patience: 'one to three minutes',
  build: (target, context) => {
    const file = path.join(target, context.platform === 'win32' ? 'go-origin.exe' : 'go-origin');
    const words = ['go', 'build', '-C', sourceDir, '-o', file, '.'];
    return runBuildStep(words, { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'auto' }, context);
  },
};

/** Go's own servers, which obey priorities on both protocols or on neither. */
export const go: ServerSoftware = {
  id: 'go',
  name: serverNames.go,
  title:
    'Go (net/http and quic-go): HTTP/1.1, HTTP/2 and HTTP/3 on one port, New Reno for QUIC; obeys priorities on both protocols, or on neither; echoes messages',
  quicCongestionControls: ['reno'],
  tcpCongestion: { notInheritedReason: () => null },
  applies: ['tls', 'priorities', 'initialwindow'],
  quicTakesNoEarlyData: true,
  obeysPriorities: ['h2', 'h3'],
  ecnOverQuic: 'unless-off',
  echoesMessages: true,
  servesFiles: true,
  ...fromBuilt(goOriginProgram, programAt),
  configure,
  parseLogLine: parseGoLine,
  seenIn: prioritiesSeenIn,
};

/** It says `1.27.0 quic-go 0.65.0`: the version of Go is its own. */
async function programAt(file: string, context: SetupContext): Promise<ServerProgram> {
  const { stdout } = await context.run(file, ['-version'], { timeoutMs: versionLimitMs });
  return { command: [file], version: stdout.trim(), place: file };
}

async function configure(layout: ServerLayout): Promise<ServerLaunch> {
  const { options, port, accessLogFile, sockets, certificates, inheritedTcpSocket } = layout;
  const { priorities, tls, ecn, initialwindow } = options.settings ?? {};
  const echoes = options.roots.some(({ messages }) => messages === true);
  if (echoes && priorities === 'off')
    throw new H2h3Error(
      'unsupported',
      'go without priorities does not read what opens a session of messages',
    );
  const config = {
    address: options.address,
    port,
    inheritedSocket: inheritedTcpSocket ?? 0,
    accessLog: accessLogFile,
    hosts: options.roots.map(({ host, directory, messages }, index) => ({
      name: host,
      directory,
      ...certificates[index],
      ...(sockets.has(host) ? { socket: sockets.get(host) } : {}),
      ...(messages === true ? { messages } : {}),
    })),
    priorities: priorities !== 'off',
    ...(tls === undefined ? {} : { newestTLS: tls }),
    ...(initialwindow === undefined ? {} : { initialWindowPackets: initialwindow.packets }),
    altSvc: altSvc(port),
    cacheControl,
    documentCacheControl,
    unkept: { ending: unkeptEnding, cacheControl: unkeptCacheControl },
    contentTypes,
    handedVia,
    handedAbort,
    messagesPath,
  };
  const file = path.join(options.workDir, 'go-origin.json');
  await writeFile(file, JSON.stringify(config));
  // By it net/http takes WebSockets on streams of HTTP/2 (RFC 8441).
  const webSockets = echoes ? { GODEBUG: 'http2xconnect=1' } : {};
  return {
    args: ['-config', file],
    environment: { ...quicGoEcn(ecn).environment, ...webSockets, ...plantedFault() },
  };
}

/** Of tests: what `planted-faults.go` does wrong on purpose. The program's version names it. */
function plantedFault(): Readonly<Record<string, string>> {
  const name = process.env['H2H3_PLANTED_FAULT'];
  return name === undefined ? {} : { H2H3_PLANTED_FAULT: name };
}

const saidSchema = z.object({ prioritiesOverTCP: z.boolean(), prioritiesOverQUIC: z.boolean() });

/** What its servers were given, by the line that it begins with. */
function prioritiesSeenIn(log: string): ReturnType<NonNullable<ServerSoftware['seenIn']>> {
  for (const line of log.split('\n')) {
    const said = saidSchema.safeParse(jsonOf(line));
    if (!said.success) continue;
    const { prioritiesOverTCP, prioritiesOverQUIC } = said.data;
    return {
      obeysPriorities: [
        ...(prioritiesOverTCP ? (['h2'] as const) : []),
        ...(prioritiesOverQUIC ? (['h3'] as const) : []),
      ],
    };
  }
  return {};
}

const lineSchema = z.object({
  startEpochMs: z.number(),
  durationMs: z.number(),
  protocol: z.string(),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  status: z.number(),
  bytes: z.number(),
  /** The answer's Content-Length, empty where it had none. */
  announced: z.string(),
  client: z.string().optional(),
  port: z.string(),
  resumed: z.boolean(),
  cipher: z.string(),
  priority: z.string().nullable(),
  messages: messageCountsSchema.optional(),
});

/** One line of its access log; undefined for a line that is none (torn by a full disk). */
export function parseGoLine(line: string): ServerLogEntry | undefined {
  const parsed = lineSchema.safeParse(jsonOf(line));
  if (!parsed.success) return undefined;
  const { announced, client, port, priority, host, path, method, protocol, messages, ...entry } = parsed.data;
  return {
    ...entry,
    ...askedOf({ host, uri: path, method, protocol, client, port, priority }),
    ...announcedOf(announced),
    ...(messages === undefined ? {} : { messages }),
  };
}
