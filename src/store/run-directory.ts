import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  type Dirent,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { environmentSchema, type Environment } from '../core/model/environment.ts';
import { H2h3Error, hasErrno } from '../core/model/errors.ts';
import { ownPart } from '../core/model/lease.ts';
import { planSchema, type Plan } from '../core/model/plan.ts';
import { makeFolder, storageError } from '../core/system/storage-error.ts';
import { framesFolder } from './evidence.ts';
import { appendRecord, journalReader, readJournal, type JournalContent } from './journal.ts';
import { pointLatest } from './latest-link.ts';
import { isLeftover } from './leftovers.ts';
import { pathInside } from './path-inside.ts';
import { readDocument } from './read-document.ts';
import { isRunning, lockFile, lockRunDirectory } from './run-lock.ts';
import type { TrialRecord } from '../core/model/record.ts';
import { isLockAttempt } from '../core/system/lock-file.ts';
import { writeWhole, writeWholeParts } from '../core/system/write-whole.ts';

/** A run directory: `plan.json`, `environment.json`, `journal.jsonl`, `trials/<trialId>/`, later `summary.json` and reports. */
export interface RunDirectory {
  readonly path: string;
  /** What is to run here: of a shard its own trials and their conditions only. */
  readonly plan: Plan;
  /** The plan as it was made, of a shard with all shards' trials. */
  readonly wholePlan: Plan;
  environment(): Environment | null;
  writeEnvironment(environment: Environment): void;
  journal(): JournalContent;
  append(record: TrialRecord): void;
  /** Folder of one trial; made when asked for with `fresh`, emptied of what a killed trial left. */
  trialDir(trialId: string, options?: { fresh: boolean }): string;
  /** Takes back what `createRunDirectory` made here, as long as no trial is journalled; whatever else is there stays. */
  discard(): void;
  /** Writes a whole file or nothing. */
  write(name: string, content: string | Uint8Array): void;
  /** The same for a file that is larger than memory should hold at once. */
  writeParts(name: string, parts: Iterable<string>): void;
}

/** What a link in a run leads to is no part of the run, and may be another's. @throws H2h3Error `bad-input` for one */
function requireNoLink(place: string): void {
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new H2h3Error('bad-input', `${place} is a symbolic link, which no run makes`, {
    next: 'Put there what it leads to, if that belongs to the run.',
  });
}

const nameRun = { what: 'part of a run', next: 'Name the folder of a run, such as results/latest.' };

function handle(path: string, wholePlan: Plan, created: Created | null): RunDirectory {
  const journalFile = join(path, 'journal.jsonl');
  const environmentFile = join(path, 'environment.json');
  const plan = ownPart(wholePlan);
  return {
    path,
    plan,
    wholePlan,
    environment: () =>
      existsSync(environmentFile) ? readDocument(environmentFile, environmentSchema, nameRun) : null,
    writeEnvironment: (environment) =>
      writeWhole(environmentFile, `${JSON.stringify(environment, null, 2)}\n`),
    journal: journalReader(journalFile),
    append: (record) => appendRecord(journalFile, record),
    trialDir: (trialId, options) => {
      const folder = pathInside(path, 'trials', trialId);
      if (options?.fresh === true) {
        rmSync(folder, { recursive: true, force: true });
        makeFolder(folder);
      } else [folder, join(folder, framesFolder)].forEach(requireNoLink);
      return folder;
    },
    discard: () => {
      if (created !== null) discardCreated(path, plan, created);
    },
    write: (name, content) => writeWhole(pathInside(path, name), content),
    writeParts: (name, parts) => writeWholeParts(pathInside(path, name), parts),
  };
}

/** What `createRunDirectory` made, to know it again. */
interface Created {
  /** The folder and those above it, the innermost first, as far as they were made and not only filled. */
  readonly folders: readonly string[];
  /** Identity of the plan file: another run's has another. */
  readonly planInode: bigint;
  /** Takes back what `latest` was made to point at. */
  readonly restoreLatest: () => void;
}

function inodeOf(file: string): bigint | null {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (thrown) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].some((code) => hasErrno(thrown, code))) throw thrown;
  }
}

/** Removes the files of a run that has no record; nothing where another process runs in it, or it is another's by now. */
function discardCreated(path: string, plan: Plan, created: Created): void {
  if (isRunning(path)) return;
  const release = lockRunDirectory(path, process.pid);
  try {
    if (inodeOf(join(path, 'plan.json')) !== created.planInode) return;
    if (readJournal(join(path, 'journal.jsonl')).records.length > 0) return;
    for (const { trialId } of plan.trials)
      rmSync(pathInside(path, 'trials', trialId), { recursive: true, force: true });
    removeIfEmpty(join(path, 'trials'));
    for (const name of ['plan.json', 'environment.json']) rmSync(join(path, name), { force: true });
    created.restoreLatest();
  } finally {
    release();
  }
  created.folders.forEach(removeIfEmpty);
}

