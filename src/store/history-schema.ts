import type { Observation } from '../core/model/history.ts';

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

const text = 'VARCHAR NOT NULL';

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  history_meta: { version: 'INTEGER NOT NULL' },
  runs: {
    run_id: 'VARCHAR PRIMARY KEY',
    digest: text,
    schema_version: 'INTEGER NOT NULL',
    folder: text,
    name: text,
    night: 'DATE NOT NULL',
    started_at: text,
    machine_class: text,
    state: text,
    reason: text,
    blocks_planned: 'INTEGER',
    blocks_done: 'INTEGER',
    trials_ok: 'INTEGER',
    trials_lost: 'INTEGER',
    gate_outcome: 'VARCHAR',
    command: text,
    git_revision: 'VARCHAR',
  },
  observations: {
    run_id: text,
    block: 'INTEGER NOT NULL',
    ...Object.fromEntries(observationColumns.map((column) => [column, text])),
    value: 'DOUBLE NOT NULL',
  },
};

/** What makes an empty history. */
export const historySchema: readonly string[] = [
  ...Object.entries(tables).map(([table, columns]) => {
    const definitions = Object.entries(columns).map(([column, definition]) => `${column} ${definition}`);
    return `CREATE TABLE ${table} (${definitions.join(', ')})`;
  }),
  `INSERT INTO history_meta VALUES (${historyVersion})`,
];

/** Every column as `table.column TYPE`. */
export const historyColumns: readonly string[] = Object.entries(tables).flatMap(([table, columns]) =>
  Object.entries(columns).map(
    ([column, definition]) => `${table}.${column} ${definition.split(' ')[0] ?? ''}`,
  ),
);
