import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { ensureEmulatorPrograms } from './emulator-programs.ts';
import { linkPlace } from './host-setup.ts';
import type { Namespace } from './namespace.ts';
import type { RunningNetwork } from './network.ts';
import { openingCommand } from './privilege.ts';

/** What keeps the machine's own ports reachable across a path. */
export interface LocalPorts {
  /** Ports that a server at the far end answers itself. */
  readonly answeredThere: readonly number[];
  /** @throws H2h3Error `process-failed` where what leads them across has ended */
  readonly requireAlive: () => void;
  readonly stop: () => Promise<void>;
}

/** Printed by the relay when its ports are open. */
const openedSchema = z.object({ answeredThere: z.array(z.number()) });

/** Of the routing table that holds the one route; rules with a smaller number come first. */
const table = 100;
const ruleFirst = 10;
const ruleLast = 32_000;

const loopback = '127.0.0.1';
/** A mapping of UDP is kept at least so long (RFC 4787, REQ-5). */
const udpIdleS = 120;
const searchPath = 'PATH="$PATH:/usr/sbin:/sbin"';
/** Loopback addresses may come from and go to another device. */
const localRoutes = '/proc/sys/net/ipv4/conf/all/route_localnet';
const allowLoopback = `echo 1 > ${localRoutes}`;

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
 * far end: what crosses is a connection of the path's own ends. UDP is passed datagram by datagram, with its ECN marks.
 *
 * @throws H2h3Error `unsupported` where sockets cannot be handed over, the kernel has no routing by rules, or its settings are read-only
 */
export async function leadPortsAcross(
  network: RunningNetwork,
  ports: readonly number[],
  environment: Readonly<Record<string, string>>,
  context: SetupContext,
): Promise<LocalPorts> {
  const { ends } = network;
  if (ends === undefined || ports.length === 0)
    return { answeredThere: [], requireAlive: () => undefined, stop: () => Promise.resolve() };
  if (network.description.privilege === 'sudo')
    throw new H2h3Error('unsupported', '--local needs root or user namespaces: sudo hands no sockets on', {
      next: sudoStep(await openingCommand()),
    });
  await requireSettable(ends.near);
  const { relay } = await ensureEmulatorPrograms(context);
  const opened = await openPorts([...network.serverPrefix, relay], ports, relay, environment);
  try {
    await ends.far.script([searchPath, 'set -e', allowLoopback].join('\n'));
    await ends.near.script(nearScript(ports));
    return opened;
  } catch (thrown) {
    await opened.stop();
    throw thrown;
  }
}

/** @throws H2h3Error `unsupported` where the kernel's settings are read-only in the namespace too */
async function requireSettable(end: Namespace): Promise<void> {
  if ((await end.script(`[ ! -w ${localRoutes} ] || echo settable`)).trim() === 'settable') return;
  throw new H2h3Error(
    'unsupported',
    'no port can be led across: /proc/sys is mounted read-only, as Docker does for an ordinary user',
    {
      context: { expected: `${localRoutes} can be written`, got: 'it cannot' },
      next: 'Run as root in the container (--user 0), or start it with --security-opt systempaths=unconfined.',
    },
  );
}

/** What to do where namespaces are made by sudo alone. @param opening the command that opens user namespaces, if one does */
export function sudoStep(opening: string | null): string {
  const root = 'Run the command as root';
  return opening === null
    ? `${root}.`
    : `Open user namespaces until the next start: ${opening}. Or ${root.toLowerCase()}.`;
}

/** @param farWords the relay's command at the far end */
async function openPorts(
  farWords: readonly string[],
  ports: readonly number[],
  relay: string,
  environment: Readonly<Record<string, string>>,
): Promise<LocalPorts> {
  // Its standard input stays open for as long as this process lives, and not longer.
  const child = spawn(relay, ['pass', String(udpIdleS), ...farWords, 'open', ...ports.map(String)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
    // Ctrl-C in the terminal is for the command, which may go on then.
    detached: true,
  });
  let stderr = '';
  child.stdin.on('error', () => undefined); // one that died has said why
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-2000)));
  const ended = once(child, 'close');
  const line = once(createInterface({ input: child.stdout }), 'line');
  const first = await Promise.race([line, ended.then(() => undefined)]);
  if (first === undefined)
    throw new H2h3Error('process-failed', `ports ${ports.join(', ')} cannot be opened at the far end`, {
      context: { stderrTail: tailOf(stderr, 2) },
    });
  const { answeredThere } = openedSchema.parse(JSON.parse(String(first[0])));
  return {
    answeredThere,
    requireAlive: () => {
      if (child.exitCode === null && child.signalCode === null) return;
      throw new H2h3Error(
        'process-failed',
        `the relay of --local ${ports.join(', ')} ended with ${child.exitCode ?? child.signalCode}`,
        { context: stderr === '' ? {} : { stderrTail: tailOf(stderr, 2) } },
      );
    },
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
