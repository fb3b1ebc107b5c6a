import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { maxHeaderBytes } from '../../src/core/model/message-head.ts';
import type { SiteRoot } from '../../src/core/model/workload.ts';
import { endpoint } from '../../src/core/model/wire-address.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { serverNames } from '../../src/core/model/server-names.ts';
import { unkeptEnding } from '../../src/core/model/unkept-files.ts';
import { doesNotStart, fromDebianTree, debianTreeLack, type DebianTree } from '../tools/debian-tree.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { versionedPrograms } from '../tools/versions/catalogue.ts';
import { wantedIsAtLeast } from '../tools/versions/program-name.ts';
import { contentTypes } from './content-types.ts';
import { nginxLogFormat, parseNginxLine } from './nginx-log.ts';
import { hybridLack } from './openssl-groups.ts';
import { cipherSuites, keyExchanges, type SenderSettings } from './sender-settings.ts';
import type { ServerLaunch, ServerLayout, ServerProgram, ServerSoftware } from './server-software.ts';
import {
  abortStatus,
  altSvc,
  cacheControl,
  documentCacheControl,
  handedVia,
  unkeptCacheControl,
} from './static-headers.ts';
import { anyAddress } from './server.ts';

const debian = {
  name: 'nginx',
  suite: 'trixie',
  packages: ['nginx', 'libnginx-mod-http-brotli-static'],
  programs: ['usr/sbin/nginx'],
  downloadMegabytes: 11,
} as const;
const brotliModule = 'usr/lib/nginx/modules/ngx_http_brotli_static_module.so';
const timeoutMs = 10_000;
const streamBuffer = '8m';

/**
 * nginx writes its process title over its environment, where the run's marker stands, so that nothing finds it by that
 * when the run was killed. So the kernel is told to end it with the process that started it (setpriv(1), util-linux).
 */
const endsWithRun = ['setpriv', '--pdeathsig', 'TERM', '--'];

/** From this version on its QUIC runs CUBIC (https://nginx.org/en/CHANGES). */
const firstWithCubic = '1.27.5';

/** From this version on it says whether certificates are compressed, and takes early data over QUIC. */
const firstWithCompression = '1.29.1';

const applies: ServerSoftware['applies'] = ['cipher', 'tls', 'keyexchange'];

const fromTree = fromDebianTree(debian, ofTree);

/** nginx 1.26 of Debian 13 where no version is named, whose QUIC is its own. */
export const nginx: ServerSoftware = {
  id: 'nginx',
  name: serverNames.nginx,
  title:
    'nginx (its own QUIC): HTTP/1.1, HTTP/2 and HTTP/3 on one port, New Reno for QUIC by its own account',
  quicCongestionControls: ['reno'],
  quicNote:
    'New Reno by its own account; before 1.27.5 it hardly slows down on random loss, as npx h2h3 bench-harness --only congestion shows',
  quicBearsLoss: true,
  // A process that finds listening sockets' numbers in NGINX takes them over, as at an upgrade of the program.
  tcpCongestion: { notInheritedReason: () => null },
  applies: [...applies, 'sendwindow'],
  lacks: { initialwindow: 'has no directive for the initial window of its QUIC' },
  resumption: { earlyDataOver: ['h1', 'h2'] },
  // Over HTTP/2 the tree of RFC 7540, which Chromium still fills.
  obeysPriorities: ['h2'],
  ecnOverQuic: 'never',
  certificateCompressions: ['zlib', 'zstd'],
  servesFiles: true,
  versions: {
    program: versionedPrograms.nginx,
    differs: (wanted) => ({
      ...(wantedIsAtLeast(wanted, firstWithCubic) && {
        title: 'nginx (its own QUIC): HTTP/1.1, HTTP/2 and HTTP/3 on one port, CUBIC for QUIC',
        quicCongestionControls: ['cubic'],
        quicNote: undefined,
        quicBearsLoss: false,
      }),
      ...(wantedIsAtLeast(wanted, firstWithCompression) && {
        applies: [...applies, 'sendwindow', 'certificatecompression'],
        resumption: { earlyDataOver: ['h1', 'h2', 'h3'] },
      }),
    }),
    programIn: fromTree.programIn,
  },
  find: async (context) => (await fromTree.find(context)) ?? installedNginx(context),
  ensure: async (context) => {
    if ((await debianTreeLack(context)) === undefined) return fromTree.ensure(context);
    const installed = await installedNginx(context);
    if (installed !== undefined) return installed;
    throw new H2h3Error('unsupported', 'There is no nginx with HTTP/3 here', {
      context: { got: (await debianTreeLack(context)) ?? '' },
      next: 'Install nginx 1.26 or newer built with http_v3_module and put it on PATH.',
    });
  },
  configure,
  parseLogLine: parseNginxLine,
};

