import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { jsonOf } from '../../src/core/model/bounded-json.ts';
import { maxHeaderBytes } from '../../src/core/model/message-head.ts';
import { protocolOf } from '../../src/core/model/protocol.ts';
import type { ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import { serverNames } from '../../src/core/model/server-names.ts';
import { endpoint } from '../../src/core/model/wire-address.ts';
import { doesNotStart, fromDebianTree, type DebianTree } from '../tools/debian-tree.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { isVersionAtLeast } from '../tools/caddy-binary.ts';
import { versionedPrograms } from '../tools/versions/catalogue.ts';
import { wantedIsAtLeast } from '../tools/versions/program-name.ts';
import { announcedOf, askedOf, jsonLogFormat } from './access-log.ts';
import { hybridLack } from './openssl-groups.ts';
import { cipherSuites, keyExchanges } from './sender-settings.ts';
import type { ServerLaunch, ServerLayout, ServerProgram, ServerSoftware } from './server-software.ts';
import { altSvc, handedVia } from './static-headers.ts';
import { anyAddress } from './server.ts';

const debian = {
  name: 'haproxy',
  suite: 'trixie',
  packages: ['haproxy'],
  programs: ['usr/sbin/haproxy'],
  downloadMegabytes: 9,
} as const;
const timeoutMs = 10_000;
/** Of HAProxy's own default. */
const bufferBytes = 16 * 1024;
/** Room for a head and what is added to it. */
const appBufferBytes = 2 * maxHeaderBytes;
/** What a connection over QUIC may have under way. */
const windowBytes = 1000 * bufferBytes;

/** From this version on it has BBR, and Debian builds it with an OpenSSL that has an interface for QUIC. */
const firstWithBbr = '3.2';

const applies: ServerSoftware['applies'] = ['cipher', 'tls', 'keyexchange'];

const fromTree = fromDebianTree(debian, ofTree);

/** HAProxy 3.0 of Debian 13 where no version is named. */
export const haproxy: ServerSoftware = {
  id: 'haproxy',
  name: serverNames.haproxy,
  title:
    'HAProxy (its own QUIC): HTTP/1.1, HTTP/2 and HTTP/3 on one port, CUBIC or New Reno for QUIC; files from Caddy behind it',
  quicCongestionControls: ['cubic', 'reno'],
  tcpCongestion: { notInheritedReason: () => null },
  applies,
  // Its `quic-cc-algo` takes the largest window alone.
  lacks: {
    initialwindow: 'has no setting for the initial window of its QUIC',
    sendwindow: 'has a setting for what its QUIC may have under way from 3.2 on',
  },
  quicTakesNoEarlyData: true,
  obeysPriorities: [],
  ecnOverQuic: 'never',
  servesFiles: false,
  versions: {
    program: versionedPrograms.haproxy,
    differs: (wanted) =>
      wantedIsAtLeast(wanted, firstWithBbr)
        ? {
            title:
              'HAProxy (its own QUIC): HTTP/1.1, HTTP/2 and HTTP/3 on one port, CUBIC, New Reno or BBR for QUIC; files from Caddy behind it',
            quicCongestionControls: ['cubic', 'reno', 'bbr'],
            applies: [...applies, 'sendwindow'],
          }
        : {},
    programIn: fromTree.programIn,
  },
  find: fromTree.find,
  ensure: fromTree.ensure,
  configure,
  parseLogLine: parseHaproxyLine,
};

async function ofTree(tree: DebianTree, context: SetupContext): Promise<ServerProgram> {
  const command = tree.command('usr/sbin/haproxy');
  const [program = '', ...rest] = command;
  const { stdout } = await context.run(program, [...rest, '-vv'], { timeoutMs });
  const version = /version (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (version === undefined) throw doesNotStart('HAProxy', tree, stdout);
  const lacksHybrid = hybridLack('HAProxy', stdout);
  return { command, version, place: tree.directory, ...(lacksHybrid === undefined ? {} : { lacksHybrid }) };
}

/** It wants a certificate and its key in one file, and finds the one for a name among those of a folder. */
async function configure(layout: ServerLayout): Promise<ServerLaunch> {
  const { options, certificates, sockets } = layout;
  const folder = path.join(options.workDir, 'certificates');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [index, { host }] of options.roots.entries()) {
    const { certificateFile = '', keyFile = '' } = certificates[index] ?? {};
    const pem = `${await readFile(certificateFile, 'utf8')}\n${await readFile(keyFile, 'utf8')}`;
    await writeFile(path.join(folder, `${host}.pem`), pem, { mode: 0o600 });
  }
  const distinct = [...new Set(sockets.values())];
  const hostsFile = path.join(options.workDir, 'hosts.map');
  const lines = [...sockets].map(([host, socket]) => `${host} origin-${distinct.indexOf(socket)}\n`);
  await writeFile(hostsFile, lines.join(''));
  const file = path.join(options.workDir, 'haproxy.cfg');
  await writeFile(file, haproxyConfig(layout, { folder, hostsFile, origins: distinct }));
  return { args: ['-db', '-f', file], logsToOutput: true };
}

interface ConfigFiles {
  readonly folder: string;
  readonly hostsFile: string;
  /** Socket of each program that answers. */
  readonly origins: readonly string[];
}

const haproxyWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The configuration (https://docs.haproxy.org/3.0/configuration.html): one thread, no cache, no retries. */
function haproxyConfig(layout: ServerLayout, { folder, hostsFile, origins }: ConfigFiles): string {
  const { options, port, inheritedTcpSocket, quicCongestionControl } = layout;
  const v6 = options.address.includes(':');
  const place = endpoint({ address: options.address, port });
  const versions = options.address === anyAddress ? ' v4v6' : '';
  const tcp = inheritedTcpSocket === null ? place + versions : `fd@${inheritedTcpSocket}`;
  const algorithm = quicCongestionControl === 'reno' ? 'newreno' : quicCongestionControl;
  const via = handedVia.toLowerCase();
  const { cipher, tls: newest, keyexchange } = options.settings ?? {};
  const oldTls = newest === undefined ? '' : ` ssl-max-ver TLSv${newest}`;
  const suite = cipher === undefined ? '' : ` ssl-min-ver TLSv1.3 ciphersuites ${cipherSuites[cipher]}`;
  // Its two listeners have different groups unasked.
  const tls = suite + (keyexchange === undefined ? '' : ` curves ${keyExchanges[keyexchange]}`);
  return [
    'global',
    '  nbthread 1',
    '  maxconn 4096',
    ...headLines(layout),
    ...quicLines(layout),
    '  log stdout format raw local0 info',
    'defaults',
    '  mode http',
    '  log global',
    '  retries 0',
    '  timeout connect 10s',
    ...['client', 'server', 'http-keep-alive', 'http-request'].map((name) => `  timeout ${name} 3600s`),
    'frontend clients',
    `  bind ${tcp} ssl crt ${haproxyWord(folder)} alpn h2,http/1.1${tls}${oldTls}`,
    `  bind ${v6 ? 'quic6' : 'quic4'}@${place}${versions} ssl crt ${haproxyWord(folder)} alpn h3 quic-cc-algo ${algorithm}${tls}`,
    '  http-request set-var(txn.version) req.ver',
    '  http-request set-var(txn.host) req.hdr(host),lower',
    '  http-request set-var(txn.uri) pathq',
    '  http-request set-var(txn.priority) req.fhdr(priority)',
    '  http-response set-var(txn.length) res.hdr(content-length)',
    `  http-response set-header via %[res.hdr(${via})] if { res.hdr(${via}) -m found }`,
    `  http-response del-header ${via}`,
    `  http-after-response set-header alt-svc ${haproxyWord(altSvc(port))}`,
    `  log-format ${haproxyWord(logFormat)}`,
    `  use_backend %[req.hdr(host),field(1,:),lower,map(${haproxyWord(hostsFile)},others)]`,
    // RFC 9110, 15.5.20: a host that this origin does not answer for.
    'backend others',
    '  http-request return status 421',
    ...origins.flatMap((socket, index) => [
      `backend origin-${index}`,
      '  http-reuse always',
      `  server origin unix@${socket}`,
    ]),
    '',
  ].join('\n');
}

/** A head must fit one of its buffers. They stay as they are by default where no app may send long ones. */
function headLines(layout: ServerLayout): string[] {
  return hasApp(layout) ? [`  tune.bufsize ${appBufferBytes}`, '  tune.http.maxhdr 10000'] : [];
}

const hasApp = ({ options }: ServerLayout): boolean =>
  options.roots.some(({ origin }) => origin?.kind === 'app');

function quicLines(layout: ServerLayout): string[] {
  const { program, options, quicCongestionControl } = layout;
  const { sendwindow } = options.settings ?? {};
  if (isVersionAtLeast(program.version, firstWithBbr))
    return [
      ...(quicCongestionControl === 'bbr' ? ['  expose-experimental-directives'] : []),
      ...(sendwindow === undefined
        ? []
        : [`  tune.quic.frontend.default-max-window-size ${sendwindow.bytes}`]),
    ];
  return [
    // Debian's OpenSSL has no interface for QUIC that this version knows: HAProxy goes without 0-RTT there.
    '  limited-quic',
    // With the default of 30 buffers of 16 KB a connection cannot fill a long path.
    `  tune.quic.frontend.conn-tx-buffers.limit ${hasApp(layout) ? Math.ceil(windowBytes / appBufferBytes) : windowBytes / bufferBytes}`,
  ];
}

const logFormat = jsonLogFormat([
  ['end', '%[date(0,ms)]'],
  ['version', '"%[var(txn.version)]"'],
  ['method', '"%HM"'],
  ['host', '"%[var(txn.host),json(utf8s)]"'],
  ['uri', '"%[var(txn.uri),json(utf8s)]"'],
  ['duration', '%Ta'],
  ['length', '"%[var(txn.length)]"'],
  ['sent', '%B'],
  ['status', '%ST'],
  ['client', '"%ci"'],
  ['port', '"%cp"'],
  ['cipher', '"%[ssl_fc_cipher]"'],
  ['priority', '"%[var(txn.priority),json(utf8s)]"'],
]);

const lineSchema = z.object({
  /** Epoch ms at which the entry was written, that is at the request's end. */
  end: z.number(),
  version: z.string(),
  method: z.string(),
  host: z.string(),
  uri: z.string(),
  /** ms. */
  duration: z.number(),
  /** The answer's Content-Length, empty where it had none. */
  length: z.string(),
  /** Bytes of the answer with its head. */
  sent: z.number(),
  status: z.number(),
  client: z.string().optional(),
  port: z.string(),
  /** Empty where it does not know. */
  cipher: z.string(),
  /** Empty where the request had none. */
  priority: z.string().optional(),
});

/** In the place of the method, with status 0: the connection ended before it asked, as those do that browsers open in store. */
const neverAsked = '<BADREQ>';

/** One line of its output; undefined for one that is no entry. */
export function parseHaproxyLine(line: string): ServerLogEntry | undefined {
  const parsed = lineSchema.safeParse(jsonOf(line));
  if (!parsed.success) return undefined;
  const { end, version, method, host, uri, duration, length, sent, status, client, port, cipher, priority } =
    parsed.data;
  if (method === neverAsked && status === 0) return undefined;
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const { announcedBytes } = announcedOf(length);
  // What was sent has the answer's head with it, so that an answer that was cut off is known by less than its body alone.
  const isWhole = announcedBytes !== undefined && sent >= announcedBytes;
  return {
    ...askedOf({ host, uri, method, protocol: version, client, port, priority }),
    protocol: protocolOf(`HTTP/${version}`) ?? version,
    status,
    bytes: !hasBody ? 0 : isWhole ? announcedBytes : sent,
    ...(announcedBytes === undefined ? {} : { announcedBytes }),
    ...(hasBody && !isWhole ? { isUpperBound: true } : {}),
    ...(cipher === '' ? {} : { cipher }),
    startEpochMs: end - duration,
    durationMs: duration,
  };
}
