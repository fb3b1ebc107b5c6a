import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { H2h3Error, foreignWords, messageOf } from '../core/model/errors.ts';
import type { HistoryRun, Observation, RunState } from '../core/model/history.ts';
import { historyColumns, historySchema, historyVersion, observationColumns } from './history-schema.ts';
import { installCommand, isInstalled } from '../core/system/optional-package.ts';
import { makeFolder } from '../core/system/storage-error.ts';

export interface StoredRun {
  readonly runId: string;
  readonly folder: string;
  readonly name: string;
  readonly night: string;
  readonly startedAt: string;
  readonly machineClass: string;
  readonly state: RunState;
  readonly reason: string;
  readonly gateOutcome: string | null;
  readonly trialsOk: number;
  readonly trialsLost: number;
}

/** Values of one series in one run. */
export interface StoredSeriesNight extends Omit<Observation, 'block' | 'arm' | 'client' | 'value'> {
  readonly machineClass: string;
  readonly night: string;
  readonly startedAt: string;
  readonly values: readonly number[];
  /** The block of each value. */
  readonly blocks: readonly number[];
}

/** The history of runs in one embedded database file (DuckDB). */
export interface History {
  /** Takes a run in, once: `unchanged` for one that is there, `replaced` for one whose journal has grown. */
  addRun(run: HistoryRun): Promise<'added' | 'replaced' | 'unchanged'>;
  runs(): Promise<StoredRun[]>;
  /** Values of complete runs for the given metrics; all where none is named. */
  series(metrics: readonly string[]): Promise<StoredSeriesNight[]>;
  /** SQL of the user's, ended by `signal`. Rows as JSON values. @throws H2h3Error `usage` where it fails, or asks for what is locked */
  query(sql: string, signal?: AbortSignal): Promise<Record<string, unknown>[]>;
  /** Writes `runs.parquet` and `observations.parquet`; returns their paths. Opened with `readOnly`: only into `exportsTo`. */
  exportParquet(folder: string): Promise<string[]>;
  /** Takes out the observations of runs before a night; their lines in `runs` stay. Returns how many values went. */
  prune(beforeNight: string): Promise<number>;
  close(): void;
}

function openError(thrown: unknown, file: string): H2h3Error {
  const said = foreignWords(thrown);
  const message = said.split('\n')[0] ?? '';
  // Not every "lock": damaged files are told of by their blocks.
  if (/could not set lock|conflicting lock/i.test(said)) {
    const holder = /PID (\d+)/.exec(said)?.[1];
    return new H2h3Error(
      'storage',
      `the history ${file} is in use${holder === undefined ? '' : ` by process ${holder}`}`,
      {
        cause: thrown,
        context: { file },
        next: 'Wait until it is done, then do this again; nothing was changed.',
      },
    );
  }
  return new H2h3Error('bad-input', `${file} is no history that can be read: ${message}`, {
    cause: thrown,
    context: { file },
    next: `It was not touched. Make it anew from the run directories with \`npx h2h3 history rebuild --history ${file}\`: the damaged file is kept next to it.`,
  });
}

/** Loaded when first needed: its program library is large, and no other command should depend on it. */
async function loadDuckDb(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api');
  } catch (thrown) {
    const there = isInstalled('@duckdb/node-api');
    const what = there
      ? `DuckDB does not run on ${process.platform} ${process.arch}`
      : 'the history needs DuckDB, which is not installed';
    throw new H2h3Error('unsupported', what, {
      cause: thrown,
      next: `\`${installCommand('@duckdb/node-api')}\`; the runs themselves need no history.`,
    });
  }
}

async function connect(
  file: string,
  readOnly: boolean,
): Promise<{ connection: DuckDBConnection; close: () => void }> {
  const { DuckDBInstance } = await loadDuckDb();
  const instance = await DuckDBInstance.create(file, { access_mode: readOnly ? 'READ_ONLY' : 'READ_WRITE' });
  try {
    const connection = await instance.connect();
    const close = (): void => {
      connection.closeSync();
      instance.closeSync();
    };
    return { connection, close };
  } catch (thrown) {
    instance.closeSync();
    throw thrown;
  }
}

export interface OpenOptions {
  /** Nothing is changed. */
  readonly readOnly?: boolean;
  /** The folder that exports may go to all the same. */
  readonly exportsTo?: string;
}

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Shuts SQL into the one file, the user's as well as what a file of others defines as views: no other file is read or
 * written, nothing is fetched, and there is no way to change that again.
 * https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview
 */
async function shutIn(connection: DuckDBConnection, exportsTo: string | undefined): Promise<void> {
  const settings = [
    'autoinstall_known_extensions = false',
    'autoload_known_extensions = false',
    "temp_directory = ''",
    ...(exportsTo === undefined ? [] : [`allowed_directories = [${sqlText(resolve(exportsTo))}]`]),
    'enable_external_access = false',
    'lock_configuration = true',
  ];
  for (const setting of settings) await connection.run(`SET ${setting}`);
}

