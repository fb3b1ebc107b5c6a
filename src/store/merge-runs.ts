import { constants, cpSync, existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Environment } from '../core/model/environment.ts';
import { H2h3Error, hasErrno } from '../core/model/errors.ts';
import type { Plan } from '../core/model/plan.ts';
import type { TrialRecord } from '../core/model/record.ts';
import { storageError } from '../core/system/storage-error.ts';
import { isAbandonedPartial, partialOf } from '../core/system/write-whole.ts';
import { pointLatest } from './latest-link.ts';
import { pathInside } from './path-inside.ts';
import { largestObjectBytes } from './results/results-store.ts';
import { createRunDirectory, openRunDirectory, type RunDirectory } from './run-directory.ts';

/** A run that is to be a part of another. */
export interface PartOfRun {
  /** Folder of the run; only read. */
  readonly path: string;
  /** Name of the file below `environments/` that keeps its environment. */
  readonly name: string;
  readonly environment: Environment | null;
  readonly records: readonly TrialRecord[];
}

export interface MergedRun {
  readonly plan: Plan;
  readonly environment: Environment | null;
  readonly parts: readonly PartOfRun[];
  /** Records of trials that no part has. */
  readonly missing: readonly TrialRecord[];
}

/** A merged run, and the paths of what was not copied into it because no run makes such: links, pipes, sockets, huge files. */
export interface WrittenRun {
  readonly directory: RunDirectory;
  readonly leftOut: readonly string[];
}

/**
 * Makes one run directory of several: all records in the plan's order, all artifacts, every environment. It is made
 * next to its place and moved there when it is whole, so that what was killed half way is never taken for a run.
 *
 * @throws H2h3Error `usage` when the folder holds anything, `storage` when it cannot be written, `bad-input` for a part whose
 *   folder of trials lies outside the run
 */
export function writeMergedRun(out: string, merged: MergedRun): WrittenRun {
  const place = resolve(out);
  requireFree(place, out);
  sweepAbandoned(place);
  const draft = partialOf(place);
  const leftOut: string[] = [];
  try {
    fill(createRunDirectory(draft, merged.plan, { latest: false }), merged, leftOut);
    renameSync(draft, place);
  } catch (thrown) {
    rmSync(draft, { recursive: true, force: true });
    // Somebody was faster to put something there.
    if (hasErrno(thrown, 'ENOTEMPTY')) requireFree(place, out);
    throw storageError(thrown, place);
  }
  pointLatest(place);
  return { directory: openRunDirectory(place), leftOut };
}

function requireFree(place: string, out: string): void {
  const there = lstatSync(place, { throwIfNoEntry: false });
  if (there === undefined || (there.isDirectory() && readdirSync(place).length === 0)) return;
  throw new H2h3Error('usage', `${out} is not empty`, {
    next: 'Choose a folder with --out that is empty or not there yet: a merge writes nothing over.',
  });
}

/** What killed merges into the same place left next to it. */
function sweepAbandoned(place: string): void {
  const folder = dirname(place);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (name.startsWith(`${basename(place)}.`) && isAbandonedPartial(name))
      rmSync(join(folder, name), { recursive: true, force: true });
}

function fill(
  directory: RunDirectory,
  { plan, environment, parts, missing }: MergedRun,
  leftOut: string[],
): void {
  for (const part of parts) copyPart(directory.path, part, leftOut);
  if (environment !== null) directory.writeEnvironment(environment);
  const places = new Map(plan.trials.map(({ trialId }, index) => [trialId, index]));
  const place = ({ trialId }: TrialRecord): number => places.get(trialId) ?? 0;
  const records = [...parts.flatMap((part) => part.records), ...missing].sort((a, b) => place(a) - place(b));
  directory.writeParts('journal.jsonl', linesOf(records));
}

function* linesOf(records: readonly TrialRecord[]): Generator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}

function copyPart(out: string, { path, name, environment, records }: PartOfRun, leftOut: string[]): void {
  const filter = (from: string): boolean => {
    const stats = lstatSync(from);
    // A file of holes takes no place where it lies, and all of the disk where it is copied to.
    const isOwn = stats.isDirectory() || (stats.isFile() && stats.size <= largestObjectBytes);
    if (!isOwn) leftOut.push(from);
    return isOwn;
  };
  // Shares the blocks of the disk where the file system can.
  const how = { recursive: true, mode: constants.COPYFILE_FICLONE, filter };
  for (const { trialId } of records) {
    const from = pathInside(path, 'trials', trialId);
    if (existsSync(from)) cpSync(from, join(out, 'trials', trialId), how);
  }
  if (environment !== null)
    cpSync(join(path, 'environment.json'), join(out, 'environments', `${name}.json`), how);
}
