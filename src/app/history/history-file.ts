import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { renderTrendPage } from '../../../reports/html/history/render-trend-page.ts';
import { trendOf } from '../../analyse/history/trend.ts';
import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import type { Trend } from '../../core/model/history.ts';
import { metrics } from '../../core/metrics/registry.ts';
import type { NameTable } from '../../core/model/name-table.ts';
import { audienceNames, mergedNames, nameTable } from '../../core/model/names.ts';
import type { History, StoredRun, StoredSeriesNight } from '../../store/history.ts';
import { openRunDirectory } from '../../store/run-directory.ts';
import { readNightEvents } from '../../store/nights.ts';
import { writeWhole } from '../../core/system/write-whole.ts';
import { readHistoryRun } from './import-run.ts';

/** Metrics of the trend page, unless others are asked for: what people feel, and its cost. */
export const trendMetrics: readonly string[] = [
  'pltMs',
  'cdtMs',
  'ttfbMs',
  'connectMs',
  'addressRaceMs',
  'lcpMs',
  'speedIndexMs',
  'meanChunkThroughputMbps',
  'averageChunkBitrateKbps',
  'startupDelayMs',
  'stallTotalMs',
  'throughputMbps',
  'timeToFirstByteMs',
  'uploadMs',
  'networkServiceCpuPercent',
  'networkingCpuSeconds',
  'cpuSeconds',
].filter((name) => metrics.some((metric) => metric.name === name));

export interface ImportCount {
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  /** Folders that could not be read, with the reason. */
  readonly refused: readonly string[];
}

/** Takes run directories into the history; what cannot be read is named and costs nothing else. */
export async function importRuns(
  history: History,
  folders: readonly string[],
  show: (line: string) => void,
): Promise<ImportCount> {
  const counts = { added: 0, replaced: 0, unchanged: 0 };
  const refused: string[] = [];
  for (const [index, folder] of folders.entries()) {
    show(`taking in ${index + 1}/${folders.length}: ${folder}`);
    try {
      counts[await history.addRun(readHistoryRun(folder))]++;
    } catch (thrown) {
      refused.push(`${folder}: ${messageOf(thrown)}`);
    }
  }
  return { ...counts, refused };
}

/** Null where the run is gone or cannot be read: the history has its values all the same. */
function namesOfRun(folder: string): NameTable | null {
  if (!existsSync(join(folder, 'plan.json'))) return null;
  try {
    const directory = openRunDirectory(folder);
    const { workloads, audience } = directory.plan;
    return mergedNames([
      nameTable({ workloads, environment: directory.environment() }),
      audience === undefined ? undefined : audienceNames(audience),
    ]);
  } catch (thrown) {
    if (thrown instanceof H2h3Error) return null;
    throw thrown;
  }
}

/** Names of what the rows tell of, out of the newest runs that are still there and have them. */
function namesOfRuns(runs: readonly StoredRun[], rows: readonly StoredSeriesNight[]): NameTable {
  const unnamed = new Set(rows.flatMap(({ workload, network }) => [workload, network]));
  const tables: NameTable[] = [];
  for (const { folder } of runs.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))) {
    if (unnamed.size === 0) break;
    const table = namesOfRun(folder);
    if (table === null) continue;
    for (const id of Object.keys({ ...table.workloads, ...table.networks })) unnamed.delete(id);
    tables.push(table);
  }
  return mergedNames(tables.toReversed());
}

/** Trends of the given metrics, with every night since the first. */
export async function readTrend(
  history: History,
  resultsDir: string,
  metrics: readonly string[],
): Promise<Trend> {
  const runs = await history.runs();
  const rows = await history.series(metrics);
  const { events } = readNightEvents(resultsDir);
  const names = namesOfRuns(runs, rows);
  return trendOf({ rows, runs, events, metrics, names, now: new Date().toISOString() });
}

/** Writes `history.html` next to the runs; returns its path. */
export async function publishTrend(
  history: History,
  resultsDir: string,
  metrics: readonly string[],
): Promise<string> {
  const file = join(resultsDir, 'history.html');
  writeWhole(
    file,
    await renderTrendPage(await readTrend(history, resultsDir, metrics), { runsPage: 'index.html' }),
  );
  return file;
}
