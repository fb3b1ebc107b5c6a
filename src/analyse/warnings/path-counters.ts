import type { Summary } from '../../core/model/summary.ts';
import type { TrialTable } from '../comparison/trial-table.ts';

type PathCounters = NonNullable<Summary['pathCounters']>;

/** What path and machine counted while timed trials ran, added up for each network and arm, ok or not. */
export function pathCounters(table: TrialTable): PathCounters {
  const rows = new Map<string, PathCounters[number]>();
  for (const { planned, record } of table.trials) {
    if (planned.instrumentation !== 'uninstrumented' || record?.counters === undefined) continue;
    const { network, arm } = planned;
    const key = JSON.stringify([network, arm]);
    const row = rows.get(key) ?? { network, arm, trials: 0, counters: {} };
    const counters = { ...row.counters };
    for (const [name, rise] of Object.entries(record.counters)) counters[name] = (counters[name] ?? 0) + rise;
    rows.set(key, { ...row, trials: row.trials + 1, counters });
  }
  return [...rows.values()];
}
