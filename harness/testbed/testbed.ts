import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import type { PathCheckDepth } from '../../src/core/model/path-check-depth.ts';
import { liveServer } from '../../src/core/model/live-names.ts';
import { testbedFactsOf, type TestbedFacts } from '../../src/core/model/testbed-facts.ts';
import type { SiteRoot } from '../../src/core/model/workload.ts';
import { startLinkPath, type LinkPath, type Hop } from './hops.ts';
import { startResolver as startResolverHere, type RunningResolver } from './resolver.ts';
import { requireCongestion, requireLikeCongestion } from './congestion-match.ts';
import { pinPrefix } from '../../src/core/system/processes/cpu-affinity.ts';
import type { Pinning } from './pinning.ts';
import { hopsOf, resolves, testbedKey, type TestbedHops, type TestbedRequest } from './testbed-request.ts';
import type { NetworkProvider, RunningNetwork } from '../network/network.ts';
import { requireBoundProtocols } from '../servers/sender-settings.ts';
import type { CertificateStore } from '../tools/certificates.ts';
import { anyAddress, type RunningServer, type ServerProvider } from '../servers/server.ts';

/** The chain client – link – (proxy – link –) server that is up and checked. */
export interface Testbed {
  /** All links together. */
  readonly network: RunningNetwork;
  /** From the client to the server. */
  readonly links: readonly RunningNetwork[];
  readonly proxies: readonly RunningServer[];
  readonly server: RunningServer;
  /** What the client speaks with: the first proxy, or the server. */
  readonly front: RunningServer;
  /** Where that is. */
  readonly entry: { readonly address: string; readonly port: number };
  /** Of trials whose client asks it: what answers for the names, next to the front. */
  readonly resolver?: RunningResolver;
  /** What was really used, for the trial's outcome. */
  readonly facts: TestbedFacts;
  /** What of it runs no more; undefined while server, proxies and resolver do. */
  readonly died: () => string | undefined;
}

/** Of a machine that has the proxies and no server. */
export interface ProxyWay {
  /** From the client to the first proxy. */
  readonly toProxy: ReadonlyMap<string, NetworkProvider>;
  /** From the last one to the server's machine. */
  readonly toServer: NetworkProvider;
}

export interface TestbedsOptions {
  readonly networks: ReadonlyMap<string, NetworkProvider>;
  readonly servers: ReadonlyMap<string, ServerProvider>;
  /** Absent: there are none. */
  readonly proxies?: ReadonlyMap<string, ServerProvider>;
  /** The ends of a way with proxies, where these are on a machine of their own. Absent: as every way. */
  readonly proxyWay?: ProxyWay;
  readonly roots: readonly SiteRoot[];
  readonly port: number;
  readonly certificates: CertificateStore;
  readonly tempDir: string;
  readonly runId: string;
  readonly pinning: Pinning;
  /** Starts what answers for names next to the front. Default: on this machine. */
  readonly startResolver?: typeof startResolverHere;
  /** Whether clients reach hosts beyond the server, over the same links. Default no. */
  readonly reachesOutside?: boolean;
  /** Whether no client counts the marks of joined datagrams wrongly. Default no. */
  readonly joinsMarked?: boolean;
  readonly tcpCongestionControl: string | null;
  /** How much of each path is measured before it is used. Default: `full`. */
  readonly checkDepth?: PathCheckDepth;
  /** Whether what could not be started now may be started the next time it is asked for. Default: it stays so. */
  readonly passes?: (cause: H2h3Error) => boolean;
  /** Whether arms over TCP and over QUIC may run unlike algorithms on an impaired network. */
  readonly allowCongestionMismatch: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

interface Opened {
  readonly linkPath: LinkPath;
  readonly testbed: Testbed;
}

interface StartSenderOptions {
  readonly parts: TestbedHops;
  readonly linkPath: LinkPath;
  readonly index: number;
  readonly next: RunningServer | undefined;
  readonly testbedDir: string;
  readonly request: TestbedRequest;
}

/**
 * Starts each testbed when a trial first needs it and keeps it until the end, because conditions are interleaved. What
 * could not be started stays so: its trials get that reason.
 */
export class Testbeds {
  readonly #options: TestbedsOptions;
  readonly #opened = new Map<string, Opened>();
  readonly #linkPaths = new Map<string, LinkPath>();
  readonly #failed = new Map<string, H2h3Error>();
  #started = 0;
  #loopbackAddresses = 0;
  #refusal: H2h3Error | undefined;

  constructor(options: TestbedsOptions) {
    this.#options = options;
  }

