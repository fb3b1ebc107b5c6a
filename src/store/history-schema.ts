import type { Observation } from '../model/history.ts';

/** Raised whenever a table changes; older files are made anew from the run directories. */
export const historyVersion = 1;

/** Text columns of `observations`, in the table's order. */
export const observationColumns = [
  'arm',
  'role',
  'protocol',
  'client',
  'family',
  'version',
  'build',
  'workload',
  'kind',
  'network',
  'server',
  'metric',
] as const satisfies readonly (keyof Observation)[];

export const historySchema: readonly string[] = [
  'CREATE TABLE history_meta (version INTEGER NOT NULL)',
  `INSERT INTO history_meta VALUES (${historyVersion})`,
  `CREATE TABLE runs (
     run_id VARCHAR PRIMARY KEY, digest VARCHAR NOT NULL, schema_version INTEGER NOT NULL,
     folder VARCHAR NOT NULL, name VARCHAR NOT NULL, night DATE NOT NULL, started_at VARCHAR NOT NULL,
     machine_class VARCHAR NOT NULL, state VARCHAR NOT NULL, reason VARCHAR NOT NULL,
     blocks_planned INTEGER, blocks_done INTEGER, trials_ok INTEGER, trials_lost INTEGER,
     gate_outcome VARCHAR, command VARCHAR NOT NULL, git_revision VARCHAR)`,
  `CREATE TABLE observations (
     run_id VARCHAR NOT NULL, block INTEGER NOT NULL,
     ${observationColumns.map((column) => `${column} VARCHAR NOT NULL`).join(', ')}, value DOUBLE NOT NULL)`,
];