/**
 * Opens the history, making it where there is none (unless `readOnly`).
 *
 * @throws H2h3Error `storage` when another process holds it, `bad-input` when it is damaged, of another schema, or
 * missing with `readOnly`; the file is never overwritten
 */
export async function openHistory(path: string, options: OpenOptions = {}): Promise<History> {
  const file = resolve(path);
  const readOnly = options.readOnly === true;
  if (readOnly && !existsSync(file))
    throw new H2h3Error('bad-input', `there is no history at ${path}`, {
      next: 'Make one with `npx h2h3 history add results/*`.',
    });
  makeFolder(dirname(file));
  try {
    const { connection, close } = await connect(file, readOnly);
    try {
      await shutIn(connection, options.exportsTo);
      await checkSchema(connection, file, readOnly);
    } catch (thrown) {
      close();
      throw thrown;
    }
    return guarded(historyOn(connection, close), path);
  } catch (thrown) {
    throw thrown instanceof H2h3Error ? thrown : openError(thrown, path);
  }
}

async function rowsOf(
  connection: DuckDBConnection,
  sql: string,
  values: DuckDBValue[] = [],
): Promise<Record<string, unknown>[]> {
  return (await connection.runAndReadAll(sql, values)).getRowObjectsJson();
}

async function queryOf(
  connection: DuckDBConnection,
  sql: string,
  signal?: AbortSignal,
): Promise<Record<string, unknown>[]> {
  signal?.addEventListener('abort', () => connection.interrupt());
  try {
    return await rowsOf(connection, sql);
  } catch (thrown) {
    if (signal?.aborted === true) throw new H2h3Error('interrupted', 'the query was interrupted');
    throw new H2h3Error('usage', `the query fails: ${messageOf(thrown).split('\n')[0] ?? ''}`, {
      cause: thrown,
      next: 'A query reads the tables runs and observations of this file, and nothing else.',
    });
  }
}

/** What DuckDB says of a file whose inside is none of ours, or that cannot be written. */
function useError(thrown: unknown, file: string): unknown {
  if (thrown instanceof H2h3Error) return thrown;
  const [said = ''] = foreignWords(thrown).split('\n');
  const code = /no space left|could not write|read-only file/i.test(said) ? 'storage' : 'bad-input';
  return new H2h3Error(code, `${file} cannot be used as a history: ${said}`, {
    cause: thrown,
    context: { file },
    next: `Make it anew from the run directories with \`npx h2h3 history rebuild --history ${file}\`: this file is kept next to it.`,
  });
}

/** The history whose errors name the file. */
function guarded(history: History, file: string): History {
  const guard =
    <Given extends readonly unknown[], Result>(use: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      try {
        return await use(...given);
      } catch (thrown) {
        throw useError(thrown, file);
      }
    };
  return {
    addRun: guard((run) => history.addRun(run)),
    runs: guard(() => history.runs()),
    series: guard((metrics) => history.series(metrics)),
    query: guard((sql, signal) => history.query(sql, signal)),
    exportParquet: guard((folder) => history.exportParquet(folder)),
    prune: guard((beforeNight) => history.prune(beforeNight)),
    close: () => history.close(),
  };
}

/** Tables and not views of their names, with the columns that ours have. */
async function requireOurTables(connection: DuckDBConnection, file: string): Promise<void> {
  const columns = await rowsOf(
    connection,
    `SELECT c.table_name || '.' || c.column_name || ' ' || c.data_type AS "column"
     FROM duckdb_columns() c JOIN duckdb_tables() t USING (table_oid) WHERE NOT c.internal`,
  );
  const found = new Set(columns.map(({ column }) => column));
  const lacking = historyColumns.find((column) => !found.has(column));
  if (lacking !== undefined)
    throw new H2h3Error('bad-input', `${file} is no history: it has no column ${lacking}`, {
      next: 'Name another file with --history.',
    });
}

async function checkSchema(connection: DuckDBConnection, file: string, readOnly: boolean): Promise<void> {
  const tables = await rowsOf(
    connection,
    "SELECT table_name FROM duckdb_tables() WHERE table_name = 'history_meta'",
  );
  if (tables.length === 0) {
    const others = await rowsOf(connection, 'SELECT table_name FROM duckdb_tables() LIMIT 1');
    if (others.length > 0 || readOnly)
      throw new H2h3Error('bad-input', `${file} is a database of something else`, {
        next: 'Name another file with --history.',
      });
    for (const statement of historySchema) await connection.run(statement);
    return;
  }
  const [meta] = await rowsOf(connection, 'SELECT version FROM history_meta');
  if (meta?.['version'] !== historyVersion)
    throw new H2h3Error(
      'bad-input',
      `${file} has schema version ${String(meta?.['version'])}, this h2h3 reads ${historyVersion}`,
      {
        next: `Make it anew from the run directories with \`npx h2h3 history rebuild --history ${file}\`: the old file is kept next to it.`,
      },
    );
  await requireOurTables(connection, file);
}

