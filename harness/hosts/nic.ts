import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import os from 'node:os';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { Nic, Sending } from '../../src/core/model/nic.ts';
import { readIfThere } from '../../src/core/system/machine.ts';
import { runProgram } from '../../src/core/system/run-program.ts';
import { parseOffloads } from '../network/link-path.ts';

const lookLimitMs = 5_000;
const anyPort = 9;

/**
 * What this machine has at one of its addresses, read and never changed; undefined where it has no such address.
 *
 * @param peer address of the other machine
 */
export async function nicAt(address: string, peer: string): Promise<Nic | undefined> {
  const device = Object.entries(os.networkInterfaces()).find(([, of]) =>
    of?.some((one) => one.address === address),
  )?.[0];
  if (device === undefined) return undefined;
  const link = parseLink(await saidBy('ip', ['-o', 'link', 'show', 'dev', device]));
  const offloads = parseOffloads(await saidBy('ethtool', ['-k', device]));
  return {
    device,
    ...link,
    speedMbps: positive(readIfThere(`/sys/class/net/${device}/speed`)),
    offloads: Object.keys(offloads).length === 0 ? null : offloads,
    receiveBufferBytes: positive(readIfThere('/proc/sys/net/core/rmem_max')),
    sending: parseSending(
      (name) => readIfThere(`/proc/sys/net/${name}`),
      await saidBy('ip', ['-o', 'route', 'get', peer]),
    ),
  };
}

/**
 * How it sends (ip-sysctl).
 *
 * @param setting text of a setting below `net`; null where it cannot be read
 * @param route to the other machine, a line of `ip -o route get`
 */
export function parseSending(setting: (name: string) => string | null, route: string): Sending {
  const word = /^[\w-]{1,40}$/.exec(setting('ipv4/tcp_congestion_control') ?? '')?.[0];
  // The least, the first and the most.
  const most = (name: string): number | null => positive(setting(name)?.trim().split(/\s+/)[2]);
  const idle = setting('ipv4/tcp_slow_start_after_idle');
  return {
    tcpCongestionControl: word ?? null,
    initialWindowPackets: positive(/ initcwnd (\d{1,9})\b/.exec(route)?.[1]),
    tcpSendBufferBytes: most('ipv4/tcp_wmem'),
    tcpReceiveBufferBytes: most('ipv4/tcp_rmem'),
    sendBufferBytes: positive(setting('core/wmem_max')),
    slowStartAfterIdle: idle === null ? null : idle === '0' ? 'off' : 'on',
  };
}

/** A line of `ip -o link`. */
export function parseLink(text: string): Pick<Nic, 'mtuBytes' | 'queueing'> {
  return {
    mtuBytes: positive(/ mtu (\d{1,9}) /.exec(text)?.[1]),
    queueing: / qdisc ([\w-]{1,40}) /.exec(text)?.[1] ?? null,
  };
}

/** Devices without a speed of their own say -1, or nothing. */
function positive(text: string | null | undefined): number | null {
  const value = Number(text ?? Number.NaN);
  return Number.isFinite(value) && value > 0 ? value : null;
}

/** Empty where there is no such program, or it fails. */
async function saidBy(program: string, args: readonly string[]): Promise<string> {
  // Both lie in sbin, which is not on every user's PATH.
  const environment = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };
  try {
    return (await runProgram(program, args, { timeoutMs: lookLimitMs, environment })).stdout;
  } catch (thrown) {
    if (thrown instanceof H2h3Error) return '';
    throw thrown;
  }
}

/** The same of the one from which this machine reaches an address. */
export async function nicTowards(address: string): Promise<Nic | undefined> {
  const socket = createSocket('udp4');
  try {
    // Nothing is sent: the kernel chooses where packets would leave.
    const connected = once(socket, 'connect').then(
      () => true,
      () => false, // there is no way
    );
    socket.connect(anyPort, address);
    return (await connected) ? await nicAt(socket.address().address, address) : undefined;
  } finally {
    socket.close();
  }
}
