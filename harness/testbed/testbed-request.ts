import { valuesFor, valuesOf, type ValuesFor } from '../../src/core/factors/values.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { Factors } from '../../src/core/model/factor.ts';
import type { ArmProtocol } from '../../src/core/model/protocol.ts';
import type { LinkSettings } from '../network/network.ts';

/** Whose factors go to the servers and proxies of a testbed. */
export const senderAppliers = ['sender', 'server'] as const;

/** What a trial asks of its testbed; a slash separates what belongs to one link after the other, from the client on. */
export interface TestbedRequest {
  readonly server: string;
  /** Of each link, such as `dsl` or `dsl/lan`; links that are not named join neighbours in the same place. */
  readonly network: string;
  /** Proxies between client and server, from the client on. */
  readonly proxies?: readonly string[];
  /** What factors say of every link. */
  readonly link?: LinkSettings;
  /** What factors say of the server and of every proxy; congestion control of the sender at the far end of each link, or of all. */
  readonly senders?: ValuesFor<(typeof senderAppliers)[number]>;
  /** What the client speaks; absent: anything, so that every transport must have what is asked for. */
  readonly protocol?: ArmProtocol;
  /** Folder into which servers and proxies that can write qlogs do so, at the cost of CPU time; absent: none writes one. */
  readonly qlogDir?: string;
}

/** Of a trial, or of whatever else goes over a testbed. */
interface Placed {
  readonly server: string;
  readonly network: string;
  readonly factors: Factors;
}

/** What the factors of a trial ask of its testbed. @throws H2h3Error `usage` for a value that is none of its factor */
export function testbedRequestOf({ server, network, factors }: Placed): TestbedRequest {
  const { proxy, protocol } = valuesOf(factors);
  return {
    server,
    network,
    link: valuesFor(['link'], factors),
    senders: valuesFor(senderAppliers, factors),
    ...(proxy === undefined ? {} : { proxies: proxy }),
    ...(protocol === undefined ? {} : { protocol }),
  };
}

/** Whom the client of a trial speaks to, the first proxy or else the server, and on which path. */
export function firstHopOf(trial: Placed): { readonly front: string; readonly network: string } {
  const [front = trial.server] = valuesOf(trial.factors).proxy ?? [];
  return { front, network: trial.network };
}

/** A request taken apart: one entry a link. */
export interface TestbedHops {
  readonly networks: readonly string[];
  readonly proxies: readonly string[];
  readonly server: string;
  /** Undefined: what the server's QUIC runs. */
  readonly congestions: readonly (string | undefined)[];
}

const unnamedLink = 'loopback';

/** @throws H2h3Error `usage` for more links or algorithms than the chain has. */
export function hopsOf({ server, network, proxies = [], senders = {} }: TestbedRequest): TestbedHops {
  const count = proxies.length + 1;
  const named = network.split('/');
  const algorithms = senders.congestion ?? [];
  const tooMany = (what: string, got: string): H2h3Error =>
    new H2h3Error('usage', `"${got}" names more ${what} than there are links from client to server`, {
      context: { expected: `at most ${count}`, got },
      next: count === 1 ? 'Add a proxy, or name one.' : 'Name one for each link, from the client on.',
    });
  if (named.length > count) throw tooMany('networks', network);
  if (algorithms.length > count) throw tooMany('congestion controls', algorithms.join('/'));
  const links = Array.from({ length: count }, (_, index) => index);
  return {
    server,
    proxies,
    networks: links.map((index) => named[index] ?? unnamedLink),
    congestions: links.map((index) => (algorithms.length === 1 ? algorithms[0] : algorithms[index])),
  };
}

/** The same for requests that the same testbed serves: all that is asked for, but what the client speaks. */
export function testbedKey({
  server,
  network,
  proxies = [],
  link = {},
  senders = {},
  qlogDir,
}: TestbedRequest): string {
  return JSON.stringify({ server, network, proxies, link, senders, qlogDir }, sortedKeys);
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether names are asked of a resolver of the testbed. */
export function resolves({ discovery, family }: NonNullable<TestbedRequest['senders']>): boolean {
  return (discovery ?? family) !== undefined;
}
