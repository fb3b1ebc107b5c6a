import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { withLinkFactors } from '../../src/core/factors/link-factors.ts';
import { factorsSetIn } from '../../src/core/factors/registry.ts';
import type { AppliedBy } from '../../src/core/factors/values.ts';
import {
  describeNetwork,
  isScheduled,
  type DirectionSpec,
  type NetworkSpec,
} from '../../src/core/model/network-spec.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { isManaged } from '../../src/core/model/queue-kind.ts';
import { startEmulatedPath } from './emulated-path.ts';
import { backendVariable, chooseBackend } from './choose-backend.ts';
import { ensureQuicPrograms } from './crosstraffic-quic.ts';
import { ensureEmulatorPrograms, type EmulatorPrograms } from './emulator-programs.ts';
import { startNetemPath } from './netem-path.ts';
import type { LinkSettings, NetworkProvider, NetworkStartOptions, RunningNetwork } from './network.ts';
import { startLinkPath } from './link-path.ts';
import { hasV6, servedAddresses } from './path-ends.ts';
import { transferTimeoutMs } from './transfer-timeout.ts';
import { coursesOf, noCourses, type PathCourses } from './path-schedules.ts';
import { pathStart, tracesOf } from './path-traces.ts';
import { findPrivilege, requireProgram, type Privilege } from './privilege.ts';
import type { PathCheck } from './path-checks.ts';
import { measurePath, selfCheck } from './self-check.ts';
import { keepCpusAwake } from './awake-cpus.ts';
import { openUplink, uplinkLack, type Uplink } from './uplink.ts';
import { setEnds, slowStartNotes, type EndFacts } from './end-settings.ts';
import type { ShapedPath } from './shaped-path.ts';
import { raiseSocketLimits } from './socket-limits.ts';

function isImpaired(direction: DirectionSpec): boolean {
  const { rateMbps, trace, gilbertElliott, lossPercent, delayMs, reorderPercent } = direction;
  return (
    isScheduled(direction) ||
    rateMbps !== null ||
    trace !== undefined ||
    gilbertElliott !== undefined ||
    lossPercent > 0 ||
    delayMs > 0 ||
    reorderPercent > 0
  );
}

/** A network by its figures, between two namespaces. */
export function shapedNetwork(spec: NetworkSpec, context: SetupContext): NetworkProvider {
  return {
    id: spec.id,
    title: spec.title,
    unsupportedReason: (settings) => unsupportedSetting(spec, settings),
    require: async ({ settings, builds }) => {
      await tracesOf(spec);
      await coursesOf(spec);
      const privilege = await findPrivilege(context);
      if (settings.some(hasV6)) requireIpv6();
      if (builds) await ensureEmulatorPrograms(context);
      if (builds && settings.some((link) => link.crosstraffic?.transport === 'quic'))
        await ensureQuicPrograms(context);
      if (!spec.offloads) await chooseBackend(privilege, context);
      if (spec.offloads) await requireProgram('tc', 'iproute2', context);
      if (spec.offloads && settings.some(({ offloads }) => offloads !== undefined))
        await requireProgram('ethtool', 'ethtool', context);
    },
    start: async (options) => {
      const settings = options.settings ?? {};
      return startShaped(withLinkFactors(spec, settings), settings, options, context);
    },
  };
}

/** Why no link of this machine has addresses of IPv6; null where one can. `interfaces`: where the kernel lists them. */
export function ipv6Lack(interfaces = '/proc/net/if_inet6'): H2h3Error | null {
  if (existsSync(interfaces)) return null;
  return new H2h3Error('unsupported', 'the kernel of this machine has no IPv6', {
    next: 'Leave out family=, or start the machine without ipv6.disable=1.',
  });
}

/** @throws H2h3Error `unsupported` where the kernel has no IPv6 */
function requireIpv6(): void {
  const lack = ipv6Lack();
  if (lack !== null) throw lack;
}

/** The link factors that the ends of a path are set by; all others change the figures of its network. */
export const ends: { readonly applies: readonly AppliedBy<'link'>[] } = {
  applies: ['offloads', 'mtu', 'tcpbuffers', 'initialwindow', 'slowstartafteridle', 'ecn', 'family'],
};

