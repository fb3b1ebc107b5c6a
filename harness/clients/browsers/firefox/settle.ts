import { setTimeout as sleep } from 'node:timers/promises';
import { processTree, readProcessTable } from '../../../../src/system/processes/process-table.ts';

const sampleMs = 60;
/** The kernel counts CPU time in hundredths of a second: one of them is noise. */
const restingSeconds = 0.015;
const restingSamples = 3;

/**
 * Resolves when next to no CPU time was used for a while, or at the limit (then false). Firefox says that it is
 * ready while it still works for some 0.4 s on its start, which would fall into the page's load.
 */
export async function untilSettled(cpuSeconds: () => number, limitMs: number): Promise<boolean> {
  const endMs = performance.now() + limitMs;
  let usedSeconds = cpuSeconds();
  let resting = 0;
  while (resting < restingSamples) {
    if (performance.now() > endMs) return false;
    await sleep(sampleMs);
    const nowSeconds = cpuSeconds();
    resting = nowSeconds - usedSeconds < restingSeconds ? resting + 1 : 0;
    usedSeconds = nowSeconds;
  }
  return true;
}

/** CPU time that `rootPid` and all processes below it have used. */
export function treeCpuSeconds(rootPid: number): number {
  const rows = processTree(readProcessTable(), rootPid);
  return rows.reduce((sum, row) => sum + row.userSeconds + row.systemSeconds, 0);
}
