import { readFile } from 'node:fs/promises';
import type { EmulatorStats } from './emulator-process.ts';
import { udpReceiveBufferErrors } from './loopback.ts';

/** A file of /proc that belongs to the network namespace of this process. */
function procFile(pid: number, name: string): Promise<string> {
  return readFile(`/proc/${pid}/net/${name}`, 'utf8');
}

/** Packets that the device itself dropped, both ways (`/proc/net/dev`: fields 4 and 12 after the name). */
export function deviceDrops(text: string, device: string): number {
  const line = text.split('\n').find((row) => row.trim().startsWith(`${device}:`));
  const fields = line?.split(':')[1]?.trim().split(/\s+/).map(Number) ?? [];
  return (fields[3] ?? 0) + (fields[11] ?? 0);
}

/** Packets that the kernel's backlog dropped, all CPUs (`/proc/net/softnet_stat`: second column, hexadecimal). */
export function softnetDrops(text: string): number {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .reduce((sum, line) => sum + Number.parseInt(line.split(/\s+/)[1] ?? '0', 16), 0);
}

/** Cumulative counters of both ends of a path: what was lost outside of what was set. */
export async function endCounters(pids: readonly number[], device: string): Promise<Record<string, number>> {
  const ends = await Promise.all(
    pids.map(async (pid) => ({
      udp: udpReceiveBufferErrors(await procFile(pid, 'snmp')) ?? 0,
      device: deviceDrops(await procFile(pid, 'dev'), device),
    })),
  );
  return {
    UdpRcvbufErrors: ends.reduce((sum, { udp }) => sum + udp, 0),
    interfaceDrops: ends.reduce((sum, end) => sum + end.device, 0),
    softnetDrops: softnetDrops(await readFile('/proc/net/softnet_stat', 'utf8')),
  };
}

/** The emulator's cumulative counters by name. Its CPU time is in ms. */
export function emulatorCounters(stats: EmulatorStats): Record<string, number> {
  const counters: Record<string, number> = { emulatorCpuMs: stats.cpuUs / 1000 };
  for (const [name, direction] of [
    ['Up', stats.up],
    ['Down', stats.down],
  ] as const) {
    counters[`emulator${name}Packets`] = direction.packetsOut;
    counters[`emulator${name}Bytes`] = direction.bytesOut;
    counters[`emulator${name}TcpBytes`] = direction.tcpBytesIn;
    counters[`emulator${name}UdpBytes`] = direction.udpBytesIn;
    counters[`emulator${name}LossDrops`] = direction.lost;
    counters[`emulator${name}QueueDrops`] = direction.queueDrops;
    // Only of paths that have them.
    if (direction.aqmDrops > 0) counters[`emulator${name}AqmDrops`] = direction.aqmDrops;
    if (direction.marked > 0) counters[`emulator${name}Marks`] = direction.marked;
    if (direction.duplicated > 0) counters[`emulator${name}Copies`] = direction.duplicated;
    if (direction.malformed > 0) counters[`emulator${name}Malformed`] = direction.malformed;
    counters[`emulator${name}Overruns`] = direction.noRoomDrops + direction.writeErrors;
    counters[`emulator${name}Late2ms`] = direction.late2000us;
    counters[`emulator${name}Late10ms`] = direction.late10000us;
  }
  return counters;
}