function historyOn(connection: DuckDBConnection, close: () => void): History {
  return {
    addRun: (run) => addRun(connection, run),
    runs: async () =>
      (await rowsOf(
        connection,
        `SELECT run_id AS "runId", folder, name, CAST(night AS VARCHAR) AS night, started_at AS "startedAt",
           machine_class AS "machineClass", state, reason, gate_outcome AS "gateOutcome",
           trials_ok AS "trialsOk", trials_lost AS "trialsLost"
         FROM runs ORDER BY started_at, run_id`,
      )) as unknown as StoredRun[],
    series: async (metrics) =>
      (await rowsOf(
        connection,
        `SELECT machine_class AS "machineClass", CAST(night AS VARCHAR) AS night, started_at AS "startedAt",
           role, protocol, family, version, build, workload, kind, network, server, metric,
           list(value ORDER BY block) AS "values", list(block ORDER BY block) AS "blocks"
         FROM observations JOIN runs USING (run_id)
         WHERE state = 'complete' AND (? = '' OR list_contains(string_split(?, ','), metric))
         GROUP BY ALL ORDER BY started_at, workload, metric, protocol, version`,
        [metrics.join(','), metrics.join(',')],
      )) as unknown as StoredSeriesNight[],
    query: (sql, signal) => queryOf(connection, sql, signal),
    exportParquet: async (folder) => {
      makeFolder(folder);
      const tables = ['runs', 'observations'];
      const fileOf = (table: string): string => join(folder, `${table}.parquet`);
      for (const table of tables)
        await connection.run(
          `COPY (SELECT * FROM ${table}) TO ${sqlText(resolve(fileOf(table)))} (FORMAT parquet, COMPRESSION zstd)`,
        );
      return tables.map(fileOf);
    },
    prune: async (beforeNight) => {
      const old = 'run_id IN (SELECT run_id FROM runs WHERE night < CAST(? AS DATE))';
      const [count] = await rowsOf(
        connection,
        `SELECT CAST(count(*) AS INTEGER) AS n FROM observations WHERE ${old}`,
        [beforeNight],
      );
      await connection.run(`DELETE FROM observations WHERE ${old}`, [beforeNight]);
      await connection.run('CHECKPOINT');
      return Number(count?.['n'] ?? 0);
    },
    close,
  };
}

async function addRun(
  connection: DuckDBConnection,
  run: HistoryRun,
): Promise<'added' | 'replaced' | 'unchanged'> {
  const [before] = await rowsOf(connection, 'SELECT digest FROM runs WHERE run_id = ?', [run.runId]);
  if (before?.['digest'] === run.digest) return 'unchanged';
  await connection.run('BEGIN');
  try {
    await connection.run('DELETE FROM observations WHERE run_id = ?', [run.runId]);
    await connection.run('DELETE FROM runs WHERE run_id = ?', [run.runId]);
    await connection.run(`INSERT INTO runs VALUES (${Array.from({ length: 17 }, () => '?').join(', ')})`, [
      run.runId,
      run.digest,
      historyVersion,
      run.folder,
      run.name,
      run.night,
      run.startedAt,
      run.machineClass,
      run.state,
      run.reason,
      run.blocksPlanned,
      run.blocksDone,
      run.trialsOk,
      run.trialsLost,
      run.gateOutcome,
      run.command,
      run.gitRevision,
    ]);
    await appendObservations(connection, run);
    await connection.run('COMMIT');
  } catch (thrown) {
    await connection.run('ROLLBACK');
    throw thrown;
  }
  return before === undefined ? 'added' : 'replaced';
}

async function appendObservations(connection: DuckDBConnection, run: HistoryRun): Promise<void> {
  const appender = await connection.createAppender('observations');
  for (const observation of run.observations) {
    appender.appendVarchar(run.runId);
    appender.appendInteger(observation.block);
    for (const column of observationColumns) appender.appendVarchar(observation[column]);
    appender.appendDouble(observation.value);
    appender.endRow();
  }
  appender.closeSync();
}

/**
 * Puts a new history in the place of an old one. The old file is renamed, never removed; returns its new name, or null
 * where there was none.
 */
export async function replaceHistory(
  path: string,
  stamp: string,
  fill: (history: History) => Promise<void>,
): Promise<string | null> {
  const file = resolve(path);
  const fresh = `${file}.new`;
  rmSync(fresh, { force: true });
  rmSync(`${fresh}.wal`, { force: true });
  await refuseIfHeld(file, path);
  const history = await openHistory(fresh);
  try {
    await fill(history);
  } finally {
    history.close();
  }
  const aside = existsSync(file) ? `${file}.before-${stamp}` : null;
  if (aside !== null) renameSync(file, aside);
  if (existsSync(`${file}.wal`)) renameSync(`${file}.wal`, `${file}.before-${stamp}.wal`);
  renameSync(fresh, file);
  return aside;
}

/** A file that another process writes must not be moved from under it; a damaged one may. */
async function refuseIfHeld(file: string, path: string): Promise<void> {
  if (!existsSync(file)) return;
  try {
    const { close } = await connect(file, false);
    close();
  } catch (thrown) {
    const error = thrown instanceof H2h3Error ? thrown : openError(thrown, path);
    if (error.code !== 'bad-input') throw error;
  }
}
