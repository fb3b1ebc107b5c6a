import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../core/system/processes/process-identity.ts';

const usualParent = join('results', 'workers');

/** One for each start, so that a worker that was killed keeps no other from its work. */
export function localFolder(runId: string, host: string, parent = usualParent): string {
  return join(parent, `${runId.slice(0, 8)}-${encodeURIComponent(host)}-${process.pid}-${Date.now()}`);
}

/**
 * Removes what killed workers of this host left here: what they measured is in the results folder. One of another run may work
 * under the same name, and keeps its folder.
 */
export function removeLeftOver(host: string, parent = usualParent): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const [, owner, pid] = /^[0-9a-f]{8}-(.*)-(\d+)-\d+$/.exec(name) ?? [];
    if (owner === encodeURIComponent(host) && !isAlive(Number(pid)))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
}
