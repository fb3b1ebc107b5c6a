import { z } from 'zod';
import { ownEntry } from '../../../src/core/model/own-entry.ts';
import type { ArmProtocol, Protocol } from '../../../src/core/model/protocol.ts';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { bracketed } from '../../../src/core/model/wire-address.ts';
import { debianTreeIn, fromDebianTree, type DebianTree } from '../../tools/debian-tree.ts';
import type { SetupContext } from '../../tools/setup-context.ts';
import { versionedPrograms } from '../../tools/versions/catalogue.ts';
import type { CommandClient, CommandRequest, CommandTransfer } from './command-client.ts';

const program = 'usr/bin/curl';
/** curl of Debian's backports, which has HTTP/3 by ngtcp2. */
const withNgtcp2 = {
  name: 'curl',
  suite: 'trixie-backports',
  from: ['trixie', 'trixie-backports'],
  packages: ['curl'],
  programs: [program],
  downloadMegabytes: 10,
} as const;
/** curl of Debian 13, by OpenSSL's QUIC, a back end that curl has removed (curl/curl#20226); the one of Debian 12 has no HTTP/3. */
const withOpenSsl = { ...withNgtcp2, suite: 'trixie', from: ['trixie'], downloadMegabytes: 17 } as const;

const launcherOf = (tree: DebianTree): string => tree.launcher(program);
const newer = fromDebianTree(withNgtcp2, launcherOf);
const older = fromDebianTree(withOpenSsl, launcherOf);

/** The back end that is to be had; OpenSSL's where the mirror has no backports. */
async function ensureCurl(context: SetupContext): Promise<string> {
  try {
    return await newer.ensure(context);
  } catch (thrown) {
    if (context.signal.aborted || !(thrown instanceof H2h3Error)) throw thrown;
    const file = await older.ensure(context);
    context.progress({ title: `curl with OpenSSL’s QUIC was fetched: ${thrown.message}` });
    return file;
  }
}