async function ofTree(tree: DebianTree, context: SetupContext): Promise<ServerProgram> {
  const command = [...endsWithRun, ...tree.command('usr/sbin/nginx')];
  const about = await aboutNginx(command, context);
  if (about === undefined) throw doesNotStart('nginx', tree);
  return programOf(about, command, tree.directory, path.join(tree.directory, 'usr/sbin/nginx'));
}

/** The machine's own, if it speaks HTTP/3. */
async function installedNginx(context: SetupContext): Promise<ServerProgram | undefined> {
  const searchPath = `${context.environment['PATH'] ?? ''}:/usr/sbin`;
  const place = { platform: context.platform, environment: { PATH: searchPath } };
  const file = await findOnPath('nginx', place);
  if (file === undefined) return undefined;
  const command = [...endsWithRun, file];
  const about = await aboutNginx(command, context);
  return about?.http3 === true ? programOf(about, command, file, file) : undefined;
}

interface AboutNginx {
  readonly version: string;
  readonly http3: boolean;
  readonly lacksHybrid: string | undefined;
}

async function programOf(
  { version, lacksHybrid }: AboutNginx,
  command: readonly string[],
  place: string,
  executable: string,
): Promise<ServerProgram> {
  const quicCongestionControl = quicCongestionIn(await readFile(executable));
  const read = quicCongestionControl === undefined ? {} : { quicCongestionControl };
  return { command, version, place, ...read, ...(lacksHybrid === undefined ? {} : { lacksHybrid }) };
}

/**
 * The congestion control of its QUIC by the debug lines that the program holds: before 1.27.5 those of one algorithm that names no
 * other, later those of CUBIC, which computes New Reno next to it (RFC 9438, 4.3). Undefined where it was built without them.
 */
export function quicCongestionIn(executable: Buffer): string | undefined {
  if (executable.includes('quic congestion ack cubic')) return 'cubic';
  return executable.includes('quic congestion avoidance') ? 'reno' : undefined;
}

async function aboutNginx(
  command: readonly string[],
  context: SetupContext,
): Promise<AboutNginx | undefined> {
  const [program = '', ...rest] = command;
  const { stderr } = await context.run(program, [...rest, '-V'], { timeoutMs });
  const version = /nginx\/(\d+\.\d+\.\d+)/.exec(stderr)?.[1];
  if (version === undefined) return undefined;
  return { version, http3: stderr.includes('http_v3_module'), lacksHybrid: hybridLack('nginx', stderr) };
}

async function configure(layout: ServerLayout): Promise<ServerLaunch> {
  const { options, inheritedTcpSocket } = layout;
  const file = path.join(options.workDir, 'nginx.conf');
  await writeFile(file, nginxConfig(layout));
  const prefix = options.workDir.endsWith('/') ? options.workDir : `${options.workDir}/`;
  return {
    args: ['-p', prefix, '-c', file, '-e', 'stderr'],
    ...(inheritedTcpSocket === null ? {} : { environment: { NGINX: `${inheritedTcpSocket};` } }),
  };
}

/** One word of the configuration: no letter in it is syntax. A dollar sign would begin a variable: it is one itself. */
const nginxWord = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('$', '${h2h3_dollar}')}"`;

