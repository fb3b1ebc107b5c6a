import { spawn, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import { createInterface } from 'node:readline';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import { endWithInput, isRunning } from './held-child.ts';
import { heldSettings } from './held-settings.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import type { LinkPlace } from './host-setup.ts';
import type { Namespace } from './namespace.ts';
import type { Privilege } from './privilege.ts';

/** What leads from the far end of a path into the machine's own network. */
export interface Uplink {
  /** Why it ends at this machine's own addresses; null where it goes on. */
  readonly isolationReason: string | null;
  readonly alive: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Why a path cannot lead on to where this machine reaches, and what to do about it. */
export interface NoUplink {
  readonly why: string;
  readonly next: string;
}

/** @returns null where it can */
export async function uplinkLack(
  { kind }: Privilege,
  { platform, environment }: Pick<SetupContext, 'platform' | 'environment'>,
): Promise<NoUplink | null> {
  if (kind === 'user-namespace')
    return {
      why: 'that leads out of a namespace, which needs root',
      next: 'Run as root or allow sudo without a password',
    };
  const searchPath = { ...environment, PATH: `${environment['PATH'] ?? ''}:/usr/sbin:/sbin` };
  for (const translator of ['nft', 'iptables'])
    if ((await findOnPath(translator, { platform, environment: searchPath })) !== undefined) return null;
  return {
    why: 'addresses are translated for that, and neither nft nor iptables is here',
    next: 'Install one: sudo apt-get install nftables',
  };
}

/** Its device in the namespace of the far end. */
const farDevice = 'h2h3-up';
const startLimitMs = 10_000;
const searchPath = 'PATH="$PATH:/usr/sbin:/sbin"';

/**
 * Of the range kept for benchmarks (RFC 2544), a part that paths themselves do not use. Each path has a number of its
 * own: the machine must tell their clients apart.
 */
const addresses = (
  path: number,
): { readonly host: string; readonly far: string; readonly client: string } => ({
  host: `198.19.${path}.1`,
  far: `198.19.${path}.2`,
  client: `198.19.${path}.5`,
});

/**
 * Run in the machine's own namespace until its standard input ends, which it does with the run however that ends: then it takes
 * back what it did. Beyond the machine itself the client's address means nothing, so it is translated (nftables or iptables).
 */
function hostScript(farPid: number): string {
  return `${searchPath}
set -e
${heldSettings('forwarding-$(stat -Lc %i /proc/self/ns/net)', [{ file: '/proc/sys/net/ipv4/ip_forward', value: 1 }])}
path=0
held=
translated=
until ip link add h2h3-up$path numtxqueues 1 numrxqueues 1 type veth peer name ${farDevice} numtxqueues 1 numrxqueues 1 netns ${farPid} 2>/dev/null || [ $path -ge 200 ]; do path=$((path + 1)); done
take_back() {
  set +e
  ip link del h2h3-up$path 2>/dev/null
  [ -z "$translated" ] || { [ "$translated" = nft ] && nft delete table ip h2h3_up$path || iptables -w -t nat -D POSTROUTING -s 198.19.$path.5 -j MASQUERADE; }
  [ -z "$held" ] || release_settings
}
trap take_back EXIT
trap 'exit 0' TERM INT HUP
ip address add 198.19.$path.1/30 dev h2h3-up$path
ip link set dev h2h3-up$path up
ip route add 198.19.$path.5 via 198.19.$path.2
if command -v nft > /dev/null; then
  nft "add table ip h2h3_up$path; add chain ip h2h3_up$path out { type nat hook postrouting priority 100; }; add rule ip h2h3_up$path out ip saddr 198.19.$path.5 masquerade"
  translated=nft
elif command -v iptables > /dev/null; then
  iptables -w -t nat -A POSTROUTING -s 198.19.$path.5 -j MASQUERADE
  translated=iptables
fi
[ -z "$translated" ] || { hold_settings; held=1; }
echo "ready $path"
while read -r ignored; do :; done`;
}

/** Of this machine, in the form of a route, without that at which the path ends. */
function ownAddresses(path: number): string[] {
  const all = Object.values(os.networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  return all
    .filter(
      ({ family, internal, address }) => family === 'IPv4' && !internal && address !== addresses(path).host,
    )
    .map(({ address }) => `${address}/32`);
}

/** @param targets routes; for any other address the sender is told at once that there is no way */
function farScript(path: number, targets: readonly string[], { deviceName, nearAddress }: LinkPlace): string {
  const { host, far, client } = addresses(path);
  return [
    searchPath,
    'set -e',
    `ip address add ${far}/30 dev ${farDevice}`,
    `ip link set dev ${farDevice} up`,
    ...new Set(targets.map((target) => `ip route replace ${target} via ${host}`)),
    `ip route add ${client} via ${nearAddress} dev ${deviceName}`,
    'echo 1 > /proc/sys/net/ipv4/ip_forward',
  ].join('\n');
}

/** Ports of one path's client, and how many paths have other ones. */
const portsOfClient = 6_000;
const firstPort = 12_000;
const clientsApart = 8;

/**
 * Two paths' clients must not come from one port: the machine that they are translated to would give the second another one, and a
 * server's log names a connection by that.
 */
function portRange(path: number): string {
  const from = firstPort + (path % clientsApart) * portsOfClient;
  return `${from} ${from + portsOfClient - 1}`;
}

/** A name server of the machine itself (127.…) cannot be asked from a namespace; the ones behind it can. */
function clientScript(path: number, { deviceName, farAddress }: LinkPlace): string {
  const behind = '/run/systemd/resolve/resolv.conf';
  const { client } = addresses(path);
  return [
    searchPath,
    'set -e',
    `ip address add ${client}/32 dev lo`,
    `echo "${portRange(path)}" > /proc/sys/net/ipv4/ip_local_port_range`,
    `ip route add default via ${farAddress} dev ${deviceName} src ${client}`,
    `if grep -q '^nameserver 127' /etc/resolv.conf && [ -e ${behind} ]; then mount --bind ${behind} /etc/resolv.conf; fi`,
  ].join('\n');
}

/**
 * Leads the far end of a path on into the machine's own network, and from there to wherever that reaches if addresses can be
 * translated.
 *
 * @throws H2h3Error `unsupported` without administrator's rights, `process-failed` when a command fails
 */
export async function openUplink(
  ends: { readonly client: Namespace; readonly server: Namespace; readonly place: LinkPlace },
  privilege: Privilege,
  context: SetupContext,
): Promise<Uplink> {
  const lack = await uplinkLack(privilege, context);
  if (lack !== null && privilege.kind === 'user-namespace')
    throw new H2h3Error(
      'unsupported',
      'a shaped path beyond this machine needs root: it leads out of a namespace',
      {
        next: `${lack.next}. A live address can also be recorded (\`npx h2h3 record URL\`), and the recording run.`,
      },
    );
  const [program = '', ...args] = [...privilege.adminPrefix, 'sh', '-c', hostScript(ends.server.pid)];
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Not of the run's processes, which are killed where they outlive it: this one has something to take back first.
    // Ctrl-C in the terminal is the run's to handle.
    detached: true,
  });
  child.stdin.on('error', () => undefined); // one that died is noticed by `alive`
  try {
    const path = await readiness(child);
    const targets = lack === null ? ['default'] : ownAddresses(path);
    await ends.server.script(farScript(path, targets, ends.place));
    await ends.client.script(clientScript(path, ends.place));
    return {
      isolationReason: lack?.why ?? null,
      alive: () => isRunning(child),
      stop: () => endWithInput(child),
    };
  } catch (thrown) {
    await endWithInput(child);
    throw thrown;
  }
}

/** @returns the number of its path */
async function readiness(child: ChildProcess): Promise<number> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), startLimitMs);
  try {
    return await new Promise<number>((resolve, reject) => {
      if (child.stdout)
        createInterface({ input: child.stdout }).on('line', (line) => {
          const [, number] = /^ready (\d+)$/.exec(line) ?? [];
          if (number !== undefined) resolve(Number(number));
        });
      child.once('error', reject);
      child.once('close', () => reject(new Error(tailOf(stderr, 3) || 'it ended without a word')));
    });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new H2h3Error('process-failed', `the path cannot be led out of its namespace: ${message}`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}