  /**
   * @throws H2h3Error `unsupported` or `process-failed` when a part of it cannot be had, `unsupported` too where the
   * sender cannot run the congestion control asked for over the protocol of the request.
   */
  async open(request: TestbedRequest): Promise<Testbed> {
    const key = testbedKey(request);
    const failure = this.#failed.get(key);
    if (failure) throw failure;
    const opened = this.#opened.get(key);
    if (opened !== undefined && opened.testbed.died() === undefined)
      return this.#suited(opened.testbed, request);
    try {
      // Of a server with programs behind it one may have died and the others hold on to its port.
      await this.#stopServers(opened);
      const fresh = await this.#start(key, request);
      this.#opened.set(key, fresh);
    } catch (thrown) {
      const cause =
        thrown instanceof H2h3Error
          ? thrown
          : new H2h3Error('process-failed', messageOf(thrown), { cause: thrown });
      if (this.#options.passes?.(cause) !== true) this.#failed.set(key, cause);
      throw cause;
    }
    const { testbed } = this.#opened.get(key) ?? {};
    if (testbed === undefined) throw new H2h3Error('internal', 'a testbed that was started is gone');
    return this.#suited(testbed, request);
  }

  #suited(testbed: Testbed, { protocol = 'auto', senders = {} }: TestbedRequest): Testbed {
    requireBoundProtocols(senders, protocol);
    if (senders.congestion !== undefined) requireCongestion(testbed.facts, senders.congestion, protocol);
    return testbed;
  }

  async #start(key: string, request: TestbedRequest): Promise<Opened> {
    const parts = hopsOf(request);
    const workDir = join(this.#options.tempDir, `testbed-${this.#started++}`);
    const known = this.#linkPaths.get(key);
    const linkPath =
      known === undefined || lostOf(known) !== undefined
        ? await this.#startLinkPath(parts, workDir, request)
        : known;
    this.#linkPaths.set(key, linkPath);
    const senders: RunningServer[] = [];
    let resolver: RunningResolver | undefined;
    try {
      // From the server to the client, because each proxy is told where to go on to.
      for (const index of linkPath.hops.keys().toArray().toReversed())
        senders.unshift(
          await this.#startSender({
            parts,
            linkPath,
            index,
            next: senders[0],
            testbedDir: workDir,
            request,
          }),
        );
      resolver = await this.#startResolver(linkPath, senders[0], workDir, request);
      return { linkPath, testbed: this.#testbedOf(linkPath, senders, { request, resolver }) };
    } catch (thrown) {
      await Promise.all(senders.map((sender) => sender.stop()));
      await resolver?.stop();
      throw thrown;
    }
  }

  #startLinkPath(parts: TestbedHops, workDir: string, { link, senders }: TestbedRequest): Promise<LinkPath> {
    const { roots, runId, environment, pinning, tcpCongestionControl } = this.#options;
    const { reachesOutside = false, joinsMarked = false, checkDepth = 'full' } = this.#options;
    const providers = parts.networks.map((id, index) => this.#networkAt(index, id, parts.proxies.length));
    const [congestion] = parts.congestions;
    const options = {
      runId,
      environment,
      cpus: pinning.serverCpus,
      // A name in the hosts file is asked of no resolver.
      hosts: senders === undefined || !resolves(senders) ? roots.map(({ host }) => host) : [],
      tcpCongestionControl: congestion ?? tcpCongestionControl,
      outside: parts.server === liveServer || reachesOutside,
      joinsMarked,
      checkDepth,
      ...(link === undefined ? {} : { settings: link }),
    };
    return startLinkPath(providers, options, workDir, () => `127.0.0.${++this.#loopbackAddresses}`);
  }

