import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../src/model/errors.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import {
  clientAddress,
  hostFacts,
  hostScript,
  hostsFile,
  serverAddress,
  type HostFacts,
} from './host-setup.ts';
import { makeNamespace, type Namespace } from './namespace.ts';
import type { NetworkStartOptions } from './network.ts';
import type { Privilege } from './privilege.ts';

/** Commands, in a shell, that make the device of an end; run in its namespace. */
export interface DeviceCommands {
  readonly client: readonly string[];
  readonly server: readonly string[];
}

/** The two ends of a path, and whatever else was started for it. */
export class PathEnds {
  readonly client: Namespace;
  readonly server: Namespace;
  readonly #id: string;
  readonly #opened: { stop(): Promise<void>; alive(): boolean }[];

  private constructor(id: string, client: Namespace, server: Namespace) {
    this.#id = id;
    this.client = client;
    this.server = server;
    this.#opened = [client, server];
  }

  /** @throws H2h3Error `unsupported` when namespaces cannot be made. */
  static async open(
    id: string,
    privilege: Privilege,
    options: NetworkStartOptions,
    context: SetupContext,
  ): Promise<PathEnds> {
    const client = await makeNamespace(privilege, options.environment, context);
    try {
      return new PathEnds(id, client, await makeNamespace(privilege, options.environment, context, client));
    } catch (thrown) {
      await client.stop();
      throw thrown;
    }
  }

  /** Something that ends with the path, before its namespaces. */
  add(part: { stop(): Promise<void>; alive(): boolean }): void {
    this.#opened.push(part);
  }

  /** Gives both ends devices, addresses, names and TCP's settings. @throws H2h3Error `process-failed` */
  async configure(
    options: NetworkStartOptions,
    devices: DeviceCommands,
  ): Promise<{ readonly clientFacts: HostFacts; readonly serverFacts: HostFacts }> {
    const file = path.join(options.workDir, 'hosts');
    await writeFile(file, hostsFile(options.hosts));
    const { tcpCongestionControl } = options;
    const end = (address: string, peerAddress: string, deviceCommands: readonly string[]): string =>
      hostScript({ address, peerAddress, hostsFile: file, tcpCongestionControl, deviceCommands });
    const client = await this.client.script(end(clientAddress, serverAddress, devices.client));
    const server = await this.server.script(end(serverAddress, clientAddress, devices.server));
    return { clientFacts: hostFacts(client), serverFacts: hostFacts(server) };
  }

  /** @throws H2h3Error `process-failed` when a part of the path has ended. */
  requireAlive(): void {
    if (this.#opened.every((part) => part.alive())) return;
    throw new H2h3Error('process-failed', `the path ${this.#id} is gone: a part of it ended`);
  }

  async stop(): Promise<void> {
    for (const part of this.#opened.toReversed()) await part.stop();
  }
}
