import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withCurrentNamesOf } from '../../core/factors/former-names.ts';
import { parseForeignJson } from '../../core/model/bounded-json.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { studyRunSchema, type StudyRun } from '../../core/model/study-run.ts';
import { readInput } from '../../core/system/read-input.ts';
import { writeWhole } from '../../core/system/write-whole.ts';
import { packageDir } from '../version.ts';
import { makeFolder } from '../../core/system/storage-error.ts';

/** Where the project keeps what its own runs of the studies found, a file each. */
export function keptFolder(): string {
  return join(packageDir(), 'reports', 'studies');
}

/** Below it lie the runs that a newer one took the place of: campaigns of before, and those that broke a rule of quality. */
const earlierName = 'earlier';

export interface KeptRuns {
  readonly runs: readonly StudyRun[];
  /** Files that cannot be read, or do not count, a line each. */
  readonly passedOver: readonly string[];
}

const jsonFilesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .toSorted()
        .map((name) => join(folder, name))
    : [];

/** All runs that a folder keeps, those of before included; none where it is not there. */
export function readKeptRuns(folder: string): KeptRuns {
  const passedOver: string[] = [];
  const runs = [...jsonFilesIn(join(folder, earlierName)), ...jsonFilesIn(folder)].flatMap((file) => {
    try {
      const run = readKeptRun(file);
      if (run.claims !== undefined) return [run];
      passedOver.push(
        `passed over: ${file} has no digest of its claims: nothing shows what they were before it ran, so it does not count`,
      );
      return [];
    } catch (thrown) {
      if (!(thrown instanceof H2h3Error) || thrown.code !== 'bad-input') throw thrown;
      passedOver.push(`passed over: ${thrown.message}`);
      return [];
    }
  });
  return { runs, passedOver };
}

/** @throws H2h3Error `bad-input` for a file that is no run of a study */
export function readKeptRun(file: string): StudyRun {
  const text = readInput(file, { what: 'a kept run of a study' }).toString('utf8');
  let value: unknown;
  try {
    value = withCurrentNamesOf(text, parseForeignJson(text)).value;
  } catch {
    throw new H2h3Error('bad-input', `${file} is not JSON`, {
      next: 'Keep it again: `npx h2h3 studies --keep`.',
    });
  }
  const parsed = studyRunSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new H2h3Error(
    'bad-input',
    `${file} is no kept run of a study: ${issue?.path.join('.')}: ${issue?.message}`,
    {
      next: 'Keep it again: `npx h2h3 studies --keep`.',
    },
  );
}

/** A line a cell, so that changes can be read. */
function textOf({ cells, ...facts }: StudyRun): string {
  const lines = cells.map((cell) => JSON.stringify(cell)).join(',\n');
  return `${JSON.stringify(facts).slice(0, -1)},"cells":[\n${lines}\n]}\n`;
}

/** `zhang2024-web-20261128T024703.json`. */
function earlierFile(folder: string, { preset, startedAt }: StudyRun): string {
  const when = (startedAt ?? 'no-date').slice(0, 19).replaceAll(/[^0-9T]/g, '');
  return join(folder, earlierName, `${preset}-${when}.json`);
}

/** Keeps a run among those of before. */
export function keepEarlier(folder: string, run: StudyRun): string {
  makeFolder(join(folder, earlierName));
  const file = earlierFile(folder, run);
  writeWhole(file, textOf(run));
  return file;
}

/** What a file keeps; nothing of one that is not there, or is no kept run and is told as such. */
function keptThere(file: string): StudyRun | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return readKeptRun(file);
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'bad-input') return undefined;
    throw thrown;
  }
}

/** Keeps each run as the one of its experiment that is shown. What was shown before is kept among those of before. */
export function keepRuns(folder: string, runs: readonly StudyRun[]): string[] {
  makeFolder(folder);
  return runs.map((run) => {
    const file = join(folder, `${run.preset}.json`);
    const before = keptThere(file);
    if (before !== undefined && before.startedAt !== run.startedAt) keepEarlier(folder, before);
    rmSync(earlierFile(folder, run), { force: true });
    writeWhole(file, textOf(run));
    return file;
  });
}
