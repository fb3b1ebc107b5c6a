import { H2h3Error } from '../../src/core/model/errors.ts';
import type { NetworkSpec } from '../../src/core/model/network-spec.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { keepInOrder, mtuBytes } from './host-setup.ts';
import type { NetworkStartOptions, OffloadState } from './network.ts';
import { PathEnds } from './path-ends.ts';
import { requireProgram, type Privilege } from './privilege.ts';
import type { ShapedPath } from './shaped-path.ts';

/** The kernel's token bucket counts the link header of its devices. */
const linkHeaderBytes = 14;
/** Two super-packets of 64 KB: less would make the kernel cut them before they cross. */
const burstBytes = 128 * 1024;

/** The command that gives the device of one end its speed. */
export function linkSpeedCommand(deviceName: string, rateMbps: number, queueBytes: number): string {
  const bitsPerSecond = Math.round(rateMbps * 1e6 * ((mtuBytes + linkHeaderBytes) / mtuBytes));
  return `tc qdisc replace dev ${deviceName} root tbf rate ${bitsPerSecond}bit burst ${burstBytes} limit ${queueBytes + burstBytes}`;
}

/**
 * Two namespaces joined by a pair of devices of the kernel at the speed of a link, as between two network cards: the
 * sender waits for its own card, nothing is delayed, nothing is lost, and offloads stay as the kernel has them unless told
 * otherwise.
 */
export async function startLinkPath(
  spec: NetworkSpec,
  privilege: Privilege,
  options: NetworkStartOptions,
  context: SetupContext,
): Promise<ShapedPath> {
  await requireProgram('tc', 'iproute2', context);
  const ends = await PathEnds.open(spec.id, privilege, options, context);
  const { deviceName } = ends.place;
  return ends.join(async () => {
    const speed = ({ rateMbps, queueBytes }: NetworkSpec['up']): string[] =>
      rateMbps === null || queueBytes === null ? [] : [linkSpeedCommand(deviceName, rateMbps, queueBytes)];
    const singleQueue = 'numtxqueues 1 numrxqueues 1';
    const pair = `ip link add ${deviceName} ${singleQueue} type veth peer name ${deviceName} ${singleQueue} netns ${ends.server.pid}`;
    const facts = await ends.configure(options, {
      client: [pair, ...keepInOrder(deviceName), ...speed(spec.up)],
      server: [...keepInOrder(deviceName, options.cpus), ...speed(spec.down)],
    });
    return {
      backend: 'link',
      traces: { up: null, down: null },
      ...facts,
      offloads: await offloadsOf(ends, options.settings?.offloads, context),
      notes: [
        options.settings?.offloads === 'off'
          ? 'segmentation offloads are off at both ends: no packet larger than the MTU crosses the path'
          : 'super-packets cross the path, as between network cards with offloads',
      ],
      controlSocket: null,
      begin: () => Promise.resolve(),
      counters: () => ends.counters(),
    };
  });
}

const offloadNames: Readonly<Record<string, string>> = {
  'tcp-segmentation-offload': 'tso',
  'generic-segmentation-offload': 'gso',
  'generic-receive-offload': 'gro',
  'tx-udp-segmentation': 'tx-udp-segmentation',
};

/** Offloads out of `ethtool -k`. */
export function parseOffloads(text: string): Record<string, boolean> {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [name = '', state = ''] = line.trim().split(/:\s*/);
      const short = offloadNames[name];
      return short === undefined ? [] : [[short, state.startsWith('on')]];
    }),
  );
}

/**
 * Sets them at both ends where that is wanted, and reads them back. Empty without ethtool: then nothing is known of them,
 * and nothing was changed.
 *
 * @throws H2h3Error `unsupported` where they cannot be as they are wanted
 */
async function offloadsOf(
  { client, server, place: { deviceName } }: PathEnds,
  wanted: OffloadState | undefined,
  context: SetupContext,
): Promise<Record<string, boolean>> {
  const searchPath = `${context.environment['PATH'] ?? ''}:/usr/sbin:/sbin`;
  const place = { platform: context.platform, environment: { PATH: searchPath } };
  const ethtool =
    wanted === undefined
      ? await findOnPath('ethtool', place)
      : await requireProgram('ethtool', 'ethtool', context);
  if (ethtool === undefined) return {};
  const settings = Object.values(offloadNames).flatMap((name) => [name, wanted ?? '']);
  const set = wanted === undefined ? [] : [`${ethtool} -K ${deviceName} ${settings.join(' ')} >&2 && `];
  const read: Record<string, boolean>[] = [];
  for (const end of [client, server])
    read.push(parseOffloads(await end.script(`${set.join('')}${ethtool} -k ${deviceName}`)));
  const [near = {}, far = {}] = read;
  const states = Object.fromEntries(
    Object.entries(far).map(([name, state]) => [name, state && near[name] === true]),
  );
  if (wanted !== undefined) requireOffloads(wanted, [near, far]);
  return states;
}

/** @throws H2h3Error `unsupported` naming what is otherwise */
function requireOffloads(wanted: OffloadState, ends: readonly Readonly<Record<string, boolean>>[]): void {
  const other = Object.values(offloadNames).filter((name) =>
    ends.some((states) => states[name] !== (wanted === 'on')),
  );
  if (other.length === 0) return;
  throw new H2h3Error('unsupported', `${other.join(', ')} cannot be switched ${wanted} on this link`, {
    context: { expected: wanted, got: JSON.stringify(ends) },
  });
}
