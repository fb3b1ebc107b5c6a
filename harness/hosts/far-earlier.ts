import { hasErrno } from '../../src/core/model/errors.ts';
import { killRun } from '../../src/core/system/processes/marked-processes.ts';
import { readProcessTable } from '../../src/core/system/processes/process-table.ts';

/** Of an agent, whatever runs it. */
const agentSign = /\bfar-agent\.[jt]s\b/;

/**
 * Ends the agent of an earlier connection with all that it started, also where it hangs and would not notice that it is over.
 * Its deputy, which has no mark, removes its folders.
 *
 * @param runId of that agent, which begins with its process id
 */
export async function endEarlier(runId: string): Promise<void> {
  const pid = Number.parseInt(runId, 10);
  const agent = readProcessTable().find((row) => row.pid === pid && agentSign.test(row.commandLine));
  if (agent !== undefined && pid !== process.pid) endNow(pid);
  await killRun(runId);
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (thrown) {
    if (!hasErrno(thrown, 'ESRCH')) throw thrown;
  }
}
