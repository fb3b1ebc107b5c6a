import { H2h3Error } from '../../src/model/errors.ts';
import { tcpBufferBytes, type FactorName, type Factors } from '../../src/model/factor.ts';
import type { LinkSettings } from '../network/network.ts';
import type { CipherName, SenderSettings, Storage } from '../servers/sender-settings.ts';
import type { ArmProtocol } from '../../src/model/protocol.ts';

/** The factors that every testbed of ours honours, or says why it cannot. */
export const testbedFactors: readonly FactorName[] = [
  ...['congestion', 'proxy', 'offloads', 'mtu', 'tcpbuffers', 'cipher', 'tls', 'pacing', 'storage'],
] as const;

/** What a trial's factors ask of both ends of every link that is ours. */
export function linkSettingsOf({ offloads, mtu, tcpbuffers }: Factors): LinkSettings {
  return {
    ...(offloads === undefined ? {} : { offloads: offloads === 'on' ? 'on' : 'off' }),
    ...(mtu === undefined ? {} : { mtuBytes: Number(mtu) }),
    ...(tcpbuffers === undefined ? {} : { tcpBufferBytes: tcpBufferBytes(tcpbuffers) }),
  };
}

/** More than any round trip, which a first request comes after the server's side of a handshake. */
const endsIdleAfterMs = 1000;

/** What a trial's factors ask of the sender; their forms were checked when the arms were read. */
export function senderSettingsOf({ cipher, tls, pacing, storage, resume }: Factors): SenderSettings {
  return {
    ...(resume === undefined ? {} : { idleMs: endsIdleAfterMs }),
    ...(cipher === undefined ? {} : { cipher: cipher as CipherName }),
    ...(tls === undefined ? {} : { tls: '1.2' }),
    ...(pacing === undefined ? {} : { pacing: 'on' }),
    ...(storage === undefined ? {} : { storage: storage as Storage }),
  };
}

/** What a trial asks of its testbed; a slash separates what belongs to one link or hop after the other, from the client on. */
export interface TestbedRequest {
  readonly server: string;
  /** Of each link, such as `dsl` or `dsl/lan`; links that are not named join neighbours in the same place. */
  readonly network: string;
  /** Congestion control of the sender at the far end of each link, such as `bbr` (of all) or `bbr/reno`. */
  readonly congestion?: string;
  /** Proxies between client and server. */
  readonly proxy?: string;
  /** Of every link. */
  readonly settings?: LinkSettings;
  /** Of the server, and of every proxy. */
  readonly sender?: SenderSettings;
  /** What the client speaks; absent: anything, so that every transport must have what is asked for. */
  readonly protocol?: ArmProtocol;
}

/** What the client of a trial speaks to: the first proxy, or else the server. */
export function frontOf({ server, factors }: { readonly server: string; readonly factors: Factors }): string {
  return factors.proxy?.split('/')[0] ?? server;
}

/** Whom the client of a trial speaks to, and on which path. */
export function wayOf(trial: {
  readonly server: string;
  readonly network: string;
  readonly factors: Factors;
}): { readonly front: string; readonly network: string } {
  return { front: frontOf(trial), network: trial.network };
}

/** A request taken apart: one entry a link. */
export interface TestbedParts {
  readonly networks: readonly string[];
  readonly proxies: readonly string[];
  readonly server: string;
  /** Undefined: what the server's QUIC runs. */
  readonly congestions: readonly (string | undefined)[];
}

const unnamedLink = 'loopback';

/** @throws H2h3Error `usage` for more links or algorithms than the chain has. */
export function partsOf({ server, network, congestion, proxy }: TestbedRequest): TestbedParts {
  const proxies = proxy === undefined ? [] : proxy.split('/');
  const count = proxies.length + 1;
  const named = network.split('/');
  const algorithms = congestion?.split('/') ?? [];
  const tooMany = (what: string, got: string): H2h3Error =>
    new H2h3Error('usage', `"${got}" names more ${what} than there are links from client to server`, {
      context: { expected: `at most ${count}`, got },
      next: count === 1 ? 'Add a proxy, or name one.' : 'Name one for each link, from the client on.',
    });
  if (named.length > count) throw tooMany('networks', network);
  if (algorithms.length > count) throw tooMany('congestion controls', congestion ?? '');
  const links = Array.from({ length: count }, (_, index) => index);
  return {
    server,
    proxies,
    networks: links.map((index) => named[index] ?? unnamedLink),
    congestions: links.map((index) => (algorithms.length === 1 ? algorithms[0] : algorithms[index])),
  };
}

/** The same for equal requests; the protocol does not change what is started. */
export function keyOf(request: TestbedRequest): string {
  const { server, network, congestion, proxy, settings = {}, sender = {} } = request;
  const { offloads, mtuBytes, tcpBufferBytes: buffers } = settings;
  const { cipher, tls, pacing, storage, idleMs } = sender;
  const ofLinks = [network, server, congestion, proxy, offloads, mtuBytes, buffers];
  return [...ofLinks, cipher, tls, pacing, storage, idleMs].map((part) => part ?? '').join('\u0000');
}
