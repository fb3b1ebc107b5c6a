import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessTable, type ProcessRow } from '../../src/core/system/processes/process-table.ts';

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

/** A shorter limit fails on a machine that others keep busy. */
const minLimitMs = 60_000;

/** What the start of a Node that does nothing takes on a machine that has time for it. */
const usualStartMs = 50;

/** How many times as long as usual this machine takes now; at least once. What is timed by the clock may take as many times as long. */
export function slowness(): number {
  const beganMs = performance.now();
  execFileSync(process.execPath, ['--eval', '0'], { stdio: 'ignore' });
  return Math.max(1, (performance.now() - beganMs) / usualStartMs);
}

/**
 * Resolves when `condition` holds.
 *
 * @param limitMs for a machine that has time: one that is slower when it has passed is given as many times as long
 * @throws Error when it does not within the limit
 */
export async function waitUntil(
  what: string,
  limitMs: number,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  assert.ok(limitMs >= minLimitMs, `a limit of ${limitMs} ms is too short for a busy machine`);
  const beganMs = performance.now();
  while (!(await condition())) {
    const spentMs = performance.now() - beganMs;
    if (spentMs > limitMs && spentMs > limitMs * slowness())
      throw new Error(
        `${what}: not within ${Math.round(spentMs)} ms, on a machine ${slowness().toFixed(1)} times as slow as usual`,
      );
    await sleep(50);
  }
}
