import { isDeepStrictEqual } from 'node:util';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import {
  describeNetwork,
  networkSpecSchema,
  type NetworkSpec,
} from '../../../src/core/model/network-spec.ts';
import type { NetworkProvider, RunningNetwork } from '../network.ts';
import { startShapingProxy } from './shaping-proxy.ts';

/** What a proxy can do nothing about, however the network is. */
const limits =
  'a proxy shapes rate and delay of TCP alone, for programs that use it: not QUIC, UDP, WebRTC, look-ups of names or packet loss';

/** Its figures without what a proxy cannot carry out. */
function rateAndDelay({ id, title, source, up, down }: NetworkSpec): NetworkSpec {
  const only = ({ rateMbps, queueBytes, delayMs }: NetworkSpec['up']) => ({ rateMbps, queueBytes, delayMs });
  return networkSpecSchema.parse({ id, title, source, up: only(up), down: only(down) });
}

/** @throws H2h3Error `unsupported` for a network that is more than rate and delay */
function requireRateAndDelay(spec: NetworkSpec): void {
  const { up, down } = spec;
  const isTraced = up.trace !== undefined || down.trace !== undefined;
  if (!isTraced && isDeepStrictEqual({ up, down }, sidesOf(rateAndDelay(spec)))) return;
  throw new H2h3Error('unsupported', `the network ${spec.id} is more than a rate and a delay: ${limits}`, {
    context: { got: describeNetwork(spec) },
    next: 'Leave out --proxy, or name a network such as cable or dsl, or give --down, --up and --rtt alone.',
  });
}

const sidesOf = ({ up, down }: NetworkSpec): Pick<NetworkSpec, 'up' | 'down'> => ({ up, down });

/** What tells programs of the proxy. Programs that take SOCKS5 from ALL_PROXY have their names looked up by it. */
function proxyVariables(port: number): Record<string, string | undefined> {
  const socks = `socks5h://127.0.0.1:${port}`;
  const http = `http://127.0.0.1:${port}`;
  return {
    H2H3_PROXY: `socks5://127.0.0.1:${port}`,
    ALL_PROXY: socks,
    all_proxy: socks,
    HTTPS_PROXY: http,
    https_proxy: http,
    // Another proxy, or an exception for localhost, would lead past this one.
    HTTP_PROXY: undefined,
    http_proxy: undefined,
    NO_PROXY: undefined,
    no_proxy: undefined,
  };
}

/** A network by its figures, shaped by a proxy on this machine: for where no namespace can be made. */
export function proxiedNetwork(spec: NetworkSpec): NetworkProvider {
  return {
    id: spec.id,
    title: spec.title,
    unsupportedReason: () => limits,
    require: () => {
      requireRateAndDelay(spec);
      return Promise.resolve();
    },
    start: async (): Promise<RunningNetwork> => {
      const proxy = await startShapingProxy(spec);
      const { port } = proxy;
      return {
        description: {
          id: spec.id,
          backend: 'proxy',
          description: describeNetwork(spec),
          impaired: true,
          privilege: 'none',
          offloads: null,
          checks: [],
          spec,
          notes: [
            `shaped by a proxy at 127.0.0.1:${port}, which programs find in H2H3_PROXY, ALL_PROXY and HTTPS_PROXY`,
            limits,
          ],
        },
        serverAddress: '127.0.0.1',
        clientPrefix: [],
        serverPrefix: [],
        environment: proxyVariables(port),
        startSignal: () => null,
        counters: () => Promise.resolve(proxy.counters()),
        stop: () => proxy.stop(),
      };
    },
  };
}
