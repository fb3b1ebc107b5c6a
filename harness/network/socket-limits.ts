import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ifAbsent } from '../../src/core/model/errors.ts';
import { heldSettings } from './held-settings.ts';
import { startKeeper, type HeldMachine } from './keeper.ts';
import type { Privilege } from './privilege.ts';

/** What quic-go asks for each way (its `DesiredReceiveBufferSize`, 7 MiB); Chromium asks for 1 MiB. */
const wantedBytes = 7 * 1024 * 1024;
/** Linux gives a socket twice what it asks for (socket(7), SO_RCVBUF), so half as limit is enough. */
const enoughBytes = wantedBytes / 2;
const names = ['rmem_max', 'wmem_max'] as const;

function raising(directory: string, heldDir: string | undefined): string[] {
  const settings = names.map((name) => ({
    file: path.join(directory, name),
    value: wantedBytes,
    enough: enoughBytes,
  }));
  return [heldSettings('socket-limits', settings, heldDir), 'hold_settings', 'trap release_settings EXIT'];
}

async function limits(directory: string): Promise<Record<string, number>> {
  const entries = await Promise.all(
    names.map(async (name) => [name, Number(await readFile(path.join(directory, name), 'utf8'))] as const),
  );
  return Object.fromEntries(entries);
}

/**
 * Sees to it that sockets may have buffers large enough for QUIC: too small ones lose datagrams, which looks like loss
 * of the network. The limits belong to the whole machine (a namespace cannot set them), so they are raised only where
 * they are too low, only while a path is up, and put back when the last path of the machine ends. Limits that are high
 * enough may be so for another path alone, so they are held as well.
 */
export async function raiseSocketLimits(
  privilege: Privilege,
  directory = '/proc/sys/net/core',
  heldDir?: string,
): Promise<HeldMachine> {
  const before = await limits(directory).catch(ifAbsent<Record<string, number>>({}));
  const low = Object.entries(before).filter(([, bytes]) => bytes < enoughBytes);
  const nothing = { note: null, stop: () => Promise.resolve() };
  if (Object.keys(before).length === 0) return nothing;
  const said = low.map(([name, bytes]) => `net.core.${name} is ${bytes}`).join(', ');
  const refused: HeldMachine = {
    ...nothing,
    note: `${said}: sockets of QUIC may lose datagrams; as root: sysctl -w ${low.map(([name]) => `net.core.${name}=${wantedBytes}`).join(' ')}`,
  };
  const without = low.length === 0 ? nothing : refused;
  if (privilege.kind === 'user-namespace') return without;
  const keeper = await startKeeper(privilege, raising(directory, heldDir));
  if (keeper === null) return without;
  return {
    note: low.length === 0 ? null : `${said}; raised to ${wantedBytes} while this path was up`,
    stop: keeper.stop,
  };
}
