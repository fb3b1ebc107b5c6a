import { readFileSync, statfsSync } from 'node:fs';
import { hasErrno } from '../../../../src/model/errors.ts';
import type { ClientIdentity } from '../../client.ts';
import type { MachineFacts } from './switches.ts';

const enoughSharedMemoryBytes = 512 * 1024 * 1024;

/** What of this machine Chromium must be told on its command line, and what a reader of the results must know of it. */
export function machineFacts(
  client: ClientIdentity,
): MachineFacts & { readonly warnings: readonly string[] } {
  const sandbox = sandboxObstacle(client);
  const smallSharedMemory = hasSmallSharedMemory();
  const warnings: string[] = [];
  if (sandbox !== null) warnings.push(`Chromium ran without its sandbox: ${sandbox}`);
  if (smallSharedMemory) warnings.push('Chromium used /tmp for shared memory: /dev/shm is below 512 MB');
  return { withoutSandbox: sandbox !== null, smallSharedMemory, warnings };
}

/**
 * Why the sandbox cannot start, or null. Chromium refuses it to root; without it an embedded build needs
 * unprivileged user namespaces, which AppArmor (Ubuntu 23.10 and later) or a sysctl (older Debian) may forbid.
 */
function sandboxObstacle(client: ClientIdentity): string | null {
  if (process.platform !== 'linux') return null;
  if (process.getuid?.() === 0) return 'the user is root';
  if (client.source === 'system') return null;
  if (readSetting('kernel/apparmor_restrict_unprivileged_userns') === '1')
    return 'AppArmor forbids unprivileged user namespaces';
  if (
    readSetting('kernel/unprivileged_userns_clone') === '0' ||
    readSetting('user/max_user_namespaces') === '0'
  )
    return 'unprivileged user namespaces are switched off';
  return null;
}

function readSetting(name: string): string | null {
  try {
    return readFileSync(`/proc/sys/${name}`, 'latin1').trim();
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT') || hasErrno(thrown, 'EACCES')) return null;
    throw thrown;
  }
}

function hasSmallSharedMemory(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { bsize, blocks } = statfsSync('/dev/shm');
    return bsize * blocks < enoughSharedMemoryBytes;
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT') || hasErrno(thrown, 'EACCES')) return true;
    throw thrown;
  }
}
