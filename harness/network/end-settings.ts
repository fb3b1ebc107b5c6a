import { H2h3Error } from '../../src/core/model/errors.ts';
import type { Namespace } from './namespace.ts';
import type { LinkSettings } from './network.ts';
import { servedAddresses } from './path-ends.ts';
import type { ShapedPath } from './shaped-path.ts';

/** What both ends of a link say when asked. */
export interface EndFacts {
  readonly mtuBytes: number;
  /** To which TCP's receive and send buffers may grow. */
  readonly tcpBufferBytes: number;
  /** TCP's initial window on its routes, where that was set. */
  readonly initialWindowPackets?: number;
  /** TCP's first receive window on the client's route, where the route has one. */
  readonly initialReceiveWindowPackets?: number;
  /** Whether TCP begins anew after idle time; absent where the ends differ or do not say. */
  readonly slowStartAfterIdle?: 'on' | 'off';
  /** Whether TCP asks for ECN, where that was set. */
  readonly ecn?: LinkSettings['ecn'];
}

/** So many packets a client's TCP takes at first by itself: 64 KB, half of the buffer that it begins with. */
const usuallyTakenPackets = 40;
/** Beyond the window, tickets and the handshake's last packets take room of the client's. */
const furtherPackets = 16;
/** The kernel keeps half of a receive buffer for itself (ip-sysctl, `tcp_adv_win_scale`). */
const bufferBytesOfPacket = 2 * 1500;

/** TCP's buffers begin with these (tcp(7), `tcp_rmem` and `tcp_wmem`), unless they may not grow as far. */
const firstBytes = { tcp_rmem: 131_072, tcp_wmem: 65_536 } as const;
const minBytes = 4096;

/** `tcp_ecn` (ip-sysctl): it is asked for and taken, or neither; the kernel's default takes it where others ask. */
const ecnValues = { on: '1', off: '0' } as const;
/** `tcp_slow_start_after_idle` (ip-sysctl). */
const idleValues = { on: '1', off: '0' } as const;

/** Where an end's TCP connections lead. */
interface End {
  readonly namespace: Pick<Namespace, 'script'>;
  readonly deviceName: string;
  /** To peers with which TCP is measured; empty: none. */
  readonly routes: readonly { readonly to: string; readonly from?: string }[];
}

function script(
  { deviceName, routes }: Pick<End, 'deviceName' | 'routes'>,
  { mtuBytes, tcpBufferBytes: most, ecn, initialWindowPackets, slowStartAfterIdle: idle }: Partial<EndFacts>,
): string {
  const buffers = Object.entries(firstBytes).map(
    ([name, first]) =>
      `echo "${minBytes} ${Math.min(first, most ?? first)} ${most}" > /proc/sys/net/ipv4/${name}`,
  );
  const takenPackets =
    initialWindowPackets === undefined || initialWindowPackets <= usuallyTakenPackets
      ? undefined
      : initialWindowPackets + furtherPackets;
  const windows = routes.map(({ to, from }) => {
    const source = from === undefined ? '' : ` src ${from}`;
    const taken = takenPackets === undefined ? '' : ` initrwnd ${takenPackets}`;
    return `ip route replace ${to} dev ${deviceName}${source} initcwnd ${initialWindowPackets}${taken}`;
  });
  return [
    'set -e',
    'PATH="$PATH:/usr/sbin:/sbin"',
    ...(mtuBytes === undefined ? [] : [`ip link set dev ${deviceName} mtu ${mtuBytes}`]),
    ...(most === undefined ? [] : buffers),
    ...(takenPackets === undefined ? [] : [firstReceiveBuffer(takenPackets * bufferBytesOfPacket)]),
    ...(ecn === undefined ? [] : [`echo ${ecnValues[ecn]} > /proc/sys/net/ipv4/tcp_ecn`]),
    ...(idle === undefined
      ? []
      : [`echo ${idleValues[idle]} > /proc/sys/net/ipv4/tcp_slow_start_after_idle`]),
    ...(initialWindowPackets === undefined ? [] : windows),
    `ip -o link show dev ${deviceName}`,
    ...[...Object.keys(firstBytes), 'tcp_ecn', 'tcp_slow_start_after_idle'].map(
      (name) => `echo "${name} $(cat /proc/sys/net/ipv4/${name})"`,
    ),
    ...routes.map(({ to }) => `echo "route $(ip -o route get ${to})"`),
  ].join('\n');
}

/**
 * Raises what TCP's receive buffer begins with; to how far it may grow stays as it is, and is the limit. A shell's `read` takes one
 * byte after the other, of which the kernel gives the first alone.
 */
function firstReceiveBuffer(bytes: number): string {
  const file = '/proc/sys/net/ipv4/tcp_rmem';
  return `set -- $(cat ${file}); echo "$1 ${bytes} $3" > ${file}`;
}

