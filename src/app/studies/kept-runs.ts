import { existsSync, readdirSync } from 'node:fs';
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

export interface KeptRuns {
  readonly runs: readonly StudyRun[];
  /** Files that cannot be read, a line each. */
  readonly passedOver: readonly string[];
}

/** All runs that a folder keeps; none where it is not there. */
export function readKeptRuns(folder: string): KeptRuns {
  const passedOver: string[] = [];
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const runs = names.toSorted().flatMap((name) => {
    try {
      return [readKeptRun(join(folder, name))];
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

/** Writes each run over what was kept of its experiment; a line a cell, so that changes can be read. */
export function keepRuns(folder: string, runs: readonly StudyRun[]): string[] {
  makeFolder(folder);
  return runs.map((run) => {
    const file = join(folder, `${run.preset}.json`);
    const { cells, ...facts } = run;
    const lines = cells.map((cell) => JSON.stringify(cell)).join(',\n');
    writeWhole(file, `${JSON.stringify(facts).slice(0, -1)},"cells":[\n${lines}\n]}\n`);
    return file;
  });
}
