import { maxHeaderBytes } from '../../src/core/model/message-head.ts';
import type { Protocol } from '../../src/core/model/protocol.ts';
import type { ServerLayout } from './server-software.ts';
import { altSvc, handedVia } from './static-headers.ts';
import { anyAddress } from './server.ts';

const types = 'type.googleapis.com/envoy.';
const filters = `${types}extensions.filters`;
const sockets = `${types}extensions.transport_sockets`;
const httpOptions = 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions';
/** <netinet/tcp.h> */
const tcpCongestion = { level: 6, name: 13 };
/** <asm-generic/socket.h>, SO_MAX_PACING_RATE */
const maxPacingRate = { level: 1, name: 47 };
/** What surrounds a field counts too. */
const maxHeadersKb = (2 * maxHeaderBytes) / 1024;
const maxHeaders = 10_000;
const unreachedBytesPerSecond = 12_500_000_000n;

/** Where requests for some hosts go on to. */
interface Target {
  readonly name: string;
  readonly hosts: readonly string[];
  readonly cluster: object;
}

/**
 * Envoy's configuration (https://www.envoyproxy.io/docs/envoy/latest/api-v3/api): H1, H2 and H3 on one port, no cache,
 * no retries, nothing waited for longer than it takes. `upstreamProtocol`: what it speaks to the next hop.
 */
export function envoyConfig(layout: ServerLayout, upstreamProtocol: Protocol): object {
  const targets = targetsOf(layout, upstreamProtocol);
  const { options, port, tcpCongestionControl } = layout;
  const address = {
    address: options.address,
    port_value: port,
    ...(options.address === anyAddress ? { ipv4_compat: true } : {}),
  };
  return {
    layered_runtime: { layers: [{ name: 'h2h3', static_layer: runtime(layout) }] },
    static_resources: {
      listeners: [
        {
          name: 'tcp',
          address: { socket_address: address },
          ...(tcpCongestionControl === null
            ? {}
            : { socket_options: socketOptions(tcpCongestionControl, options) }),
          filter_chains: [
            {
              filters: [manager(layout, targets, 'AUTO')],
              transport_socket: overTls(layout, ['h2', 'http/1.1']),
            },
          ],
        },
        {
          name: 'udp',
          address: { socket_address: { ...address, protocol: 'UDP' } },
          udp_listener_config: { quic_options: {}, downstream_socket_config: { prefer_gro: true } },
          filter_chains: [
            { filters: [manager(layout, targets, 'HTTP3')], transport_socket: overQuic(layout) },
          ],
        },
      ],
      clusters: targets.map(({ cluster }) => cluster),
    },
  };
}

/** Of the listening socket, whose connections take them over; a most rate that nothing reaches makes the kernel pace. */
function socketOptions(algorithm: string, { settings }: ServerLayout['options']): object[] {
  const option = (place: object, value: Buffer): object => ({
    ...place,
    buf_value: value.toString('base64'),
    state: 'STATE_PREBIND',
  });
  const rate = Buffer.alloc(8);
  rate.writeBigUInt64LE(unreachedBytesPerSecond);
  return [
    option(tcpCongestion, Buffer.from(algorithm)),
    ...(settings?.pacing === undefined ? [] : [option(maxPacingRate, rate)]),
  ];
}

function runtime({ quicCongestionControl, options: { settings } }: ServerLayout): object {
  const features = 'envoy.reloadable_features.';
  const compression = settings?.certificatecompression;
  return {
    [`${features}FLAGS_envoy_quiche_reloadable_flag_quic_default_to_bbr`]: quicCongestionControl === 'bbr',
    ...(compression === undefined
      ? {}
      : { [`${features}tls_certificate_compression_brotli`]: compression === 'on' }),
  };
}

function targetsOf({ options, sockets: bySocket }: ServerLayout, protocol: Protocol): Target[] {
  const { upstream, roots } = options;
  if (upstream !== undefined)
    return [{ name: 'next', hosts: roots.map(({ host }) => host), cluster: nextHop(upstream, protocol) }];
  const hosts = Map.groupBy(bySocket.keys(), (host) => bySocket.get(host) ?? '');
  return [...hosts].map(([socket, names], index) => ({
    name: `origin-${index}`,
    hosts: names,
    cluster: {
      ...clusterAt(`origin-${index}`, { pipe: { path: socket } }),
      typed_extension_protocol_options: protocolOptions({ http_protocol_options: {} }),
    },
  }));
}

function clusterAt(name: string, address: object): object {
  return {
    name,
    connect_timeout: '10s',
    // A page's many objects at a time are no reason to refuse any.
    circuit_breakers: {
      thresholds: [{ max_connections: 65536, max_pending_requests: 65536, max_requests: 65536 }],
    },
    load_assignment: {
      cluster_name: name,
      endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }],
    },
  };
}

function protocolOptions(explicit: object): object {
  return {
    [httpOptions]: {
      '@type': `type.googleapis.com/${httpOptions}`,
      explicit_http_config: explicit,
      // Each host has a certificate of its own, and the next hop tells them apart by name.
      upstream_http_protocol_options: { auto_sni: true },
      common_http_protocol_options: {
        idle_timeout: '3600s',
        max_headers_count: maxHeaders,
        max_response_headers_kb: maxHeadersKb,
      },
    },
  };
}

