import { statfsSync } from 'node:fs';
import { foundOr } from '../../../../src/core/model/errors.ts';
import type { ClientIdentity } from '../../client.ts';
import { sandboxBlocker } from './sandbox.ts';
import type { MachineFacts } from './switches.ts';

const enoughSharedMemoryBytes = 512 * 1024 * 1024;

/**
 * What of this machine Chromium must be told on its command line, and what a reader of the results must know of it. That it
 * runs without its sandbox changes no figure: `doctor` says so.
 */
export function machineFacts(
  client: ClientIdentity,
): MachineFacts & { readonly warnings: readonly string[] } {
  const sandbox = sandboxBlocker(client);
  const smallSharedMemory = hasSmallSharedMemory();
  const warnings: string[] = [];
  if (smallSharedMemory) warnings.push('Chromium used /tmp for shared memory: /dev/shm is below 512 MB');
  return { withoutSandbox: sandbox !== null, smallSharedMemory, warnings };
}

function hasSmallSharedMemory(): boolean {
  if (process.platform !== 'linux') return false;
  const memory = foundOr(() => statfsSync('/dev/shm'), null, 'EACCES');
  return memory === null || memory.bsize * memory.blocks < enoughSharedMemoryBytes;
}
