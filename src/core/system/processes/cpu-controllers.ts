import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasErrno } from '../../model/errors.ts';

/** A place in the tree of control groups under which groups with a share of the CPUs may be made (cgroups(7)). */
export interface CpuController {
  readonly version: 'cgroup v1' | 'cgroup v2';
  readonly directory: string;
  /** Where the tree is mounted, and the group that is seen there. */
  readonly mountPoint: string;
  readonly mountedGroup: string;
}

/** A file of the kernel; empty where there is none. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].some((code) => hasErrno(thrown, code))) return '';
    throw thrown;
  }
}

type Mount = Omit<CpuController, 'directory'>;

/** Mounts of trees with a CPU controller, out of `/proc/self/mountinfo` (proc_pid_mountinfo(5)). */
export function cpuMounts(mountInfo: string): Mount[] {
  return mountInfo.split('\n').flatMap((line): Mount[] => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , mountedGroup = '', mountPoint = ''] = before.split(' ');
    const [type, , options = ''] = after.split(' ');
    if (type === 'cgroup2') return [{ version: 'cgroup v2', mountPoint, mountedGroup }];
    if (type !== 'cgroup' || !options.split(',').includes('cpu')) return [];
    return [{ version: 'cgroup v1', mountPoint, mountedGroup }];
  });
}

/** The group of a process in a tree, out of `/proc/PID/cgroup`; null where it says nothing. */
export function groupIn(text: string, version: CpuController['version']): string | null {
  for (const line of text.split('\n')) {
    const [, controllers = '', group] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (group === undefined) continue;
    if (version === 'cgroup v2' ? controllers === '' : controllers.split(',').includes('cpu')) return group;
  }
  return null;
}

function directoryOf(group: string, { mountPoint, mountedGroup }: Mount): string {
  const below =
    mountedGroup !== '/' && group.startsWith(mountedGroup) ? group.slice(mountedGroup.length) : group;
  return below === '/' ? mountPoint : join(mountPoint, below);
}

/** The directory of a process's group; null: it has ended. */
export function groupOf(pid: number, controller: CpuController): string | null {
  const group = groupIn(textOf(`/proc/${pid}/cgroup`), controller.version);
  return group === null ? null : directoryOf(group, controller);
}

/** A group of a tree and those above it, upwards. */
function upwards(group: string, mount: Mount): string[] {
  const directories: string[] = [];
  for (let directory = directoryOf(group, mount); directory.startsWith(mount.mountPoint);) {
    directories.push(directory);
    if (directory === mount.mountPoint) break;
    directory = join(directory, '..');
  }
  return directories;
}

/** `cpu.stat` of every group whose quota a process is under, its own and those above it; none where it has ended. */
export function quotaStatistics(pid: number): string[] {
  const groups = textOf(`/proc/${pid}/cgroup`);
  return cpuMounts(textOf('/proc/self/mountinfo'))
    .flatMap((mount) => {
      const group = groupIn(groups, mount.version);
      return group === null
        ? []
        : upwards(group, mount).map((directory) => textOf(join(directory, 'cpu.stat')));
    })
    .filter((text) => text !== '');
}

/** Time for which CPUs were withheld from a group, summed over them, out of its `cpu.stat`, ms. */
export function throttledMsIn(statistics: string): number {
  const [, name, value] = /^(throttled_time|throttled_usec) (\d+)$/m.exec(statistics) ?? [];
  return Number(value ?? 0) / (name === 'throttled_time' ? 1e6 : 1e3);
}

/**
 * Where a group may be made: below the group of this process first, because a share is of what that one has, then further
 * up, because in version 2 a group with processes can have no groups with controllers.
 */
export function cpuControllers(): CpuController[] {
  const own = textOf('/proc/self/cgroup');
  return cpuMounts(textOf('/proc/self/mountinfo')).flatMap((mount) => {
    const group = groupIn(own, mount.version);
    if (group === null) return [];
    const controls = ({ version, directory }: CpuController): boolean =>
      version === 'cgroup v1' ||
      textOf(join(directory, 'cgroup.subtree_control')).split(/\s+/).includes('cpu');
    return upwards(group, mount)
      .map((directory) => ({ ...mount, directory }))
      .filter(controls);
  });
}
