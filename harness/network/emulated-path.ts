import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../src/model/errors.ts';
import { deriveSeed, seededRandom } from '../../src/model/seeded-random.ts';
import type { DirectionSpec, NetworkSpec } from '../../src/model/network-spec.ts';
import { pinPrefix } from '../pinning.ts';
import type { SetupContext } from '../setup/setup-context.ts';
import { startEmulator } from './emulator-process.ts';
import type { EmulatorPrograms } from './emulator-programs.ts';
import { prepareDirection } from './emulator-settings.ts';
import { clientAddress, deviceName, hostFacts, hostScript, hostsFile, serverAddress } from './host-setup.ts';
import { makeNamespace, type Namespace } from './namespace.ts';
import type { NetworkStartOptions } from './network.ts';
import { emulatorCounters, endCounters } from './path-counters.ts';
import type { Privilege } from './privilege.ts';
import type { ShapedPath } from './shaped-path.ts';
import type { Trace } from './traces/trace.ts';
import { traceOfSource } from './traces/trace-of-source.ts';

/** Both directions' traces; null where the rate does not vary. */
export interface Traces {
  readonly up: Trace | null;
  readonly down: Trace | null;
}

async function traceOf(direction: DirectionSpec): Promise<Trace | null> {
  return direction.trace ? traceOfSource(direction.trace) : null;
}

/** @throws H2h3Error `bad-input` for a trace that cannot be read or used. */
export async function tracesOf(spec: NetworkSpec): Promise<Traces> {
  return { up: await traceOf(spec.up), down: await traceOf(spec.down) };
}

/** Where in the traces a block begins: the same for all its arms, anywhere in the longer of both. */
export function traceOffsetMs(traces: Traces, blockSeed: number): number {
  const lengthMs = Math.max(traces.up?.lengthMs ?? 0, traces.down?.lengthMs ?? 0);
  return seededRandom(deriveSeed(blockSeed, 'trace-offset')).next() * lengthMs;
}

/** The line that begins traces and random numbers anew. */
export function startLine(traces: Traces, blockSeed: number): string {
  return `start ${blockSeed} ${Math.round(traceOffsetMs(traces, blockSeed) * 1e6)}`;
}

/** Two namespaces whose TUN devices the emulator joins. @throws H2h3Error when any part of it cannot be had. */
export async function startEmulatedPath(
  spec: NetworkSpec,
  privilege: Privilege,
  programs: EmulatorPrograms,
  options: NetworkStartOptions,
  context: SetupContext,
): Promise<ShapedPath> {
  const traces = await tracesOf(spec);
  const opened: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const part of opened.toReversed()) await part.stop();
  };
  try {
    const client = await makeNamespace(privilege, options.environment, context);
    opened.push(client);
    const server = await makeNamespace(privilege, options.environment, context, client);
    opened.push(server);
    const controlSocket = path.join(options.workDir, 'control.sock');
    const emulator = await startEmulator({
      prefix: [...emulatorPrefix(client, privilege), ...pinPrefix(options.cpus)],
      program: programs.emulator,
      clientNamespace: `/proc/${client.pid}/ns/net`,
      serverNamespace: `/proc/${server.pid}/ns/net`,
      device: deviceName,
      controlSocket,
      up: await prepareDirection(spec.up, traces.up, path.join(options.workDir, 'up.trace')),
      down: await prepareDirection(spec.down, traces.down, path.join(options.workDir, 'down.trace')),
      environment: options.environment,
    });
    opened.push(emulator);
    const hosts = path.join(options.workDir, 'hosts');
    await writeFile(hosts, hostsFile(options.hosts));
    const ends = { hostsFile: hosts, tcpCongestionControl: options.tcpCongestionControl, deviceCommands: [] };
    const clientFacts = hostFacts(
      await client.script(hostScript({ ...ends, address: clientAddress, peerAddress: serverAddress })),
    );
    const serverFacts = hostFacts(
      await server.script(hostScript({ ...ends, address: serverAddress, peerAddress: clientAddress })),
    );
    return {
      backend: 'emulator',
      client,
      server,
      traces,
      clientFacts,
      serverFacts,
      offloads: { tso: false, gso: false, gro: false },
      notes: [
        emulator.realtime
          ? 'the emulator runs with real-time priority (SCHED_FIFO)'
          : 'the emulator got no real-time priority: other load may make packets late',
      ],
      controlSocket,
      begin: emulator.begin,
      counters: async () => {
        if (!emulator.alive() || !client.alive() || !server.alive())
          throw new H2h3Error(
            'process-failed',
            `the path ${spec.id} is gone: its emulator or a namespace ended`,
          );
        return {
          ...emulatorCounters(await emulator.stats()),
          ...(await endCounters([client.pid, server.pid], deviceName)),
        };
      },
      stop,
    };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** The emulator enters the network namespaces itself; in a user namespace it must be one of its members. */
function emulatorPrefix(client: Namespace, privilege: Privilege): readonly string[] {
  return privilege.kind === 'user-namespace'
    ? ['nsenter', '--target', String(client.pid), '--user', '--preserve-credentials', '--']
    : privilege.adminPrefix;
}
