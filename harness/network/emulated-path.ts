import path from 'node:path';
import type { NetworkSpec } from '../../src/core/model/network-spec.ts';
import { pinPrefix } from '../../src/core/system/processes/cpu-affinity.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { CrossTrafficClient } from './crosstraffic-client.ts';
import { connectionStart } from './connection-flights.ts';
import { startEmulator, type EmulatorProcess } from './emulator-process.ts';
import type { EmulatorPrograms } from './emulator-programs.ts';
import { prepareDirection } from './emulator-settings.ts';
import type { LinkSettings, NetworkStartOptions } from './network.ts';
import { emulatorCounters } from './path-counters.ts';
import { PathEnds } from './path-ends.ts';
import { coursesOf, type PathCourses } from './path-schedules.ts';
import { tracesOf, type PathTraces } from './path-traces.ts';
import type { Privilege } from './privilege.ts';
import type { ShapedPath } from './shaped-path.ts';

/** What the ends may do; no super-packet crosses the path, whatever they do. */
function offloadsOf({ tcpOffload, udpOffload }: EmulatorProcess): Record<string, boolean> {
  return { tso: tcpOffload, gso: tcpOffload, gro: tcpOffload, 'tx-udp-segmentation': udpOffload };
}

export interface StartEmulatedPathOptions {
  readonly spec: NetworkSpec;
  readonly privilege: Privilege;
  readonly programs: EmulatorPrograms;
  readonly options: NetworkStartOptions;
  readonly context: SetupContext;
}

/** Two namespaces whose TUN devices the emulator joins. @throws H2h3Error when any part of it cannot be had. */
export async function startEmulatedPath(start: StartEmulatedPathOptions): Promise<ShapedPath> {
  const { spec, privilege, programs, options, context } = start;
  const traces = await tracesOf(spec);
  const courses = await coursesOf(spec);
  const ends = await PathEnds.open(spec.id, privilege, options, context);
  return ends.join(async () => {
    const controlSocket = path.join(options.workDir, 'control.sock');
    const load = crossTrafficOf(options);
    const crossTraffic =
      load === undefined
        ? undefined
        : await CrossTrafficClient.open(
            ends,
            { load, program: programs.crossTraffic },
            { privilege, context },
            options,
          );
    const emulator = await startBetween({ ...start, ends, traces, courses, controlSocket, crossTraffic });
    ends.add('emulator', emulator);
    const facts = await ends.configure(options, { client: [], server: [] });
    await crossTraffic?.configure(ends);
    return {
      backend: 'emulator',
      traces,
      ...(courses.up === null && courses.down === null ? {} : { courses }),
      ...facts,
      offloads: offloadsOf(emulator),
      notes: [
        ...(emulator.tcpOffload
          ? ['the ends hand over super-packets, which are cut into packets before loss and queue']
          : []),
        emulator.realtime
          ? 'the emulator runs with real-time priority (SCHED_FIFO)'
          : 'the emulator got no real-time priority: other load may make packets late',
      ],
      controlSocket,
      begin: emulator.begin,
      counters: async () => {
        ends.requireAlive();
        return { ...emulatorCounters(await emulator.stats()), ...(await ends.counters()) };
      },
      flows: emulator.flows,
      connectionStarts: async () => (await emulator.flights()).map(connectionStart),
      queue: emulator.queue,
      course: emulator.course,
      change: emulator.change,
      ...(crossTraffic === undefined
        ? {}
        : { crossTraffic: { client: crossTraffic.namespace, start: () => crossTraffic.load() } }),
    };
  });
}

interface StartBetweenOptions extends StartEmulatedPathOptions {
  readonly ends: PathEnds;
  readonly traces: PathTraces;
  readonly courses: PathCourses;
  readonly controlSocket: string;
  readonly crossTraffic: CrossTrafficClient | undefined;
}

/** What another client loads; it shares the client's own link, not those behind a proxy. */
function crossTrafficOf({ settings, link }: NetworkStartOptions): LinkSettings['crosstraffic'] {
  return (link?.index ?? 0) === 0 ? settings?.crosstraffic : undefined;
}

async function startBetween(start: StartBetweenOptions): Promise<EmulatorProcess> {
  const { ends, spec, traces, courses, privilege, programs, options, controlSocket, crossTraffic } = start;
  const { ipv6 } = options.settings ?? {};
  const marking = options.settings?.ecn !== 'on' ? 'none' : options.joinsMarked === true ? 'joined' : 'apart';
  const settingsOf = (way: 'up' | 'down'): Promise<string> =>
    prepareDirection(path.join(options.workDir, way), {
      direction: spec[way],
      trace: traces[way],
      course: courses[way],
      marking,
      // A round trip is later by as much.
      ...(way === 'up' && ipv6 !== undefined ? { ipv6 } : {}),
      sharesLink: way === 'down' && spec.duplex === 'half',
    });
  return startEmulator({
    prefix: [...emulatorPrefix(ends.client.pid, privilege), ...pinPrefix(options.cpus)],
    program: programs.emulator,
    clientNamespace: `/proc/${ends.client.pid}/ns/net`,
    serverNamespace: `/proc/${ends.server.pid}/ns/net`,
    device: ends.place.deviceName,
    controlSocket,
    offloads: options.settings?.offloads ?? 'on',
    up: await settingsOf('up'),
    down: await settingsOf('down'),
    ...(crossTraffic === undefined
      ? {}
      : {
          crossTraffic: {
            namespace: `/proc/${crossTraffic.namespace.pid}/ns/net`,
            address: crossTraffic.address,
          },
        }),
    environment: options.environment,
  });
}

/** The emulator enters the network namespaces itself; in a user namespace it must be one of its members. */
function emulatorPrefix(clientPid: number, privilege: Privilege): readonly string[] {
  return privilege.kind === 'user-namespace'
    ? ['nsenter', '--target', String(clientPid), '--user', '--preserve-credentials', '--']
    : privilege.adminPrefix;
}
