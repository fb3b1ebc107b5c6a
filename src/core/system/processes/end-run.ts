import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { killRun, type KillRunOptions } from './marked-processes.ts';

/** What is asked for at the end of a run: a folder to remove, or a command to run. One JSON line each. */
export interface EndRequest {
  readonly remove?: string;
  readonly command?: readonly string[];
}

const commandLimitMs = 5_000;

/** Ends whatever is left of a run, runs the commands, the last given first, then removes the folders. */
export async function endRun(
  runId: string,
  requests: readonly EndRequest[],
  options: KillRunOptions = {},
): Promise<void> {
  await killRun(runId, options);
  for (const { command } of requests.toReversed()) {
    const [program, ...rest] = command ?? [];
    if (program !== undefined) spawnSync(program, rest, { stdio: 'ignore', timeout: commandLimitMs });
  }
  for (const { remove } of requests)
    if (remove !== undefined)
      rmSync(remove, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