/** Those that the emulator sees to by itself, which no pair of the kernel's devices can. */
const emulator: typeof ends = { applies: ['crosstraffic', 'ipv6'] };

/** Why a link of this network cannot be set so; undefined where it can. */
function unsupportedSetting(spec: NetworkSpec, settings: LinkSettings): string | undefined {
  const unknown = factorsSetIn(settings).find(
    (factor) =>
      factor.shape === undefined &&
      ![...ends.applies, ...emulator.applies].some((name) => name === factor.id),
  );
  if (unknown !== undefined) return `nothing here sets a link’s ${unknown.title}`;
  const values: Readonly<Record<string, unknown>> = settings;
  if (!spec.offloads && settings.offloads === 'on')
    return 'nothing larger than a packet crosses a link that is impaired';
  if (hasV6(settings) && settings.crosstraffic !== undefined)
    return 'another client of a link speaks IPv4 alone';
  const incompatibility = incompatibilityOf(spec, values);
  if (!spec.offloads) return incompatibility;
  if (emulator.applies.some((name) => settings[name] !== undefined))
    return 'a link between two devices of the kernel has no other client, and treats all packets alike';
  return isDeepStrictEqual(withLinkFactors(spec, settings), spec)
    ? incompatibility
    : 'it carries super-packets, which nothing delays, drops or reorders';
}

/** Each factor must fit the figures that those before it made. */
function incompatibilityOf(spec: NetworkSpec, values: Readonly<Record<string, unknown>>): string | undefined {
  let shaped = spec;
  for (const factor of factorsSetIn(values)) {
    const value = values[factor.id];
    const reason = factor.incompatibility?.(value, shaped);
    if (reason !== undefined) return reason;
    shaped = factor.shape?.(value, shaped) ?? shaped;
  }
  return undefined;
}

async function startShaped(
  spec: NetworkSpec,
  settings: LinkSettings,
  options: NetworkStartOptions,
  context: SetupContext,
): Promise<RunningNetwork> {
  const privilege = await findPrivilege(context);
  const programs = await ensureEmulatorPrograms(context);
  const path = await withHeldMachine(privilege, context, () =>
    startPath(spec, privilege, programs, options, context),
  );
  try {
    const checks = await checksOf(spec, path, programs, options);
    // After the check, which is made with packets and buffers of the usual size.
    const ends = await setEnds(path, settings);
    const whole = await ledOutside(path, privilege, options, context);
    return running(spec, privilege, whole, options, checks, ends);
  } catch (thrown) {
    await path.stop();
    throw thrown;
  }
}

function checksOf(
  spec: NetworkSpec,
  path: ShapedPath,
  { probe }: EmulatorPrograms,
  { check = 'required', checkDepth = 'full' }: NetworkStartOptions,
): Promise<PathCheck[]> {
  if (check === 'left-out') return Promise.resolve([]);
  const measure = check === 'required' ? selfCheck : measurePath;
  return measure(spec, path, probe, checkDepth);
}

/** The path with its far end led on into the machine's own network, where that is asked for. */
async function ledOutside(
  path: ShapedPath,
  privilege: Privilege,
  { outside = false }: NetworkStartOptions,
  context: SetupContext,
): Promise<ShapedPath> {
  if (outside === false || outside === 'names') return path;
  const lack = outside === 'where-possible' ? await uplinkLack(privilege, context) : null;
  return lack !== null && privilege.kind === 'user-namespace'
    ? endingAtMachine(path, lack.why)
    : withUplink(path, await openUplink(path, privilege, context));
}

function endingAtMachine(path: ShapedPath, isolationReason: string): ShapedPath {
  return {
    ...path,
    isolationReason,
    notes: [...path.notes, `nothing beyond this machine is reached: ${isolationReason}`],
  };
}

