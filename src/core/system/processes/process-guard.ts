import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { guardMarkerVariable, runMarkerVariable } from './marked-processes.ts';
import { makeOwnedFolder, removeTogether, temporaryFolderOf } from './owned-folder.ts';
import { startReaper, type Reaper } from './start-reaper.ts';

interface ProcessGuard {
  readonly environment: Readonly<Record<string, string>>;
  readonly reaper: Reaper;
  /** Not there until it is needed. */
  readonly folder: string;
}

let guard: ProcessGuard | undefined;
let programsUnderWay = 0;
const folders: string[] = [];

/** Begins with the id of this process, by which those are found that a killed one left. */
export const freshRunId = (): string => `${process.pid}-${randomBytes(8).toString('hex')}`;

/** What ends the programs of this process and removes its folders when it is killed outside of any run; made at first use. */
function processGuard(): ProcessGuard {
  if (guard !== undefined) return guard;
  const runId = freshRunId();
  const reaper = startReaper(runId);
  const folder = temporaryFolderOf(runId);
  reaper.removeAtEnd(folder);
  reaper.unref();
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
    if (programsUnderWay === 0 && !folders.some((folder) => existsSync(folder))) reaper.dismiss();
  });
  return (guard = { environment: { [guardMarkerVariable]: runId }, reaper, folder });
}

/** Removes this folder when the process ends without having removed it, however it ends. */
export function removeWithProcess(folder: string): void {
  folders.push(folder);
  processGuard().reaper.removeAtEnd(folder);
  // For the next run, where that and its deputy are killed as well.
  const own = processFolder();
  if (dirname(folder) !== own) removeTogether(own, folder);
}

/** This process's own temporary folder, removed when it ends; killed with all that watches it, it leaves that to the next run. */
export function processFolder(): string {
  const { folder } = processGuard();
  if (!existsSync(folder)) makeOwnedFolder(folder);
  return folder;
}

/** Variables of a program that must not outlive this process; a process of a run is ended with that. */
export function guardedEnvironment(): Readonly<Record<string, string>> {
  return process.env[runMarkerVariable] === undefined ? processGuard().environment : {};
}

/** Runs a program to its end under this process's guard. */
export async function guarded<T>(
  start: (environment: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  programsUnderWay++;
  try {
    return await start(guardedEnvironment());
  } finally {
    programsUnderWay--;
  }
}