  /** The link that leads to the proxy of this number, or to the server behind the last one. */
  #networkAt(index: number, id: string, proxyCount: number): NetworkProvider {
    const { networks, proxyWay } = this.#options;
    if (proxyWay === undefined || proxyCount === 0) return found(networks, id, 'network');
    if (index === proxyCount) return proxyWay.toServer;
    return found(index === 0 ? proxyWay.toProxy : networks, id, 'network');
  }

  /** The server at the end of the chain, or the proxy at one of the stops before. */
  async #startSender({
    parts,
    linkPath,
    index,
    next,
    testbedDir,
    request: { senders: settings, qlogDir },
  }: StartSenderOptions): Promise<RunningServer> {
    const { servers, proxies, roots, port, certificates, environment, pinning } = this.#options;
    const { prefix, address, addressV6 } = hopAt(linkPath, index);
    const provider =
      next === undefined
        ? found(servers, parts.server, 'server')
        : found(proxies ?? new Map<string, ServerProvider>(), parts.proxies[index] ?? '', 'proxy');
    const workDir = join(testbedDir, `${provider.id}-${Date.now()}`);
    await mkdir(workDir, { recursive: true });
    const congestion = parts.congestions[index];
    const sender = await provider.start({
      roots,
      address: addressV6 === undefined ? address : anyAddress,
      port,
      certificates,
      workDir,
      environment: qlogDir === undefined ? environment : { ...environment, QLOGDIR: qlogDir },
      launchPrefix: [...prefix, ...pinPrefix(pinning.serverCpus)],
      outsidePrefix: pinPrefix(pinning.serverCpus),
      ...(congestion === undefined ? {} : { congestion }),
      ...(settings === undefined ? {} : { settings }),
      ...(next === undefined ? {} : { upstream: { address: next.address, port: next.port } }),
    });
    return { ...sender, address };
  }

  /** Besides what the client speaks with, to which all names lead. */
  async #startResolver(
    linkPath: LinkPath,
    front: RunningServer | undefined,
    testbedDir: string,
    { senders }: TestbedRequest,
  ): Promise<RunningResolver | undefined> {
    if (front === undefined || senders === undefined || !resolves(senders)) return undefined;
    const { roots, certificates, environment, pinning } = this.#options;
    const { startResolver = startResolverHere } = this.#options;
    const { prefix, addressV6 } = hopAt(linkPath, 0);
    return startResolver({
      hosts: roots.map(({ host }) => host),
      address: front.address,
      ...(addressV6 === undefined ? {} : { addressV6 }),
      lateMs: { AAAA: senders.aaaa?.lateMs ?? 0, HTTPS: senders['https-answer']?.lateMs ?? 0 },
      lossPercent: senders.resolver?.percent,
      prefix: [...prefix, ...pinPrefix(pinning.serverCpus)],
      certificates,
      environment,
      workDir: join(testbedDir, `resolver-${Date.now()}`),
    });
  }

  #testbedOf(
    linkPath: LinkPath,
    senders: readonly RunningServer[],
    {
      request,
      resolver,
    }: { readonly request: TestbedRequest; readonly resolver: RunningResolver | undefined },
  ): Testbed {
    const [first] = senders;
    const server = senders.at(-1);
    if (first === undefined || server === undefined)
      throw new H2h3Error('internal', 'a way without a server');
    const proxies = senders.slice(0, -1);
    const facts = testbedFactsOf(
      linkPath.links.map(({ description }) => description),
      server.description,
      proxies.map(({ description }) => description),
    );
    if (request.senders?.congestion === undefined) this.#requireLikeCongestion(linkPath, senders);
    return {
      network: linkPath.whole,
      links: linkPath.links,
      proxies,
      server,
      facts,
      front: first,
      entry: { address: first.address, port: first.port },
      ...(resolver === undefined ? {} : { resolver }),
      died: () => {
        const lost = lostOf(linkPath);
        if (lost !== undefined) return lost;
        if (resolver?.alive() === false) return resolver.deadBehind?.() ?? 'the resolver of the testbed';
        const dead = senders.find((sender) => !sender.alive());
        return dead && (dead.deadBehind?.() ?? 'the server');
      },
    };
  }

  #requireLikeCongestion(linkPath: LinkPath, senders: readonly RunningServer[]): void {
    if (this.#options.allowCongestionMismatch) return;
    try {
      for (const [index, { description }] of senders.entries()) {
        const network = linkPath.links[index]?.description;
        if (network !== undefined) requireLikeCongestion(network, description);
      }
    } catch (thrown) {
      if (thrown instanceof H2h3Error) this.#refusal = thrown;
      throw thrown;
    }
  }

  async #stopServers(opened: Opened | undefined): Promise<void> {
    if (opened === undefined) return;
    const { proxies, server, resolver } = opened.testbed;
    await Promise.all(
      [...proxies, server, ...(resolver === undefined ? [] : [resolver])].map((one) => one.stop()),
    );
  }

  /** Why the whole run is refused, once a testbed was tried; undefined when it is not. */
  refusal(): H2h3Error | undefined {
    return this.#refusal;
  }

  /** Why testbeds could not be started. */
  failures(): readonly H2h3Error[] {
    return [...this.#failed.values()];
  }

  /** The testbed if it is up already. */
  ready(request: TestbedRequest): Testbed | undefined {
    return this.#opened.get(testbedKey(request))?.testbed;
  }

  /** Every testbed that is up. */
  all(): readonly Testbed[] {
    return [...this.#opened.values()].map(({ testbed }) => testbed);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#opened.values()].map((opened) => this.#stopServers(opened)));
    await Promise.all([...this.#linkPaths.values()].map(({ whole }) => whole.stop()));
  }
}

/** What led to its network, which ends with that; undefined while it is reached. */
function lostOf({ whole: { elsewhere } }: LinkPath): string | undefined {
  return elsewhere?.isLost() === true ? `the connection to ${elsewhere.host}` : undefined;
}

function found<T>(providers: ReadonlyMap<string, T>, id: string, what: string): T {
  const provider = providers.get(id);
  if (provider === undefined)
    throw new H2h3Error('usage', `there is no ${what} called ${id}`, {
      context: { expected: [...providers.keys()].join(', ') || 'none here', got: id },
    });
  return provider;
}

function hopAt({ hops }: LinkPath, index: number): Hop {
  const stop = hops[index];
  if (stop === undefined) throw new H2h3Error('internal', `a chain without stop ${index}`);
  return stop;
}
