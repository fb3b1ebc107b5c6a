import { setTimeout as sleep } from 'node:timers/promises';
import { cpuBetween, cpuSnapshot } from '../probes/process-cpu.ts';

/** The kernel accounts in steps of 10 ms: over this interval one step is next to nothing. */
const intervalMs = 40;
const idleSeconds = 0.01;
const limitMs = 1000;

/**
 * Waits until a browser that was just started has nothing more to do. What it does for itself after its first
 * window would otherwise be in the load time: up to twice the time of a small page. Returns false when it is
 * still busy after 1 s.
 */
export async function settle(rootPid: number): Promise<boolean> {
  const endMs = performance.now() + limitMs;
  for (let before = cpuSnapshot(rootPid); performance.now() < endMs;) {
    await sleep(intervalMs);
    const after = cpuSnapshot(rootPid);
    const used = cpuBetween(before, after, () => '').reduce(
      (sum, row) => sum + row.userSeconds + row.systemSeconds,
      0,
    );
    if (used <= idleSeconds) return true;
    before = after;
  }
  return false;
}