/** Makes the folder and those above it; returns what it made, the innermost first: none where it is there already. */
function takeFolder(folder: string): readonly string[] {
  const outermost = makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (thrown) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return [];
    throw storageError(thrown, folder);
  }
  const above: string[] = [];
  for (let at = dirname(folder); outermost !== undefined && at.startsWith(outermost); at = dirname(at))
    above.push(at);
  return [folder, ...above];
}

/** Whether this is what a run leaves that was killed while its folder was made, or a run's try to take the folder. */
function isRemnant(folder: string, entry: Dirent): boolean {
  const { name } = entry;
  if (name === lockFile || isLockAttempt(name, lockFile) || isLeftover(folder, entry)) return true;
  return name === 'trials' && entry.isDirectory() && readdirSync(join(folder, name)).length === 0;
}

/** @throws H2h3Error `usage` unless nothing of anybody's is in the folder */
function requireEmpty(folder: string, path: string): void {
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !isRemnant(folder, entry))
    .map(({ name }) => name);
  if (entries.includes('plan.json')) {
    throw new H2h3Error('usage', `${path} already holds a run`, {
      next: `Continue it with \`npx h2h3 run --resume ${path}\`, or choose another folder with --out.`,
    });
  }
  if (entries.length === 0) return;
  throw new H2h3Error('usage', `${path} is not empty and holds no run (it has ${entries[0]})`, {
    next: 'Choose a folder with --out that is empty or not there yet.',
  });
}

/**
 * Makes a new run directory holding the plan, in a folder that is empty or not there yet. Of two processes that ask for
 * the same folder one gets it.
 *
 * @throws H2h3Error `usage` when the folder holds anything or another process is taking it, `storage` when it cannot be
 *   written; it is then as it was.
 */
export function createRunDirectory(
  path: string,
  plan: Plan,
  { latest = true }: { readonly latest?: boolean } = {},
): RunDirectory {
  const folder = resolve(path);
  const made = takeFolder(folder);
  // Before the lock, so that not even that is written into a folder of the user's …
  if (made.length === 0) requireEmpty(folder, path);
  const release = lockRunDirectory(folder, process.pid);
  try {
    // … and after it, because somebody may have been faster.
    requireEmpty(folder, path);
    const planInode = fill(folder, plan);
    const restoreLatest = latest ? pointLatest(folder) : (): void => undefined;
    return handle(folder, plan, { folders: made, planInode, restoreLatest });
  } finally {
    release();
    // What could not be filled: with a plan in it, it is not empty.
    made.forEach(removeIfEmpty);
  }
}

/** Writes what a run begins with into an empty folder, or nothing; returns the identity of the plan file. */
function fill(folder: string, plan: Plan): bigint {
  const file = join(folder, 'plan.json');
  const trials = join(folder, 'trials');
  makeFolder(trials);
  try {
    writeWhole(file, `${JSON.stringify(plan, null, 1)}\n`);
  } catch (thrown) {
    removeIfEmpty(trials);
    throw thrown;
  }
  const planInode = inodeOf(file);
  if (planInode === null) throw new H2h3Error('storage', `${file} vanished`);
  return planInode;
}

/** The plan of a run as its file has it, fields that no plan has included; nothing of it was judged. @throws H2h3Error `bad-input` */
export function rawPlan({ path }: Pick<RunDirectory, 'path'>): unknown {
  return readDocument(join(path, 'plan.json'), z.unknown(), nameRun);
}

/** Whether a folder holds a run of which every trial has its record. @throws as `openRunDirectory` */
export function isWholeRun(path: string): boolean {
  if (!existsSync(join(path, 'plan.json'))) return false;
  const directory = openRunDirectory(path);
  return directory.journal().records.length >= directory.plan.trials.length;
}

/** Folders below `parent` that hold a run, in order of name; links such as `latest` are left out. */
export function runFoldersIn(parent: string): string[] {
  if (statSync(parent, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(parent, entry.name, 'plan.json')))
    .map((entry) => resolve(parent, entry.name))
    .sort();
}

/** What to name instead of a folder without a plan: the runs in it, of which some commands make several. */
function nameRunOf(path: string): typeof nameRun {
  const inside = existsSync(join(path, 'plan.json')) ? [] : runFoldersIn(path);
  return inside.length === 0
    ? nameRun
    : {
        ...nameRun,
        next: `It holds runs: ${inside.map((run) => basename(run)).join(', ')}. Name one of these folders.`,
      };
}

/** Opens a run directory. @throws H2h3Error `bad-input` naming the file that is missing, damaged or of a newer schema. */
export function openRunDirectory(path: string): RunDirectory {
  const folder = resolve(path);
  const plan = readDocument(join(path, 'plan.json'), planSchema, nameRunOf(path));
  return handle(folder, plan, null);
}