/** The configuration file (https://nginx.org/en/docs/): one worker, the bytes of the files as they are. */
export function nginxConfig(layout: ServerLayout): string {
  const { options, port, sockets, certificates, accessLogFile, program } = layout;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${nginxWord(path.join(options.workDir, `nginx-${name}`))};`,
  );
  const module = program.place.endsWith('/nginx') ? null : path.join(program.place, brotliModule);
  const first = certificates[0];
  return [
    ...(module === null ? [] : [`load_module ${nginxWord(module)};`]),
    'daemon off;',
    'worker_processes 1;',
    // A worker of another user could not read the sites' folders; a user other than root has no choice anyway.
    ...(process.getuid?.() === 0 ? ['user root root;'] : []),
    `pid ${nginxWord(path.join(options.workDir, 'nginx.pid'))};`,
    'worker_rlimit_nofile 65536;',
    'events { worker_connections 16384; }',
    'http {',
    `  log_format h2h3 escape=json '${nginxLogFormat}';`,
    `  access_log ${nginxWord(accessLogFile)} h2h3;`,
    ...temporary,
    '  geo $h2h3_dollar { default "$"; }',
    `  map $uri $h2h3_cache { default "${cacheControl}"; "~\\.html?$" "${documentCacheControl}"; "~/$" "${documentCacheControl}"; "~\\.${unkeptEnding}$" "${unkeptCacheControl}"; }`,
    '  map $http_host $h2h3_authority { default $http_host; "" $host; }',
    '  map $http_upgrade $h2h3_upgrading { default upgrade; "" ""; }',
    ...typeLines(),
    '  default_type application/octet-stream;',
    '  sendfile on;',
    '  tcp_nopush on;',
    '  etag on;',
    '  gzip_static on;',
    '  gzip_vary on;',
    ...(module === null ? [] : ['  brotli_static on;']),
    `  keepalive_timeout ${(options.settings?.resume?.endsIdleAfterMs ?? 3_600_000) / 1000}s;`,
    '  keepalive_requests 1000000;',
    // One field fits one of them.
    `  large_client_header_buffers 4 ${maxHeaderBytes};`,
    // Names with `_` and `.` are names of HTTP (RFC 9110, 5.6.2), and pass without a server in front too.
    '  underscores_in_headers on;',
    '  ignore_invalid_headers off;',
    '  client_max_body_size 0;',
    '  server_names_hash_bucket_size 512;',
    '  server_names_hash_max_size 8192;',
    ...tlsLines(options.settings ?? {}),
    ...handshakeLines(options.settings ?? {}),
    '  http2 on;',
    '  http3 on;',
    '  quic_gso on;',
    // With the default of 64 KB a stream waits for acknowledgements of what little is under way.
    `  http3_stream_buffer_size ${options.settings?.sendwindow?.bytes ?? streamBuffer};`,
    // RFC 9110, 15.5.20: a host that this origin does not answer for.
    ...(first === undefined ? [] : serverBlock(layout, null, first, ['return 421;'])),
    ...options.roots.flatMap(({ host, directory, origin }, index) => {
      const certificate = certificates[index];
      const socket = sockets.get(host);
      if (certificate === undefined) return [];
      const answer = socket === undefined ? filesLines(directory) : originLines(socket, port, origin?.kind);
      return serverBlock(layout, host, certificate, answer);
    }),
    '}',
    '',
  ].join('\n');
}

/** One cipher suite is one of TLS 1.3, which QUIC has too. */
function tlsLines({ cipher, tls }: SenderSettings): string[] {
  // With TLS 1.2 alone under `ssl_protocols` it refuses to listen for QUIC.
  if (tls !== undefined)
    return ['  ssl_protocols TLSv1.2 TLSv1.3;', `  ssl_conf_command MaxProtocol TLSv${tls};`];
  return cipher === undefined
    ? ['  ssl_protocols TLSv1.2 TLSv1.3;']
    : ['  ssl_protocols TLSv1.3;', `  ssl_conf_command Ciphersuites ${cipherSuites[cipher]};`];
}

function handshakeLines({ keyexchange, certificatecompression, resume }: SenderSettings): string[] {
  return [
    ...(keyexchange === undefined ? [] : [`  ssl_ecdh_curve ${keyExchanges[keyexchange]};`]),
    ...(certificatecompression === undefined
      ? []
      : [`  ssl_certificate_compression ${certificatecompression};`]),
    ...(resume === undefined ? [] : [`  ssl_early_data ${resume.earlyData ? 'on' : 'off'};`]),
  ];
}

function typeLines(): string[] {
  const byType = Map.groupBy(Object.keys(contentTypes), (ending) => contentTypes[ending] ?? '');
  return ['  types {', ...[...byType].map(([type, endings]) => `    "${type}" ${endings.join(' ')};`), '  }'];
}

/** `host` null: for every name that no other block has. */
function serverBlock(
  { options, port }: ServerLayout,
  host: string | null,
  { certificateFile, keyFile }: ServerLayout['certificates'][number],
  answer: readonly string[],
): string[] {
  const place = endpoint({ address: options.address, port });
  // What is said of a listener is said of it once.
  const versions = options.address === anyAddress ? ' ipv6only=off' : '';
  const role = host === null ? ` default_server${versions}` : '';
  return [
    '  server {',
    `    listen ${place} ssl${role};`,
    `    listen ${place} quic${role};`,
    `    server_name ${host === null ? '_' : nginxWord(host)};`,
    `    ssl_certificate ${nginxWord(certificateFile)};`,
    `    ssl_certificate_key ${nginxWord(keyFile)};`,
    `    add_header Alt-Svc '${altSvc(port)}' always;`,
    ...answer.map((line) => `    ${line}`),
    '  }',
  ];
}

function filesLines(directory: string): string[] {
  return [
    "add_header Access-Control-Allow-Origin '*' always;",
    "add_header Timing-Allow-Origin '*' always;",
    'add_header Cache-Control $h2h3_cache always;',
    `root ${nginxWord(directory)};`,
    // A folder without an index is as absent as what is not there.
    'error_page 403 =404 @absent;',
    'location / { index index.html; }',
    'location @absent { return 404; }',
  ];
}

/** What the origin answers goes out as it is: nothing is added, coded or waited for. */
function originLines(socket: string, port: number, kind: NonNullable<SiteRoot['origin']>['kind']): string[] {
  const special = ['Redirect', 'Expires', 'Limit-Rate', 'Buffering', 'Charset'].map(
    (name) => `X-Accel-${name}`,
  );
  return [
    'location / {',
    `  proxy_pass http://unix:${socket}:;`,
    '  proxy_http_version 1.1;',
    '  proxy_set_header Host $h2h3_authority;',
    // Of an app web sockets go through; of a recorded site there are none.
    ...(kind === 'app'
      ? ['  proxy_set_header Upgrade $http_upgrade;', '  proxy_set_header Connection $h2h3_upgrading;']
      : ['  proxy_set_header Connection "";']),
    '  proxy_buffering off;',
    '  proxy_request_buffering off;',
    // Over HTTP/2 it is the window of an upload, over HTTP/3 the stream's buffer is: both hold as much.
    ...(kind === 'sink' ? [`  client_body_buffer_size ${streamBuffer};`] : []),
    // Its status line too.
    `  proxy_buffer_size ${2 * maxHeaderBytes};`,
    // Not used without buffering, but nginx does not start where these are smaller than the one above.
    `  proxy_buffers 4 ${2 * maxHeaderBytes};`,
    '  proxy_read_timeout 3600s;',
    `  proxy_ignore_headers ${special.join(' ')} Expires Cache-Control Set-Cookie Vary;`,
    ...['Server', 'Date', 'X-Pad', ...special].map((name) => `  proxy_pass_header ${name};`),
    `  proxy_hide_header ${handedVia};`,
    '  proxy_intercept_errors on;',
    `  error_page ${abortStatus} @abort;`,
    // What a block adds itself keeps it from adding what the block around it does.
    `  add_header Alt-Svc '${altSvc(port)}' always;`,
    `  add_header Via $upstream_http_${handedVia.toLowerCase().replaceAll('-', '_')} always;`,
    '}',
    // 444: the connection is closed, or the stream reset, without an answer.
    'location @abort { return 444; }',
  ];
}
