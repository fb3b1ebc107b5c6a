import { maxHeaderBytes } from '../../src/core/model/message-head.ts';
import type { SiteRoot } from '../../src/core/model/workload.ts';
import { endpoint } from '../../src/core/model/wire-address.ts';
import { unkeptEnding } from '../../src/core/model/unkept-files.ts';
import { contentTypes } from './content-types.ts';
import { keyExchanges, type SenderSettings } from './sender-settings.ts';
import {
  cacheControl,
  documentCacheControl,
  handedAbort,
  handedVia,
  unkeptCacheControl,
} from './static-headers.ts';

export interface CaddyConfigOptions {
  readonly roots: readonly SiteRoot[];
  /** Socket of the program that answers for a host, of the roots that have one. */
  readonly sockets?: ReadonlyMap<string, string>;
  readonly address: string;
  readonly port: number;
  /** Unix socket on which it speaks plain HTTP/1.1 instead, behind another server. */
  readonly plainSocket?: string;
  /** One leaf for each host of `roots`. */
  readonly certificates: readonly { readonly certificateFile: string; readonly keyFile: string }[];
  /** Caddy's own storage goes below this folder. */
  readonly storageDir: string;
  readonly accessLogFile: string;
  /** The newest TLS over TCP; absent: what it has. */
  readonly tls?: SenderSettings['tls'];
  /** The only group for the exchange of keys; absent: what it has. */
  readonly keyExchange?: SenderSettings['keyexchange'];
  /** Whether it takes early data over QUIC; absent: as it does unasked, and its log does not say. */
  readonly earlyData?: boolean;
  /** Whether its log says when a request began; default no. */
  readonly logsBeginnings?: boolean;
  /** Idle time after which a connection is ended, ms; absent: after minutes. */
  readonly idleMs?: number;
  /** Number of an inherited listening TCP socket; null lets Caddy open its own. */
  readonly inheritedTcpSocket: number | null;
}

/**
 * Caddy's JSON configuration (https://caddyserver.com/docs/json/) of the origin: H1, H2 and H3 on one port, the
 * bytes of the files as they are. Nothing in it reaches out or answers for anything but `roots`.
 */
export function caddyConfig(options: CaddyConfigOptions): object {
  return {
    admin: { disabled: true, config: { persist: false } },
    storage: { module: 'file_system', root: options.storageDir },
    logging: logging(options.accessLogFile),
    apps: {
      http: {
        grace_period: '500ms',
        servers: {
          origin: {
            ...listeners(options),
            ...(options.earlyData === undefined ? {} : { allow_0rtt: options.earlyData }),
            ...(options.idleMs === undefined ? {} : { idle_timeout: `${options.idleMs}ms` }),
            automatic_https: { disable: true },
            // Its protocols count what surrounds a field differently.
            max_header_bytes: 2 * maxHeaderBytes,
            ...(options.plainSocket === undefined
              ? { tls_connection_policies: [connectionPolicy(options)] }
              : {}),
            logs: { default_logger_name: 'origin' },
            routes: [
              ...(options.logsBeginnings === true ? [beginningRoute] : []),
              announcedRoute,
              ...(options.earlyData === undefined ? [] : handshakenRoutes),
              ...routes(options.roots, options.sockets ?? new Map<string, string>()),
            ],
          },
        },
      },
      tls: {
        certificates: {
          load_files: options.certificates.map(({ certificateFile, keyFile }) => ({
            certificate: certificateFile,
            key: keyFile,
          })),
        },
        disable_ocsp_stapling: true,
        disable_storage_check: true,
        disable_storage_clean: true,
      },
    },
  };
}

function connectionPolicy({ tls, keyExchange }: CaddyConfigOptions): object {
  return {
    ...(tls === undefined ? {} : { protocol_max: `tls${tls}` }),
    ...(keyExchange === undefined ? {} : { curves: [keyExchanges[keyExchange].toLowerCase()] }),
  };
}

function listeners(options: CaddyConfigOptions): object {
  if (options.plainSocket !== undefined)
    return { listen: [`unix/${options.plainSocket}`], protocols: ['h1'] };
  const own = endpoint(options);
  if (options.inheritedTcpSocket === null) return { listen: [own], protocols: ['h1', 'h2', 'h3'] };
  return { listen: [`fd/${options.inheritedTcpSocket}`, own], listen_protocols: [['h1', 'h2'], ['h3']] };
}

/** Access entries, without headers and of TLS only whether a session was resumed, go to their file as they come; everything else goes to standard error. */
function logging(accessLogFile: string): object {
  const ofTls = ['version', 'cipher_suite', 'proto', 'server_name', 'ech'].map(
    (name) => `request>tls>${name}`,
  );
  const dropped = ['request>headers', 'resp_headers', ...ofTls];
  return {
    logs: {
      default: { writer: { output: 'stderr' }, encoder: { format: 'json' }, exclude: ['http.log.access'] },
      access: {
        writer: { output: 'file', filename: accessLogFile, roll: false },
        encoder: {
          format: 'filter',
          wrap: { format: 'json' },
          fields: Object.fromEntries(dropped.map((field) => [field, { filter: 'delete' }])),
        },
        include: ['http.log.access'],
      },
    },
  };
}

