import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { runEnvironment, startReaper, type Reaper } from './start-reaper.ts';

/** What everything that is started for one run shares, so that nothing of it can outlive the run. */
export interface RunScope {
  readonly runId: string;
  /** Temporary folder; removed when the run is over. */
  readonly tempDir: string;
  /** Environment that every process of the run must inherit: the reaper finds them by it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly reaper: Reaper;
}

export async function openRunScope(): Promise<RunScope> {
  const runId = `${process.pid}-${randomBytes(8).toString('hex')}`;
  const reaper = startReaper(runId);
  const tempDir = join(os.tmpdir(), `h2h3-${runId}`);
  // Told first: whoever is killed between the two leaves nothing.
  reaper.removeAtEnd(tempDir);
  await mkdir(tempDir, { mode: 0o700 });
  return { runId, tempDir, environment: runEnvironment(runId), reaper };
}
