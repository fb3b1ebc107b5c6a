import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket as DatagramSocket } from 'node:dgram';
import { Server } from 'node:net';
import { H2h3Error } from '../../src/model/errors.ts';
import { moduleFile } from '../../src/system/module-file.ts';
import { linkPlace } from './host-setup.ts';
import type { RunningNetwork } from './network.ts';
import { passDatagrams, passStreams } from './port-relay.ts';

/** What the listener at the far end says of a port; the socket comes along. `taken`: a server at the far end has it. */
export interface PortMessage {
  readonly port: number;
  readonly kind: 'tcp' | 'udp' | 'taken';
}

/** What keeps the machine's own ports reachable across a path. */
export interface LocalPorts {
  /** Ports that a server at the far end answers itself. */
  readonly answeredThere: readonly number[];
  readonly stop: () => void;
}

/** Of the routing table that holds the one route; rules with a smaller number come first. */
const table = 100;
const ruleFirst = 10;
const ruleLast = 32_000;

const loopback = '127.0.0.1';
const searchPath = 'PATH="$PATH:/usr/sbin:/sbin"';
/** Loopback addresses may come from and go to another device. */
const allowLoopback = 'echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet';

/**
 * At the near end these ports of its loopback, and no other, lead across the path: addresses stay `localhost`, and with them
 * cookies, certificates and the secure context. The kernel's own rule for local addresses comes first by default and goes last.
 */
export function nearScript(ports: readonly number[]): string {
  const { deviceName, nearAddress } = linkPlace(0);
  return [
    searchPath,
    'set -e',
    allowLoopback,
    `ip rule add pref ${ruleLast} lookup local`,
    ...ports.flatMap((port) =>
      ['tcp', 'udp'].map(
        (transport) =>
          `ip rule add pref ${ruleFirst} to ${loopback} ipproto ${transport} dport ${port} lookup ${table}`,
      ),
    ),
    'ip rule del pref 0',
    `ip route add ${loopback}/32 dev ${deviceName} src ${nearAddress} table ${table}`,
  ].join('\n');
}

/**
 * Lets the near end of a path reach ports of this machine's loopback at the same address, across the path. TCP ends at the
 * far end: what crosses is a connection of the path's own ends. UDP is passed datagram by datagram.
 *
 * @throws H2h3Error `unsupported` where sockets cannot be handed over, or the kernel has no routing by rules
 */
export async function leadPortsAcross(
  network: RunningNetwork,
  ports: readonly number[],
  environment: Readonly<Record<string, string>>,
): Promise<LocalPorts> {
  const { ends } = network;
  if (ends === undefined || ports.length === 0) return { answeredThere: [], stop: () => undefined };
  if (network.description.privilege === 'sudo')
    throw new H2h3Error('unsupported', '--local needs root or user namespaces: sudo hands no sockets on', {
      next: 'Run the command as root.',
    });
  const opened = await openPorts(network.serverPrefix, ports, environment);
  try {
    await ends.far.script([searchPath, 'set -e', allowLoopback].join('\n'));
    await ends.near.script(nearScript(ports));
    return opened;
  } catch (thrown) {
    opened.stop();
    throw thrown;
  }
}

async function openPorts(
  farPrefix: readonly string[],
  ports: readonly number[],
  environment: Readonly<Record<string, string>>,
): Promise<LocalPorts> {
  const listener = moduleFile('./port-listener.ts', import.meta.url);
  const words = [...farPrefix, process.execPath, listener, ...ports.map(String)];
  const [program = '', ...args] = words;
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ...environment },
  });
  const closers: (() => void)[] = [];
  const answeredThere: number[] = [];
  let missing = 2 * ports.length;
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.on('message', ({ port, kind }: PortMessage, handle) => {
    if (kind === 'taken') answeredThere.push(port);
    if (handle instanceof Server) closers.push(passStreams(handle, port));
    if (handle instanceof DatagramSocket) closers.push(passDatagrams(handle, port));
    missing -= kind === 'taken' ? 2 : 1;
    if (missing === 0) child.send('taken over');
  });
  const stop = (): void => closers.forEach((close) => close());
  await once(child, 'exit');
  if (missing === 0) return { answeredThere, stop };
  stop();
  throw new H2h3Error('process-failed', `ports ${ports.join(', ')} cannot be opened at the far end`, {
    context: { stderrTail: stderr.trim() },
  });
}
