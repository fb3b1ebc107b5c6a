import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import {
  hostFacts,
  hostScript,
  hostsFile,
  linkPlace,
  type HostFacts,
  type LinkAddresses,
  type LinkPlace,
} from './host-setup.ts';
import { makeNamespace, type Namespace } from './namespace.ts';
import type { LinkSettings, NetworkStartOptions } from './network.ts';
import { endCounters } from './path-counters.ts';
import type { Privilege } from './privilege.ts';
import type { ShapedPath } from './shaped-path.ts';

/** Commands, in a shell, that make the device of an end; run in its namespace. */
export interface DeviceCommands {
  readonly client: readonly string[];
  readonly server: readonly string[];
}

/** What lies between the ends of a path. */
type Between = Omit<ShapedPath, 'client' | 'server' | 'place' | 'requireAlive' | 'stop'>;

/** The addresses over which client and server speak; the path's check goes over those of IPv4. */
export function servedAddresses(place: LinkPlace, { family }: LinkSettings): LinkAddresses {
  return family === '6' ? place.v6 : place;
}

/** Whether the ends of a link have IPv6. */
export const hasV6 = ({ family }: LinkSettings): boolean => family === '6' || family === 'both';

/** The hosts file of both ends: for what is not ours, names lead where they lead on this machine. */
async function namesOf(
  outside: NonNullable<NetworkStartOptions['outside']>,
  hosts: readonly string[],
  farAddress: string,
): Promise<string> {
  if (outside === false) return hostsFile(hosts, farAddress);
  return typeof outside === 'object' ? hostsFile(hosts, outside.machine) : readFile('/etc/hosts', 'utf8');
}

/** A process that a path needs. */
export interface PathPart {
  alive(): boolean;
  stop(): Promise<void>;
}

/** The two ends of a path, and whatever else was started for it. */
export class PathEnds {
  readonly client: Namespace;
  readonly server: Namespace;
  readonly place: LinkPlace;
  readonly #id: string;
  readonly #opened: { readonly name: string; readonly part: PathPart }[];

  private constructor(id: string, place: LinkPlace, near: Namespace | null, made: readonly Namespace[]) {
    const [client, server] = near === null ? made : [near, ...made];
    if (client === undefined || server === undefined) throw new H2h3Error('internal', `${id} lacks an end`);
    this.#id = id;
    this.place = place;
    this.client = client;
    this.server = server;
    this.#opened = made.map((part) => ({ name: 'namespace', part }));
  }

  /**
   * Makes the namespaces of both ends, of a later link in a chain only that of its far end.
   *
   * @throws H2h3Error `unsupported` when namespaces cannot be made.
   */
  static async open(
    id: string,
    privilege: Privilege,
    options: NetworkStartOptions,
    context: SetupContext,
  ): Promise<PathEnds> {
    const { index, near } = options.link ?? { index: 0, near: null };
    const made: Namespace[] = [];
    const make = async (): Promise<void> => {
      made.push(await makeNamespace(privilege, options.environment, context, near ?? made[0]));
    };
    try {
      if (near === null) await make();
      await make();
      return new PathEnds(id, linkPlace(index), near, made);
    } catch (thrown) {
      for (const namespace of made) await namespace.stop();
      throw thrown;
    }
  }

  /**
   * The path that `make` makes between them, which ends with them; they end where it cannot be made.
   *
   * @throws what `make` throws
   */
  async join(make: () => Promise<Between>): Promise<ShapedPath> {
    try {
      const { client, server, place } = this;
      return {
        client,
        server,
        place,
        ...(await make()),
        requireAlive: () => this.requireAlive(),
        stop: () => this.stop(),
      };
    } catch (thrown) {
      await this.stop();
      throw thrown;
    }
  }

  /** Counters of the interfaces and sockets of both ends. @throws H2h3Error when a part of the path has died */
  counters(): ReturnType<typeof endCounters> {
    this.requireAlive();
    return endCounters([this.client.pid, this.server.pid], this.place.deviceName);
  }

  /** Something that ends with the path, before its namespaces. @param name as in "its emulator ended" */
  add(name: string, part: PathPart): void {
    this.#opened.push({ name, part });
  }

  /** Gives both ends devices, addresses, names and TCP's settings. @throws H2h3Error `process-failed` */
  async configure(
    options: NetworkStartOptions,
    devices: DeviceCommands,
  ): Promise<{ readonly clientFacts: HostFacts; readonly serverFacts: HostFacts }> {
    const file = path.join(options.workDir, 'hosts');
    const { deviceName, nearAddress, farAddress, spareAddress, v6 } = this.place;
    const { outside = false, hosts, settings = {} } = options;
    const named = servedAddresses(this.place, settings).farAddress;
    const own = await namesOf(outside, hosts, named);
    await writeFile(file, own);
    const { tcpCongestionControl } = options;
    const common = { deviceName, hostsFile: file, tcpCongestionControl };
    const near = hostScript({
      ...common,
      address: nearAddress,
      peerAddress: farAddress,
      deviceCommands: devices.client,
      ...(hasV6(settings) ? { v6Addresses: [v6.nearAddress, v6.spareAddress] } : {}),
      spare: { address: spareAddress, of: 'this end' },
    });
    const far = hostScript({
      ...common,
      address: farAddress,
      peerAddress: nearAddress,
      deviceCommands: devices.server,
      ...(hasV6(settings) ? { v6Addresses: [v6.farAddress] } : {}),
      spare: { address: spareAddress, of: 'the peer' },
    });
    const client = await this.client.script(near);
    const server = await this.server.script(far);
    return { clientFacts: hostFacts(client), serverFacts: hostFacts(server) };
  }

  /** @throws H2h3Error `process-failed` when a part of the path has ended. */
  requireAlive(): void {
    const ended = this.#opened.find(({ part }) => !part.alive());
    if (ended === undefined) return;
    throw new H2h3Error('process-failed', `the path ${this.#id} is gone: its ${ended.name} ended`);
  }

  async stop(): Promise<void> {
    for (const { part } of this.#opened.toReversed()) await part.stop();
  }
}