/** Which library makes HTTP/3, out of the first line of `curl --version`: `ngtcp2 1.22.1`; empty where none is named. */
function quicLibraryOf(text: string): string {
  const [line = ''] = text.split('\n');
  for (const name of ['ngtcp2', 'quiche', 'msh3', 'OpenSSL']) {
    const version = new RegExp(`\\b${name}/(\\S+)`, 'i').exec(line)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return '';
}

/** `auto` is what curl does unasked: HTTP/2 or 1.1 by ALPN. */
const protocolOptions: Readonly<Record<ArmProtocol, readonly string[]>> = {
  h1: ['--http1.1'],
  h2: ['--http2'],
  h3: ['--http3-only'],
  auto: [],
};

/** curl's largest number of transfers at a time. */
const maxParallel = 300;

/** Of `--write-out '%{json}'`: times in seconds from the beginning of the transfer (https://curl.se/docs/manpage.html#-w). */
const writtenSchema = z.object({
  url: z.string(),
  http_code: z.number(),
  http_version: z.string(),
  content_type: z.string().nullable().default(null),
  size_download: z.number(),
  size_upload: z.number().default(0),
  size_header: z.number(),
  time_namelookup: z.number(),
  time_connect: z.number(),
  time_appconnect: z.number(),
  time_pretransfer: z.number(),
  time_starttransfer: z.number(),
  time_total: z.number(),
  exitcode: z.number().default(0),
  errormsg: z.string().nullable().default(null),
});

const versionNames: Readonly<Record<string, string>> = {
  '1': 'http/1.0',
  '1.1': 'http/1.1',
  '2': 'h2',
  '3': 'h3',
};

/** Over TCP a connection that cannot move is begun anew whatever is asked for. */
const beginAnew = ['move', 'reconnect', 'restart', 'rebind'] as const;
/** What it says to people on standard error, besides its account. */
const spoken = /^(?:curl: |Warning: )/;
const bodyIsRead = ({ factors }: CommandRequest): boolean => factors?.migration !== undefined;

/** Without a type named it would say that the body is a form. */
function bodyOptions({ body }: CommandRequest): string[] {
  if (body === undefined) return [];
  const type = body.contentType === '' ? 'Content-Type:' : `Content-Type: ${body.contentType}`;
  return ['--data-binary', `@${body.file}`, '--header', type];
}

function resolveOptions({ urls, server, nameService }: CommandRequest): string[] {
  // The resolver's certificate is our own, too.
  if (nameService !== undefined) return ['--doh-url', nameService, '--doh-insecure'];
  if (server === null) return [];
  const places = new Set(urls.map((url) => `${new URL(url).hostname}:${new URL(url).port || '443'}`));
  return [...places].flatMap((place) => ['--resolve', `${place}:${bracketed(server.address)}`]);
}

function transferOf(line: string): CommandTransfer {
  const written = writtenSchema.parse(JSON.parse(line));
  const ms = (seconds: number): number => seconds * 1000;
  const failed = written.exitcode !== 0 || written.http_code === 0;
  const connectEndMs = ms(written.time_appconnect > 0 ? written.time_appconnect : written.time_connect);
  return {
    url: written.url,
    status: written.http_code,
    protocol: ownEntry(versionNames, written.http_version) ?? '',
    bodyBytes: written.size_download,
    sentBytes: written.size_upload,
    headerBytes: written.size_header,
    mimeType: written.content_type ?? '',
    connectStartMs: connectEndMs > 0 ? ms(written.time_namelookup) : 0,
    connectEndMs,
    requestStartMs: ms(written.time_pretransfer),
    responseStartMs: ms(written.time_starttransfer),
    endMs: ms(written.time_total),
    ...(failed ? { error: written.errormsg ?? `curl's exit code ${written.exitcode}` } : {}),
  };
}

/** Above those that connections choose unasked. */
const ownPorts = '61000-65000';

const firstByteOf = (request: CommandRequest): CommandRequest => ({
  ...request,
  urls: request.urls.slice(0, 1),
  flags: [...request.flags, '--range', '0-0'],
});

/** What one transfer, or several at once, are asked for with. */
function wordsOf(request: CommandRequest): string[] {
  return [
    '--silent',
    '--show-error',
    '--noproxy',
    '*',
    ...protocolOptions[request.protocol],
    ...resolveOptions(request),
    // The certificate is our own: what must be right is its key.
    ...(request.spkiHash === '' ? [] : ['--insecure', '--pinnedpubkey', `sha256//${request.spkiHash}`]),
    '--max-time',
    request.limitSeconds.toFixed(3),
    ...(request.urls.length > 1 ? ['--parallel', '--parallel-max', String(maxParallel)] : []),
    // With a body on standard output its account goes to standard error.
    '--write-out',
    `${bodyIsRead(request) ? '%{stderr}' : ''}%{json}\\n`,
    ...(request.factors?.keyexchange === 'x25519' ? ['--curves', 'X25519'] : []),
    ...bodyOptions(request),
    ...request.flags,
    ...request.urls.flatMap((url) => ['--output', bodyIsRead(request) ? '-' : '/dev/null', url]),
  ];
}

export const curl: CommandClient = {
  id: 'curl',
  title: 'curl',
  programs: ['curl'],
  installHint: 'Debian: npx h2h3 setup --system',
  tool: {
    protocols: ['h1', 'h2', 'h3'],
    find: async (context) => (await newer.find(context)) ?? older.find(context),
    ensure: ensureCurl,
  },
  versions: {
    program: versionedPrograms.curl,
    fileIn: (directory, context) => debianTreeIn(directory, context).launcher(program),
  },
  parseVersion: (text) => {
    const features = /^Features:(.*)$/m.exec(text)?.[1] ?? '';
    const has = (feature: string): boolean => features.split(/\s+/).includes(feature);
    const protocols: Protocol[] = ['h1'];
    if (has('HTTP2')) protocols.push('h2');
    if (has('HTTP3')) protocols.push('h3');
    const quicLibrary = protocols.includes('h3') ? quicLibraryOf(text) : '';
    return {
      version: /^curl (\S+)/.exec(text)?.[1] ?? '',
      protocols,
      ...(quicLibrary === '' ? {} : { quicLibrary }),
    };
  },
  arguments: (request) =>
    request.factors?.resume === undefined
      ? ['--disable', ...wordsOf(request)]
      : // In one process, which keeps sessions and not connections: the second begins at a port of its own choice.
        [
          '--disable',
          ...wordsOf(firstByteOf(request)),
          '--next',
          ...wordsOf({ ...request, flags: [...request.flags, '--local-port', ownPorts] }),
        ],
  transfers: (text, { factors }) => {
    const told = text.split('\n').filter((line) => line.trim() !== '' && !spoken.test(line));
    const transfers = told.map(transferOf);
    if (factors?.resume === undefined) return transfers;
    const [before, ...resumed] = transfers;
    if (before === undefined || before.error !== undefined)
      throw new Error(`the connection before: ${before?.error ?? 'nothing was told of it'}`);
    const resumption = { resumed: null, earlyData: false, ticketBytes: before.bodyBytes };
    return resumed.map((transfer) => ({ ...transfer, resumption }));
  },
  applies: ['migration', 'resume', 'family', 'aaaa', 'resolver'],
  stack: { certificateCompressions: ['zlib', 'zstd'] },
  uploads: true,
  // OpenSSL's QUIC as curl has it offers no ticket (curl 8.14.1: Caddy's log never says that it was resumed). ngtcp2's was not tried.
  resumes: { over: ['h1', 'h2'], earlyData: false },
  migrations: { h1: beginAnew, h2: beginAnew, h3: ['reconnect', 'restart'] },
  restartArguments: (address, fromByte) => [
    '--interface',
    address,
    ...(fromByte === 0 ? [] : ['--continue-at', String(fromByte)]),
  ],
  unansweredBy: [
    {
      // https://github.com/curl/curl/issues/18336 has the same with another server of QUICHE's.
      library: 'OpenSSL',
      fronts: ['envoy'],
      reason:
        'curl with OpenSSL’s QUIC gets no answer from Envoy’s QUICHE in most loads (30 of 40 gave nothing within 8 s; curl’s known bug 18336)',
    },
    {
      // It sends its ClientHello in many small pieces out of order, and that server never answers them (docs/clients-and-servers.md).
      library: 'ngtcp2',
      fronts: ['haproxy', 'haproxy@3.0'],
      reason:
        'curl with ngtcp2 gets no connection to HAProxy 3.0 in most loads (11 of 14 gave nothing within 10 s: it answers no ClientHello in small pieces). To haproxy@3.2 it gets one',
    },
  ],
  doubtedLibrary: (library) =>
    library.startsWith('OpenSSL')
      ? 'HTTP/3 by OpenSSL’s QUIC, a back end that curl removed in January 2026 (curl/curl#20226). Results are not those of a curl of today, which has ngtcp2: npx h2h3 setup --system'
      : undefined,
  timeLimitExitCode: 28,
};
