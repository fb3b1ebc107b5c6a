import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { hasErrno } from '../../model/errors.ts';
import { endAbandonedRuns } from './marked-processes.ts';
import { freshRunId } from './process-guard.ts';
import { livingProcess, processIdentity } from './process-identity.ts';
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

const folderForm = /^h2h3-\d+-[0-9a-f]{16}$/;
/** In the temporary folder: the run's process, and where its id means that process. */
const ownerFile = 'owner';

export async function openRunScope(): Promise<RunScope> {
  // What was killed with everything that watched it is ended by the next.
  await endAbandonedRuns();
  await removeAbandonedFolders();
  const runId = freshRunId();
  const reaper = startReaper(runId);
  const tempDir = join(os.tmpdir(), `h2h3-${runId}`);
  // Told first: a process that is killed between the two leaves nothing.
  reaper.removeAtEnd(tempDir);
  await mkdir(tempDir, { mode: 0o700 });
  await writeFile(join(tempDir, ownerFile), `${processIdentity(process.pid)}\n${place()}`);
  return { runId, tempDir, environment: runEnvironment(runId), reaper };
}

/** Start of the system, and the namespace of process ids: another container's may share the folder for temporary files. */
function place(): string {
  if (process.platform !== 'linux') return os.hostname();
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
}

/** Removes the temporary folders of runs of this place whose process is gone, and whose watchers are too. */
async function removeAbandonedFolders(): Promise<void> {
  const here = place();
  for (const name of readdirSync(os.tmpdir()).filter((name) => folderForm.test(name))) {
    const folder = join(os.tmpdir(), name);
    const [identity = '', ownPlace] = ownerOf(folder).split('\n');
    if (ownPlace !== here || livingProcess(identity) !== null) continue;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Empty where there is none, or it is another user's. */
function ownerOf(folder: string): string {
  try {
    return readFileSync(join(folder, ownerFile), 'utf8');
  } catch (thrown) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].some((code) => hasErrno(thrown, code))) return '';
    throw thrown;
  }
}