function withUplink(path: ShapedPath, uplink: Uplink): ShapedPath {
  const stop = async (): Promise<void> => {
    await uplink.stop();
    await path.stop();
  };
  const requireAlive = (): void => {
    if (!uplink.alive())
      throw new H2h3Error('process-failed', 'what led the path out of its namespace is gone');
    path.requireAlive();
  };
  const counters = (): Promise<Record<string, number>> => {
    requireAlive();
    return path.counters();
  };
  const led = { ...path, requireAlive, counters, stop };
  if (uplink.isolationReason !== null) return endingAtMachine(led, uplink.isolationReason);
  const note = 'beyond its far end the path goes on over this machine’s own network';
  return { ...led, notes: [...path.notes, note] };
}

/** Starts a path while the machine is held as paths need it. */
async function withHeldMachine(
  privilege: Privilege,
  { environment }: SetupContext,
  start: () => Promise<ShapedPath>,
): Promise<ShapedPath> {
  const limits = await raiseSocketLimits(privilege);
  const cpus = await keepCpusAwake(privilege, { environment });
  const release = async (): Promise<void> => {
    await cpus.stop();
    await limits.stop();
  };
  try {
    const path = await start();
    const stop = async (): Promise<void> => {
      await path.stop();
      await release();
    };
    const notes = [...path.notes, ...[limits, cpus].flatMap(({ note }) => note ?? [])];
    return { ...path, notes, cpusWakeLate: cpus.wakeLate, stop };
  } catch (thrown) {
    await release();
    throw thrown;
  }
}

/** Whether the path will have an uplink; in a user namespace there is none. */
const leadsOn = (privilege: Privilege, { outside = false }: NetworkStartOptions): boolean =>
  outside === true ||
  typeof outside === 'object' ||
  (outside === 'where-possible' && privilege.kind !== 'user-namespace');

async function startPath(
  spec: NetworkSpec,
  privilege: Privilege,
  programs: EmulatorPrograms,
  options: NetworkStartOptions,
  context: SetupContext,
): Promise<ShapedPath> {
  if (spec.offloads) return startLinkPath(spec, privilege, options, context);
  // netem's namespace in the middle knows its two ends only.
  const backend = leadsOn(privilege, options) ? 'emulator' : await chooseBackend(privilege, context);
  const reason = backend === 'netem' ? netemLackFor(spec, options) : undefined;
  if (reason !== undefined)
    throw new H2h3Error('unsupported', `${reason}, as ${spec.id} asks`, {
      next: `Let every arm go over the project's own emulator: ${backendVariable}=emulator h2h3 …`,
    });
  return backend === 'netem'
    ? startNetemPath(spec, privilege, options, context)
    : startEmulatedPath({ spec, privilege, programs, options, context });
}

/** What only the emulator does, whatever the kernel. */
function netemLackFor(
  { duplex, up, down }: NetworkSpec,
  { settings }: NetworkStartOptions,
): string | undefined {
  const either = [up, down];
  if (duplex === 'half') return 'each direction of a path of netem has a link of its own';
  if (either.some(({ queuePackets }) => queuePackets !== undefined))
    return 'the token bucket of netem’s namespace counts bytes';
  if (either.some(({ connectDelayMs = 0 }) => connectDelayMs > 0))
    return 'netem cannot hold back connecting alone';
  if (either.some(isScheduled)) return 'netem follows no schedule';
  if (either.some(isManaged)) return 'the namespace of netem has a drop-tail queue alone';
  if (hasV6(settings ?? {})) return 'the namespace of netem passes IPv4 alone';
  return settings?.crosstraffic === undefined ? undefined : 'no other client joins a path of netem';
}

/** Whether its queues are told of with each trial. */
function tellsOfQueues({ up, down }: NetworkSpec, { settings = {} }: NetworkStartOptions): boolean {
  const { queue, queuesize, ecn, crosstraffic } = settings;
  return isManaged(up) || isManaged(down) || (queue ?? queuesize ?? ecn ?? crosstraffic) !== undefined;
}