/** Our own leaves are not checked on the way to the next hop: both ends are ours. */
function nextHop({ address, port }: { address: string; port: number }, protocol: Protocol): object {
  const place = clusterAt('next', { socket_address: { address, port_value: port } });
  const tls = (alpn: string): object => ({ common_tls_context: { alpn_protocols: [alpn] } });
  if (protocol === 'h3')
    return {
      ...place,
      typed_extension_protocol_options: protocolOptions({ http3_protocol_options: {} }),
      transport_socket: {
        name: 'envoy.transport_sockets.quic',
        typed_config: {
          '@type': `${sockets}.quic.v3.QuicUpstreamTransport`,
          upstream_tls_context: {
            common_tls_context: { validation_context: { trust_chain_verification: 'ACCEPT_UNTRUSTED' } },
          },
        },
      },
    };
  const isH2 = protocol === 'h2';
  return {
    ...place,
    typed_extension_protocol_options: protocolOptions(
      isH2 ? { http2_protocol_options: {} } : { http_protocol_options: {} },
    ),
    transport_socket: {
      name: 'envoy.transport_sockets.tls',
      typed_config: {
        '@type': `${sockets}.tls.v3.UpstreamTlsContext`,
        ...tls(isH2 ? 'h2' : 'http/1.1'),
      },
    },
  };
}

function certificates({ certificates: leaves }: ServerLayout): object[] {
  // Hosts may share one, which it takes once.
  const distinct = new Map(leaves.map((leaf) => [leaf.certificateFile, leaf]));
  return [...distinct.values()].map(({ certificateFile, keyFile }) => ({
    certificate_chain: { filename: certificateFile },
    private_key: { filename: keyFile },
  }));
}

function overTls(layout: ServerLayout, alpn: readonly string[]): object {
  return {
    name: 'envoy.transport_sockets.tls',
    typed_config: {
      '@type': `${sockets}.tls.v3.DownstreamTlsContext`,
      common_tls_context: {
        alpn_protocols: alpn,
        tls_certificates: certificates(layout),
        ...(layout.options.settings?.tls === undefined
          ? {}
          : { tls_params: { tls_maximum_protocol_version: 'TLSv1_2' } }),
      },
    },
  };
}

function overQuic(layout: ServerLayout): object {
  return {
    name: 'envoy.transport_sockets.quic',
    typed_config: {
      '@type': `${sockets}.quic.v3.QuicDownstreamTransport`,
      downstream_tls_context: { common_tls_context: { tls_certificates: certificates(layout) } },
    },
  };
}

function manager(layout: ServerLayout, targets: readonly Target[], codec: 'AUTO' | 'HTTP3'): object {
  return {
    name: 'http',
    typed_config: {
      '@type': `${filters}.network.http_connection_manager.v3.HttpConnectionManager`,
      stat_prefix: codec.toLowerCase(),
      codec_type: codec,
      server_header_transformation: 'PASS_THROUGH',
      generate_request_id: false,
      stream_idle_timeout: '0s',
      max_request_headers_kb: maxHeadersKb,
      common_http_protocol_options: { idle_timeout: '3600s', max_headers_count: maxHeaders },
      ...(layout.options.roots.some(({ origin }) => origin?.kind === 'app')
        ? { upgrade_configs: [{ upgrade_type: 'websocket' }] }
        : {}),
      http_filters: [
        {
          name: 'envoy.filters.http.router',
          typed_config: { '@type': `${filters}.http.router.v3.Router`, suppress_envoy_headers: true },
        },
      ],
      access_log: [accessLog(layout.accessLogFile)],
      route_config: routes(layout, targets),
    },
  };
}

function accessLog(file: string): object {
  return {
    name: 'envoy.access_loggers.file',
    typed_config: {
      '@type': `${types}extensions.access_loggers.file.v3.FileAccessLog`,
      path: file,
      log_format: {
        json_format: {
          start: '%START_TIME(%s.%6f)%',
          protocol: '%PROTOCOL%',
          upstream: '%UPSTREAM_PROTOCOL%',
          method: '%REQ(:METHOD)%',
          client: '%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%',
          port: '%DOWNSTREAM_REMOTE_PORT%',
          host: '%REQ(:AUTHORITY)%',
          uri: '%REQ(:PATH)%',
          duration: '%DURATION%',
          bytes: '%BYTES_SENT%',
          announced: '%RESP(CONTENT-LENGTH)%',
          priority: '%REQ(PRIORITY)%',
          status: '%RESPONSE_CODE%',
        },
      },
    },
  };
}

const set = (key: string, value: string): object => ({
  header: { key, value },
  append_action: 'OVERWRITE_IF_EXISTS_OR_ADD',
});

function routes({ port }: ServerLayout, targets: readonly Target[]): object {
  return {
    // Evaluated after what the routes add.
    response_headers_to_remove: [handedVia],
    response_headers_to_add: [set('alt-svc', altSvc(port))],
    virtual_hosts: [
      ...targets.map(({ name, hosts }) => ({
        name,
        domains: hosts.flatMap((host) => [host, `${host}:*`]),
        response_headers_to_add: [set('via', `%RESP(${handedVia})%`)],
        routes: [{ match: { prefix: '/' }, route: { cluster: name, timeout: '0s', idle_timeout: '0s' } }],
      })),
      // RFC 9110, 15.5.20: a host that is not served here.
      {
        name: 'others',
        domains: ['*'],
        routes: [{ match: { prefix: '/' }, direct_response: { status: 421 } }],
      },
    ],
  };
}
