import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Namespace } from '../network/namespace.ts';
import type { NetworkProvider, NetworkStartOptions, RunningNetwork } from '../network/network.ts';
import { openStartRelay, type StartRelay } from './start-relay.ts';

/** Somewhere on the way: words that run a command there, and the address under which the neighbour before reaches it. */
export interface Hop {
  readonly prefix: readonly string[];
  readonly address: string;
  /** The one of IPv6 where there is one of either version: what is there listens on all addresses then. */
  readonly addressV6?: string;
}

/** The links of a way that are up, from the client to the server, each checked by itself. */
export interface LinkPath {
  readonly links: readonly RunningNetwork[];
  readonly clientPrefix: readonly string[];
  /** What each link leads to: proxies, and the server last. */
  readonly hops: readonly Hop[];
  /** All links as if they were one, for those who need not tell them apart. */
  readonly whole: RunningNetwork;
}

export type LinkOptions = Omit<NetworkStartOptions, 'link' | 'workDir'>;

/**
 * Starts one link after the other. Namespaces follow the chain: where a link that has namespaces ends, the next one
 * begins; a link that has none joins neighbours in the same place.
 *
 * @param loopbackAddress a loopback address without a listener yet
 */
export async function startLinkPath(
  providers: readonly NetworkProvider[],
  options: LinkOptions,
  workDir: string,
  loopbackAddress: () => string,
): Promise<LinkPath> {
  const links: RunningNetwork[] = [];
  let near: Namespace | null = null;
  try {
    for (const [index, provider] of providers.entries()) {
      const linkDir = join(workDir, `link-${index}`);
      await mkdir(linkDir, { recursive: true });
      const link: RunningNetwork = await provider.start({
        ...options,
        workDir: linkDir,
        link: { index, near },
      });
      links.push(link);
      near = link.ends?.far ?? near;
    }
    const varying = links.filter((link) => link.startSignal(0) !== null);
    const relay = varying.length > 1 ? await openStartRelay(varying, join(workDir, 'start.sock')) : null;
    const { clientPrefix, hops } = placesOf(links, loopbackAddress);
    return { links, clientPrefix, hops, whole: wholeOf(links, clientPrefix, hops, relay) };
  } catch (thrown) {
    await stopLinks(links);
    throw thrown;
  }
}

function placesOf(
  links: readonly RunningNetwork[],
  loopbackAddress: () => string,
): { readonly clientPrefix: readonly string[]; readonly hops: Hop[] } {
  // The part before the first link with namespaces is in the namespace in which that one begins.
  const clientPrefix = links.find(({ ends }) => ends !== undefined)?.clientPrefix ?? [];
  let prefix = clientPrefix;
  const hops = links.map((link): Hop => {
    if (link.ends === undefined) return { prefix, address: link.farAddress ?? loopbackAddress() };
    prefix = link.serverPrefix;
    const { serverAddress: address, serverAddressV6: addressV6 } = link;
    return { prefix, address, ...(addressV6 === undefined ? {} : { addressV6 }) };
  });
  return { clientPrefix, hops };
}

/** Counters of the whole machine, which every link reports alike; all others are of one link and add up. */
const machineWide = new Set(['softnetDrops']);

async function countersOf(links: readonly RunningNetwork[]): Promise<Record<string, number>> {
  const sum: Record<string, number> = {};
  for (const counters of await Promise.all(links.map((link) => link.counters())))
    for (const [name, value] of Object.entries(counters))
      sum[name] = machineWide.has(name) ? Math.max(sum[name] ?? 0, value) : (sum[name] ?? 0) + value;
  return sum;
}

async function stopLinks(links: readonly RunningNetwork[]): Promise<void> {
  for (const link of links.toReversed()) await link.stop();
}

function wholeOf(
  links: readonly RunningNetwork[],
  clientPrefix: readonly string[],
  hops: readonly Hop[],
  relay: StartRelay | null,
): RunningNetwork {
  const [only] = links;
  const last = hops.at(-1);
  if (only === undefined || last === undefined) throw new Error('a way has at least one link');
  const place = { clientPrefix, serverPrefix: last.prefix, serverAddress: last.address };
  if (links.length === 1) return { ...only, ...place };
  const impaired = links.find(({ description }) => description.impaired) ?? only;
  return {
    ...place,
    description: {
      ...impaired.description,
      id: links.map(({ description }) => description.id).join('/'),
      description: links.map(({ description }) => description.description).join(' | '),
      impaired: links.some(({ description }) => description.impaired),
      checks: links.flatMap(({ description }) => description.checks),
    },
    ...(only.elsewhere === undefined ? {} : { elsewhere: only.elsewhere }),
    startSignal: (blockSeed) => {
      const signal =
        relay?.signal(blockSeed) ??
        links.map((link) => link.startSignal(blockSeed)).find((one) => one !== null);
      const { schedule } = only.startSignal(blockSeed) ?? {};
      if (signal === undefined) return null;
      return schedule === undefined ? signal : { ...signal, schedule };
    },
    requireAlive: () => links.forEach((link) => link.requireAlive?.()),
    counters: () => countersOf(links),
    // The client's own link is the first.
    flows: () => only.flows?.() ?? Promise.resolve(null),
    ...(only.connectionStarts === undefined ? {} : { connectionStarts: only.connectionStarts }),
    ...(only.queue === undefined ? {} : { queue: only.queue }),
    ...(only.course === undefined ? {} : { course: only.course }),
    ...(only.startCrossTraffic === undefined ? {} : { startCrossTraffic: only.startCrossTraffic }),
    transferTimeoutMs: (bytes) =>
      links.reduce((sum, link) => sum + (link.transferTimeoutMs?.(bytes) ?? 0), 0),
    stop: async () => {
      await relay?.stop();
      await stopLinks(links);
    },
  };
}
