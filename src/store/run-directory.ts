import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { environmentSchema, type Environment } from '../model/environment.ts';
import { H2h3Error, hasErrno, messageOf } from '../model/errors.ts';
import { planSchema, type Plan } from '../model/plan.ts';
import { storageError } from '../system/storage-error.ts';
import { appendRecord, readJournal, type JournalContent } from './journal.ts';
import type { TrialRecord } from '../model/record.ts';
import { writeWhole } from '../system/write-whole.ts';

/** A run directory: `plan.json`, `environment.json`, `journal.jsonl`, `trials/<trialId>/`, later `summary.json` and reports. */
export interface RunDirectory {
  readonly path: string;
  readonly plan: Plan;
  environment(): Environment | null;
  writeEnvironment(environment: Environment): void;
  journal(): JournalContent;
  append(record: TrialRecord): void;
  /** Folder of one trial; made when asked for with `fresh`, emptied of what a killed trial left. */
  trialDir(trialId: string, options?: { fresh: boolean }): string;
  /** Takes back what `createRunDirectory` made, as long as no trial is journalled; files of others stay. */
  discard(): void;
  /** Writes a whole file or nothing. */
  write(name: string, content: string): void;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (thrown) {
    throw storageError(thrown, path);
  }
}

function readDocument<T>(file: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (thrown) {
    const missing = hasErrno(thrown, 'ENOENT');
    throw new H2h3Error(
      'bad-input',
      missing ? `${file} does not exist` : `${file} is not JSON: ${messageOf(thrown)}`,
      {
        cause: thrown,
        context: { file },
        next: 'Name the folder of a run, such as results/latest.',
      },
    );
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const version =
    typeof value === 'object' && value !== null && 'schemaVersion' in value ? value.schemaVersion : undefined;
  const newer = typeof version === 'number' && version > 1;
  const issue = parsed.error.issues[0];
  const detail = newer
    ? `it has schema version ${version}, this h2h3 reads 1`
    : `${issue?.path.join('.')}: ${issue?.message}`;
  throw new H2h3Error('bad-input', `${file} cannot be read: ${detail}`, {
    context: { file },
    ...(newer ? { next: 'Use the h2h3 that made it, or a newer one.' } : {}),
  });
}

function handle(path: string, plan: Plan): RunDirectory {
  const journalFile = join(path, 'journal.jsonl');
  const environmentFile = join(path, 'environment.json');
  return {
    path,
    plan,
    environment: () =>
      existsSync(environmentFile) ? readDocument(environmentFile, environmentSchema) : null,
    writeEnvironment: (environment) =>
      writeWhole(environmentFile, `${JSON.stringify(environment, null, 2)}\n`),
    journal: () => readJournal(journalFile),
    append: (record) => appendRecord(journalFile, record),
    trialDir: (trialId, options) => {
      const folder = join(path, 'trials', trialId);
      if (options?.fresh === true) {
        rmSync(folder, { recursive: true, force: true });
        makeFolder(folder);
      }
      return folder;
    },
    discard: () => {
      if (readJournal(journalFile).records.length > 0) return;
      for (const name of ['plan.json', 'environment.json', 'trials'])
        rmSync(join(path, name), { recursive: true, force: true });
      if (readdirSync(path).length === 0) rmdirSync(path);
    },
    write: (name, content) => writeWhole(join(path, name), content),
  };
}

/** Points `latest` beside the run at it; a folder that cannot be written, or holds no symbolic links, does without. */
function pointLatest(path: string): void {
  const link = join(dirname(path), 'latest');
  try {
    if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(link);
    if (!existsSync(link)) symlinkSync(basename(path), link, 'dir');
  } catch (thrown) {
    if (!['EPERM', 'EEXIST', 'EACCES', 'EROFS'].some((code) => hasErrno(thrown, code)))
      throw storageError(thrown, link);
  }
}

/**
 * Makes a new run directory holding the plan.
 *
 * @throws H2h3Error `usage` when the folder already holds a run, `storage` when it cannot be written.
 */
export function createRunDirectory(path: string, plan: Plan): RunDirectory {
  const folder = resolve(path);
  if (existsSync(join(folder, 'plan.json'))) {
    throw new H2h3Error('usage', `${folder} already holds a run`, {
      next: `Continue it with \`h2h3 run --resume ${path}\`, or choose another folder with --out.`,
    });
  }
  makeFolder(join(folder, 'trials'));
  writeWhole(join(folder, 'plan.json'), `${JSON.stringify(plan, null, 1)}\n`);
  pointLatest(folder);
  return handle(folder, plan);
}

/** Opens a run directory. @throws H2h3Error `bad-input` naming the file that is missing, damaged or of a newer schema. */
export function openRunDirectory(path: string): RunDirectory {
  const folder = resolve(path);
  return handle(folder, readDocument(join(folder, 'plan.json'), planSchema));
}