/** What the script's last lines say; of several routes the smallest window. */
export function parseEnd(text: string): EndFacts {
  const buffers = Object.keys(firstBytes).map((name) =>
    Number(new RegExp(String.raw`^${name}\s+\d+\s+\d+\s+(\d+)`, 'm').exec(text)?.[1]),
  );
  const ecn = /^tcp_ecn\s+(\d+)/m.exec(text)?.[1];
  const windows = [...text.matchAll(/^route .* initcwnd (\d+)/gm)].map(([, packets]) => Number(packets));
  const routeCount = text.match(/^route /gm)?.length ?? 0;
  const state = (['on', 'off'] as const).find((name) => ecnValues[name] === ecn);
  const idle = /^tcp_slow_start_after_idle\s+(\d+)/m.exec(text)?.[1];
  const afterIdle = (['on', 'off'] as const).find((name) => idleValues[name] === idle);
  const received = /^route .* initrwnd (\d+)/m.exec(text)?.[1];
  return {
    mtuBytes: Number(/ mtu (\d+)/.exec(text)?.[1]),
    tcpBufferBytes: Math.min(...buffers),
    ...(windows.length < Math.max(1, routeCount) ? {} : { initialWindowPackets: Math.min(...windows) }),
    ...(received === undefined ? {} : { initialReceiveWindowPackets: Number(received) }),
    ...(afterIdle === undefined ? {} : { slowStartAfterIdle: afterIdle }),
    ...(state === undefined ? {} : { ecn: state }),
  };
}

/**
 * Sets both ends of a link as it is wanted, and reads back what they have.
 *
 * @throws H2h3Error `unsupported` where one of them is otherwise
 */
export async function setEnds(
  { client, server, place, crossTraffic }: Pick<ShapedPath, 'client' | 'server' | 'place' | 'crossTraffic'>,
  wanted: LinkSettings,
): Promise<EndFacts> {
  const { mtu, tcpbuffers, initialwindow, slowstartafteridle, ecn } = wanted;
  const settings: Partial<EndFacts> = {
    ...(mtu === undefined ? {} : { mtuBytes: mtu.bytes }),
    ...(tcpbuffers === undefined ? {} : { tcpBufferBytes: tcpbuffers.bytes }),
    ...(initialwindow === undefined ? {} : { initialWindowPackets: initialwindow.packets }),
    ...(slowstartafteridle === undefined ? {} : { slowStartAfterIdle: slowstartafteridle }),
    ...(ecn === undefined ? {} : { ecn }),
  };
  const { deviceName } = place;
  const { nearAddress, farAddress, spareAddress } = servedAddresses(place, wanted);
  const measured: readonly End[] = [
    { namespace: client, deviceName, routes: [{ to: farAddress, from: nearAddress }] },
    { namespace: server, deviceName, routes: [{ to: nearAddress, from: farAddress }, { to: spareAddress }] },
  ];
  const others: readonly End[] =
    crossTraffic === undefined ? [] : [{ namespace: crossTraffic.client, deviceName, routes: [] }];
  const ends: EndFacts[] = [];
  for (const end of [...measured, ...others])
    ends.push(parseEnd(await end.namespace.script(script(end, settings))));
  for (const name of [
    'mtuBytes',
    'tcpBufferBytes',
    'ecn',
    'slowStartAfterIdle',
    'initialWindowPackets',
  ] as const) {
    const value = settings[name];
    const asked = name === 'initialWindowPackets' ? ends.slice(0, measured.length) : ends;
    if (value === undefined || asked.every((end) => end[name] === value)) continue;
    throw new H2h3Error('unsupported', `${name} of this link cannot be ${value}`, {
      context: {
        expected: String(value),
        got: asked.map((end) => end[name] ?? 'as the stack has it').join(' and '),
      },
    });
  }
  const [near] = ends;
  const isAlike = ends.every((end) => end.slowStartAfterIdle === near?.slowStartAfterIdle);
  const afterIdle = isAlike ? near?.slowStartAfterIdle : undefined;
  const received = near?.initialReceiveWindowPackets;
  return {
    mtuBytes: Math.min(...ends.map(({ mtuBytes }) => mtuBytes)),
    tcpBufferBytes: Math.min(...ends.map(({ tcpBufferBytes }) => tcpBufferBytes)),
    ...(initialwindow === undefined ? {} : { initialWindowPackets: initialwindow.packets }),
    ...(received === undefined ? {} : { initialReceiveWindowPackets: received }),
    ...(afterIdle === undefined ? {} : { slowStartAfterIdle: afterIdle }),
    ...(ecn === undefined ? {} : { ecn }),
  };
}

/** Whether TCP begins anew after idle time, as a note of a path. @param where at which end, where not at both */
export function slowStartNotes(
  { slowStartAfterIdle: state }: Pick<EndFacts, 'slowStartAfterIdle'>,
  where = '',
): string[] {
  return state === undefined ? [] : [`TCP’s slow start after idle${where}: ${state}`];
}
