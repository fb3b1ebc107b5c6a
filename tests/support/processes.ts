import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessTable, type ProcessRow } from '../../src/system/processes/process-table.ts';

/**
 * How long a test waits for what a run that is gone has left. The run's own limit is 10 s on a machine that has time for
 * it, which `npm run torture` measures; a test must pass on a busy one too.
 */
export const goneLimitMs = 60_000;

/** How long a test waits for a browser to start. */
export const startLimitMs = 120_000;

/** Kills a process that may have ended meanwhile, as those of a browser do when one of them is killed. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
}

/** Living processes whose command line holds `text`. */
export function processesWith(text: string): ProcessRow[] {
  return readProcessTable().filter((row) => !row.zombie && row.commandLine.includes(text));
}

/** Resolves when `condition` holds. @throws Error when it does not within `limitMs`. */
export async function waitUntil(
  what: string,
  limitMs: number,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`${what}: not within ${limitMs} ms`);
    await sleep(50);
  }
}
