import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type { SiteRoot } from '../../src/model/workload.ts';
import { requireLikeCongestion } from './congestion-match.ts';
import { pinPrefix, type Pinning } from './pinning.ts';
import type { NetworkProvider, RunningNetwork } from '../network/network.ts';
import type { RunningServer, ServerProvider } from '../servers/server.ts';
import type { CertificateStore } from '../tools/certificates.ts';

/** A network that is up with a server at its far end. */
export interface RunningPath {
  readonly network: RunningNetwork;
  readonly server: RunningServer;
}

export interface PathsOptions {
  readonly networks: ReadonlyMap<string, NetworkProvider>;
  readonly servers: ReadonlyMap<string, ServerProvider>;
  readonly roots: readonly SiteRoot[];
  readonly port: number;
  readonly certificates: CertificateStore;
  readonly tempDir: string;
  readonly runId: string;
  readonly pinning: Pinning;
  readonly tcpCongestionControl: string | null;
  /** Whether arms over TCP and over QUIC may run unlike algorithms on an impaired network. */
  readonly allowCongestionMismatch: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Starts each network with its server when a trial first needs it and keeps it until the end, because
 * conditions are interleaved. What could not be started stays so: its trials get that reason.
 */
export class Paths {
  readonly #options: PathsOptions;
  readonly #running = new Map<string, RunningPath>();
  readonly #networks = new Map<string, RunningNetwork>();
  readonly #failed = new Map<string, H2h3Error>();
  #refusal: H2h3Error | undefined;

  constructor(options: PathsOptions) {
    this.#options = options;
  }

  /** @throws H2h3Error `unsupported` or `process-failed` when network or server cannot be had. */
  async get(networkId: string, serverId: string): Promise<RunningPath> {
    const key = `${networkId}\u0000${serverId}`;
    const failure = this.#failed.get(key);
    if (failure) throw failure;
    const running = this.#running.get(key);
    if (running?.server.alive() === true) return running;
    try {
      // Of a server with programs behind it one may have died and the others hold on to its port.
      await running?.server.stop();
      const path = await this.#start(networkId, serverId);
      this.#running.set(key, path);
      return path;
    } catch (thrown) {
      const cause =
        thrown instanceof H2h3Error
          ? thrown
          : new H2h3Error('process-failed', messageOf(thrown), { cause: thrown });
      this.#failed.set(key, cause);
      throw cause;
    }
  }

  async #start(networkId: string, serverId: string): Promise<RunningPath> {
    const { networks, servers, roots, tempDir, runId, environment, pinning } = this.#options;
    const provider = networks.get(networkId);
    const serverProvider = servers.get(serverId);
    if (!provider || !serverProvider)
      throw new H2h3Error('internal', `no provider for ${networkId} or ${serverId}`);
    let network = this.#networks.get(networkId);
    if (!network) {
      const workDir = join(tempDir, `network-${this.#networks.size}`);
      await mkdir(workDir, { recursive: true });
      const hosts = roots.map((root) => root.host);
      const tcpCongestionControl = this.#options.tcpCongestionControl;
      network = await provider.start({
        runId,
        workDir,
        hosts,
        tcpCongestionControl,
        environment,
        cpus: pinning.serverCpus,
      });
      this.#networks.set(networkId, network);
    }
    const workDir = join(tempDir, `server-${this.#running.size}-${Date.now()}`);
    await mkdir(workDir, { recursive: true });
    const server = await serverProvider.start({
      roots,
      address: network.serverAddress,
      port: this.#options.port,
      certificates: this.#options.certificates,
      workDir,
      launchPrefix: [...network.serverPrefix, ...pinPrefix(pinning.serverCpus)],
      environment,
    });
    this.#requireLikeCongestion({ network, server });
    return { network, server };
  }

  #requireLikeCongestion({ network, server }: RunningPath): void {
    if (this.#options.allowCongestionMismatch) return;
    try {
      requireLikeCongestion(network.description, server.description);
    } catch (thrown) {
      if (thrown instanceof H2h3Error) this.#refusal = thrown;
      void server.stop();
      throw thrown;
    }
  }

  /** Why the whole run is refused, once a path was tried; undefined when it is not. */
  refusal(): H2h3Error | undefined {
    return this.#refusal;
  }

  /** The path if it is up already. */
  running(networkId: string, serverId: string): RunningPath | undefined {
    return this.#running.get(`${networkId}\u0000${serverId}`);
  }

  /** Every path that is up. */
  all(): readonly RunningPath[] {
    return [...this.#running.values()];
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ server }) => server.stop()));
    await Promise.all([...this.#networks.values()].map((network) => network.stop()));
  }
}