function routes(roots: readonly SiteRoot[], sockets: ReadonlyMap<string, string>): object[] {
  const files = roots.filter(({ host }) => !sockets.has(host));
  const bySocket = Map.groupBy(sockets.keys(), (host) => sockets.get(host) ?? '');
  return [
    ...(files.length === 0 ? [] : [fileHosts(files)]),
    ...[...bySocket].map(([socket, hosts]) => originHosts(hosts, socket)),
    // RFC 9110, 15.5.20: a host that this origin does not answer for.
    { handle: [{ handler: 'static_response', status_code: 421, body: 'This host is not served here.\n' }] },
  ];
}

function fileHosts(roots: readonly SiteRoot[]): object {
  return {
    match: [{ host: roots.map(({ host }) => host) }],
    handle: [{ handler: 'subroute', routes: [headersRoute, ...typeRoutes(), filesRoute(roots)] }],
    terminal: true,
  };
}

/** What the origin answers goes out as it is: nothing is added, coded or waited for. */
function originHosts(hosts: readonly string[], socket: string): object {
  return {
    match: [{ host: [...hosts] }],
    handle: [
      {
        handler: 'headers',
        response: {
          deferred: true,
          require: { headers: { [handedVia]: ['*'] } },
          set: { Via: [`{http.reverse_proxy.header.${handedVia}}`] },
          delete: [handedVia],
        },
      },
      { handler: 'headers', response: { deferred: true, delete: ['Via'] } },
      {
        handler: 'reverse_proxy',
        upstreams: [{ dial: `unix/${socket}` }],
        flush_interval: -1,
        handle_response: [
          {
            match: { headers: { [handedAbort]: ['*'] } },
            routes: [{ handle: [{ handler: 'static_response', abort: true }] }],
          },
        ],
        transport: { protocol: 'http', compression: false, keep_alive: { max_idle_conns_per_host: 256 } },
      },
    ],
    terminal: true,
  };
}

/** Filled in before the others are asked. Of an answer that is cut off Caddy logs no duration, so nothing else says when it began. */
const beginningRoute = {
  handle: [{ handler: 'log_append', key: 'began', value: '{time.now.unix_ms}', early: true }],
};

/** Its place is before all others: it is filled in when they have answered. */
const announcedRoute = {
  handle: [
    { handler: 'log_append', key: 'announced', value: '{http.response.header.Content-Length}' },
    { handler: 'log_append', key: 'priority', value: '{http.request.header.Priority}' },
  ],
};

/** What QUIC brings before the handshake has ended is early data. */
const handshakenRoutes = [true, false].map((complete) => ({
  match: [{ tls: { handshake_complete: complete } }],
  handle: [{ handler: 'log_append', key: 'handshaken', value: complete ? 'yes' : 'no' }],
}));

const headersRoute = {
  handle: [
    {
      handler: 'headers',
      response: {
        set: {
          'Access-Control-Allow-Origin': ['*'],
          'Timing-Allow-Origin': ['*'],
          'Cache-Control': [cacheControl],
        },
      },
    },
  ],
};

function typeRoutes(): object[] {
  const patterns = Object.keys(contentTypes).map((ending) => ({ ending, pattern: `*.${ending}` }));
  // A folder's address gives its index.html.
  patterns.push({ ending: 'html', pattern: '*/' });
  const byType = Map.groupBy(patterns, ({ ending }) => contentTypes[ending] ?? '');
  const unkept = { 'Cache-Control': [unkeptCacheControl] };
  return [
    ...[...byType].map(([type, group]) => ({
      match: [{ path: group.map(({ pattern }) => pattern) }],
      handle: [{ handler: 'headers', response: { set: typeHeaders(type) } }],
    })),
    {
      match: [{ path: [`*.${unkeptEnding}`] }],
      handle: [{ handler: 'headers', response: { set: unkept } }],
    },
  ];
}

function typeHeaders(type: string): object {
  const isDocument = type === contentTypes['html'];
  return {
    'Content-Type': [type],
    ...(isDocument ? { 'Cache-Control': [documentCacheControl] } : {}),
  };
}

/** The folder is looked up by host: a route for each of a thousand hosts would be walked for every request. */
function filesRoute(roots: readonly SiteRoot[]): object {
  return {
    handle: [
      {
        handler: 'map',
        source: '{http.request.host}',
        destinations: ['{h2h3_root}'],
        mappings: roots.map(({ host, directory }) => ({ input: host, outputs: [literal(directory)] })),
      },
      {
        handler: 'file_server',
        root: '{h2h3_root}',
        precompressed: { br: {}, gzip: {} },
        precompressed_order: ['br', 'gzip'],
      },
    ],
  };
}

/** Braces in a folder's name are no placeholders. */
const literal = (text: string): string => text.replaceAll('{', '\\{');
