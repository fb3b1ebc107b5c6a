import { endAbandonedRuns } from './marked-processes.ts';
import { makeOwnedFolder, removeAbandonedFolders, temporaryFolderOf } from './owned-folder.ts';
import { freshRunId } from './process-guard.ts';
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

/** @param say is told what was cleared of this user's earlier runs that were killed with all that watched them */
export async function openRunScope(say: (sentence: string) => void): Promise<RunScope> {
  const cleared = { programs: await endAbandonedRuns(), folders: removeAbandonedFolders() };
  if (cleared.programs + cleared.folders > 0) say(clearedWords(cleared));
  const runId = freshRunId();
  const reaper = startReaper(runId);
  const tempDir = temporaryFolderOf(runId);
  // Told first: a process that is killed between the two leaves nothing.
  reaper.removeAtEnd(tempDir);
  makeOwnedFolder(tempDir);
  return { runId, tempDir, environment: runEnvironment(runId), reaper };
}

function clearedWords({
  programs,
  folders,
}: {
  readonly programs: number;
  readonly folders: number;
}): string {
  const ended = programs === 0 ? [] : [`ended ${counted(programs, 'program')}`];
  const removed = folders === 0 ? [] : [`removed ${counted(folders, 'temporary folder')}`];
  return `cleared what a killed run had left: ${[...ended, ...removed].join(', ')}`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
