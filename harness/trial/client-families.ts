import { readdirSync, readlinkSync } from 'node:fs';
import { foundOr } from '../../src/core/model/errors.ts';
import { connectTarget, type LivePage } from '../../src/core/model/live-address.ts';
import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { connectedSockets } from './transport-counts.ts';

/** Sockets that a process has open, by their inodes; none of one that has ended or is not this user's. */
function inodesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const names = foundOr(() => readdirSync(folder), [], 'ESRCH', 'EACCES', 'EPERM');
  return names.flatMap((name) => {
    // What was closed meanwhile leads nowhere.
    const link = foundOr(() => readlinkSync(`${folder}/${name}`), '', 'ESRCH', 'EACCES', 'EPERM');
    return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [];
  });
}

/** The version of IP of each socket by which the client below `rootPid` is connected to the port of a live address. */
export function clientFamilies(rootPid: number, { remote, connectTo }: LivePage): (4 | 6)[] {
  if (process.platform !== 'linux') return [];
  const { port } = connectTarget(new URL(remote.url), connectTo);
  const sockets = [...connectedSockets('tcp'), ...connectedSockets('udp')].filter(
    ({ remotePort }) => remotePort === port,
  );
  if (sockets.length === 0) return [];
  const own = new Set(processTree(readProcessTable(), rootPid).flatMap(({ pid }) => inodesOf(pid)));
  return sockets.filter(({ inode }) => own.has(inode)).map(({ family }) => family);
}