function running(
  spec: NetworkSpec,
  privilege: Privilege,
  path: ShapedPath,
  options: NetworkStartOptions,
  checks: readonly PathCheck[],
  ends: EndFacts,
): RunningNetwork {
  const { controlSocket } = path;
  return {
    description: {
      id: spec.id,
      backend: path.backend,
      description: `${spec.title}. ${describeNetwork(spec)}`,
      impaired: !spec.offloads && (isImpaired(spec.up) || isImpaired(spec.down)),
      privilege: privilege.kind,
      offloads: { ...path.offloads },
      ...ends,
      ...(options.settings?.family === undefined ? {} : { family: options.settings.family }),
      checks: [...checks],
      spec,
      ...(path.cpusWakeLate === undefined ? {} : { cpusWakeLate: path.cpusWakeLate }),
      notes: [
        ...depthNote(options),
        ...remeasuredNote(checks),
        ...pathNotes(path, options),
        ...startNotes(ends),
      ],
    },
    serverAddress: servedAddresses(path.place, options.settings ?? {}).farAddress,
    ...(options.settings?.family === 'both' ? { serverAddressV6: path.place.v6.farAddress } : {}),
    ...(path.isolationReason === undefined ? {} : { isolationReason: path.isolationReason }),
    ends: { near: path.client, far: path.server },
    clientPrefix: path.client.userPrefix,
    serverPrefix: path.server.userPrefix,
    startSignal: (blockSeed) =>
      controlSocket === null
        ? null
        : pathStart(path.traces, controlSocket, blockSeed, coursesOfStart(path, options)),
    requireAlive: path.requireAlive,
    counters: path.counters,
    ...(path.flows === undefined ? {} : { flows: path.flows }),
    ...(path.connectionStarts === undefined ? {} : { connectionStarts: path.connectionStarts }),
    ...(path.queue === undefined || !tellsOfQueues(spec, options) ? {} : { queue: path.queue }),
    ...(path.course === undefined || path.courses === undefined ? {} : { course: path.course }),
    ...(path.change === undefined ? {} : { change: path.change }),
    ...(path.crossTraffic === undefined ? {} : { startCrossTraffic: path.crossTraffic.start }),
    transferTimeoutMs: (bytes) =>
      transferTimeoutMs(spec, { traces: path.traces, courses: path.courses ?? noCourses }, bytes),
    stop: path.stop,
  };
}

/** The path's schedules, with where they begin. */
function coursesOfStart(
  { courses }: ShapedPath,
  { schedulesFromStart = false }: NetworkStartOptions,
): PathCourses | undefined {
  return courses === undefined ? undefined : { ...courses, fromStart: schedulesFromStart };
}

function depthNote({ checkDepth, check }: NetworkStartOptions): string[] {
  const isQuick = checkDepth === 'quick' && check !== 'left-out';
  return isQuick ? ['the path was checked quickly: not with TCP, and no managed queue'] : [];
}

function remeasuredNote([check]: readonly PathCheck[]): string[] {
  const rounds = check?.measurements?.length ?? 1;
  if (rounds === 1) return [];
  return [
    `the first check of the path failed; it was measured ${rounds} times, and each quantity goes by most`,
  ];
}

/** How TCP begins, and begins anew, on this path. */
function startNotes(ends: EndFacts): string[] {
  const { initialWindowPackets, initialReceiveWindowPackets } = ends;
  const packets = (count: number | undefined): string =>
    count === undefined ? 'as the kernel has it' : `${count} packets`;
  return [
    `TCP’s initial window: ${packets(initialWindowPackets)}`,
    `TCP’s first receive window at the client: ${packets(initialReceiveWindowPackets)}`,
    ...slowStartNotes(ends),
  ];
}

function pathNotes({ clientFacts, serverFacts, notes }: ShapedPath, options: NetworkStartOptions): string[] {
  const wanted = options.tcpCongestionControl;
  return [
    `TCP at the client: ${clientFacts.congestionControl}${wanted !== null && wanted !== clientFacts.congestionControl ? `, not ${wanted}` : ''}`,
    'rates and queues count IP bytes (header and payload, no link header)',
    ...notes,
    ...new Set([...clientFacts.notes, ...serverFacts.notes]),
  ];
}
