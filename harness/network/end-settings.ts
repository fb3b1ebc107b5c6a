import { H2h3Error } from '../../src/model/errors.ts';
import type { LinkSettings } from './network.ts';
import type { ShapedPath } from './shaped-path.ts';

/** What both ends of a link say when asked. */
export interface EndFacts {
  readonly mtuBytes: number;
  /** To which TCP's receive and send buffers may grow. */
  readonly tcpBufferBytes: number;
  /** Whether TCP asks for ECN, where that was set. */
  readonly ecn?: LinkSettings['ecn'];
}

/** TCP's buffers begin with these (tcp(7), `tcp_rmem` and `tcp_wmem`), unless they may not grow as far. */
const firstBytes = { tcp_rmem: 131_072, tcp_wmem: 65_536 } as const;
const leastBytes = 4096;

/** `tcp_ecn` (ip-sysctl): it is asked for and taken, or neither; the kernel's default takes it where others ask. */
const ecnValues = { on: '1', off: '0' } as const;

function script(deviceName: string, { mtuBytes, tcpBufferBytes: most, ecn }: Partial<EndFacts>): string {
  const buffers = Object.entries(firstBytes).map(
    ([name, first]) =>
      `echo "${leastBytes} ${Math.min(first, most ?? first)} ${most}" > /proc/sys/net/ipv4/${name}`,
  );
  return [
    'set -e',
    'PATH="$PATH:/usr/sbin:/sbin"',
    ...(mtuBytes === undefined ? [] : [`ip link set dev ${deviceName} mtu ${mtuBytes}`]),
    ...(most === undefined ? [] : buffers),
    ...(ecn === undefined ? [] : [`echo ${ecnValues[ecn]} > /proc/sys/net/ipv4/tcp_ecn`]),
    `ip -o link show dev ${deviceName}`,
    ...[...Object.keys(firstBytes), 'tcp_ecn'].map(
      (name) => `echo "${name} $(cat /proc/sys/net/ipv4/${name})"`,
    ),
  ].join('\n');
}

/** What the script's last lines say. */
export function parseEnd(text: string): EndFacts {
  const buffers = Object.keys(firstBytes).map((name) =>
    Number(new RegExp(String.raw`^${name}\s+\d+\s+\d+\s+(\d+)`, 'm').exec(text)?.[1]),
  );
  const ecn = /^tcp_ecn\s+(\d+)/m.exec(text)?.[1];
  const state = (['on', 'off'] as const).find((name) => ecnValues[name] === ecn);
  return {
    mtuBytes: Number(/ mtu (\d+)/.exec(text)?.[1]),
    tcpBufferBytes: Math.min(...buffers),
    ...(state === undefined ? {} : { ecn: state }),
  };
}

/**
 * Sets both ends of a link as it is wanted, and reads back what they have.
 *
 * @throws H2h3Error `unsupported` where one of them is otherwise
 */
export async function setEnds(
  { client, server, place, beside }: Pick<ShapedPath, 'client' | 'server' | 'place' | 'beside'>,
  { mtu, tcpbuffers, ecn }: LinkSettings,
): Promise<EndFacts> {
  const settings: Partial<EndFacts> = {
    ...(mtu === undefined ? {} : { mtuBytes: mtu.bytes }),
    ...(tcpbuffers === undefined ? {} : { tcpBufferBytes: tcpbuffers.bytes }),
    ...(ecn === undefined ? {} : { ecn }),
  };
  const ends: EndFacts[] = [];
  for (const end of [client, server, ...(beside === undefined ? [] : [beside.client])])
    ends.push(parseEnd(await end.script(script(place.deviceName, settings))));
  for (const name of ['mtuBytes', 'tcpBufferBytes', 'ecn'] as const) {
    const wanted = settings[name];
    if (wanted === undefined || ends.every((end) => end[name] === wanted)) continue;
    throw new H2h3Error('unsupported', `${name} of this link cannot be ${wanted}`, {
      context: { expected: String(wanted), got: ends.map((end) => end[name]).join(' and ') },
    });
  }
  return {
    mtuBytes: Math.min(...ends.map(({ mtuBytes }) => mtuBytes)),
    tcpBufferBytes: Math.min(...ends.map(({ tcpBufferBytes }) => tcpBufferBytes)),
    ...(ecn === undefined ? {} : { ecn }),
  };
}
