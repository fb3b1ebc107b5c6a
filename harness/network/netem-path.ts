import path from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { NetworkSpec } from '../../src/core/model/network-spec.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { keepInOrder, type LinkPlace } from './host-setup.ts';
import { makeNamespace, type Namespace } from './namespace.ts';
import { shapeCommands } from './netem-commands.ts';
import { startTracePlayer, type TracePlayer } from './netem-trace-player.ts';
import type { NetworkStartOptions } from './network.ts';
import { PathEnds } from './path-ends.ts';
import { tracesOf, type PathTraces } from './path-traces.ts';
import { failureReason, type Privilege } from './privilege.ts';
import type { ShapedPath } from './shaped-path.ts';

/** Devices of the namespace between the ends. */
const toClient = 'to-client';
const toServer = 'to-server';
const singleQueue = 'numtxqueues 1 numrxqueues 1';

/**
 * Whether the kernel takes a netem qdisc and a token bucket as its child, found out by adding them in a namespace that
 * ends with the try. @returns why not; undefined when it does.
 */
export async function noNetemReason(
  privilege: Privilege,
  context: SetupContext,
): Promise<string | undefined> {
  const user = privilege.kind === 'user-namespace' ? ['--user', '--map-root-user'] : [];
  const script =
    'PATH="$PATH:/usr/sbin:/sbin"; ip link set lo up && tc qdisc add dev lo root handle 1: netem delay 1ms && tc qdisc add dev lo parent 1: handle 2: tbf rate 1mbit burst 1600 limit 30000';
  return failureReason([...privilege.adminPrefix, 'unshare', ...user, '--net', 'sh', '-c', script], context);
}

/** Nothing larger than the MTU leaves an end, and nothing is put together again on its way. */
function segmentCommands(deviceName: string): readonly string[] {
  return [
    ...keepInOrder(deviceName),
    `ip link set dev ${deviceName} gso_max_segs 1`,
    `ethtool -K ${deviceName} tso off gso off gro off tx-udp-segmentation off > /dev/null`,
  ];
}

/**
 * Makes both ends' devices and their peers in the middle, which passes packets on by routes to the two addresses and
 * answers each end's ARP for the other (proxy ARP): nothing but IP forwarding is needed of the kernel.
 */
function middleScript(place: LinkPlace, clientPid: number, serverPid: number): string {
  const { deviceName } = place;
  const sides = [
    { device: toClient, pid: clientPid, address: place.nearAddress },
    { device: toServer, pid: serverPid, address: place.farAddress },
  ];
  return [
    'set -e',
    'PATH="$PATH:/usr/sbin:/sbin"',
    'ip link set dev lo up',
    'echo 1 > /proc/sys/net/ipv4/ip_forward',
    ...sides.flatMap(({ device, pid, address }) => [
      `ip link add ${device} ${singleQueue} type veth peer name ${deviceName} ${singleQueue} netns ${pid}`,
      `ip link set dev ${device} gso_max_segs 1 up`,
      `ethtool -K ${device} tso off gso off gro off tx-udp-segmentation off > /dev/null`,
      ...keepInOrder(device),
      `echo 1 > /proc/sys/net/ipv4/conf/${device}/proxy_arp`,
      `echo 0 > /proc/sys/net/ipv4/neigh/${device}/proxy_delay`,
      `ip route add ${address} dev ${device}`,
    ]),
  ].join('\n');
}

/** Three namespaces: the ends, and between them one in which netem shapes what leaves it either way. */
export async function startNetemPath(
  spec: NetworkSpec,
  privilege: Privilege,
  options: NetworkStartOptions,
  context: SetupContext,
): Promise<ShapedPath> {
  const traces = await tracesOf(spec);
  requireSteps(traces, spec);
  const ends = await PathEnds.open(spec.id, privilege, options, context);
  const segment = segmentCommands(ends.place.deviceName);
  return ends.join(async () => {
    const middle = await makeNamespace(privilege, options.environment, context, ends.client);
    ends.add('namespace in the middle', middle);
    await middle.script(middleScript(ends.place, ends.client.pid, ends.server.pid));
    const facts = await ends.configure(options, { client: segment, server: segment });
    const shaping = [
      ...shapeCommands(toServer, spec.up, traces.up),
      ...shapeCommands(toClient, spec.down, traces.down),
    ];
    await middle.script(['set -e', 'PATH="$PATH:/usr/sbin:/sbin"', ...shaping].join('\n'));
    const player = await playerOf(spec, traces, middle, options);
    if (player) ends.add('trace player', player);
    return {
      backend: 'netem',
      traces,
      ...facts,
      offloads: { tso: false, gso: false, gro: false, 'tx-udp-segmentation': false },
      notes: ['netem and a token bucket of the kernel, in a namespace between both ends'],
      controlSocket: player?.socketPath ?? null,
      begin: (line) => player?.begin(line) ?? Promise.resolve(),
      counters: () => ends.counters(),
    };
  });
}

/** @throws H2h3Error `unsupported` for a mahimahi trace, whose single opportunities a token bucket cannot follow. */
function requireSteps(traces: PathTraces, spec: NetworkSpec): void {
  if (traces.up?.kind !== 'opportunities' && traces.down?.kind !== 'opportunities') return;
  throw new H2h3Error('unsupported', `${spec.id}: netem cannot play a mahimahi trace`, {
    next: 'Set H2H3_PATH_BACKEND=emulator: the emulator of h2h3 can.',
  });
}

async function playerOf(
  spec: NetworkSpec,
  traces: PathTraces,
  middle: Namespace,
  options: NetworkStartOptions,
): Promise<TracePlayer | null> {
  const parts = [
    { device: toServer, direction: spec.up, trace: traces.up },
    { device: toClient, direction: spec.down, trace: traces.down },
  ].flatMap(({ device, direction, trace }) =>
    trace?.kind === 'steps' ? [{ device, queueBytes: direction.queueBytes ?? 0, trace }] : [],
  );
  if (parts.length === 0) return null;
  return startTracePlayer(parts, middle, path.join(options.workDir, 'control.sock'), options.environment);
}
