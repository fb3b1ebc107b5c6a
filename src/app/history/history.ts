import { join } from 'node:path';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Trend } from '../../core/model/history.ts';
import { metricDefinition, metricNames } from '../../core/metrics/registry.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import { openHistory, replaceHistory, type History, type OpenOptions } from '../../store/history.ts';
import type { AppContext } from '../app-context.ts';
import { importRuns, publishTrend, readTrend, trendMetrics, type ImportCount } from './history-file.ts';
import { runFoldersIn } from '../../store/run-directory.ts';
import { runFoldersOf } from './import-run.ts';

export type { ImportCount } from './history-file.ts';

/** Where a history lies. */
export interface HistoryPlace {
  /** Default: `history.duckdb` in the folder of the runs. */
  readonly file?: string | undefined;
  /** Folder of the runs. Default: `results`. */
  readonly resultsDir?: string | undefined;
}

const resultsOf = ({ resultsDir }: HistoryPlace): string => resultsDir ?? 'results';
const fileOf = (place: HistoryPlace): string => place.file ?? join(resultsOf(place), 'history.duckdb');

async function withHistory<T>(
  place: HistoryPlace,
  options: OpenOptions,
  use: (history: History) => Promise<T>,
): Promise<T> {
  const history = await openHistory(fileOf(place), options);
  try {
    return await use(history);
  } finally {
    history.close();
  }
}

/** @throws H2h3Error `usage` for a name that no metric has */
function requireMetrics(names: readonly string[] | undefined): readonly string[] {
  const unknown = names?.find((name) => metricDefinition(name) === undefined);
  if (unknown === undefined) return names ?? trendMetrics;
  throw new H2h3Error('usage', `unknown metric "${unknown}"`, {
    next: didYouMean(unknown, metricNames, '`npx h2h3 describe metrics` lists them.'),
  });
}

/** Takes run directories, or folders that hold runs, into the history; each counts once. */
export function addRuns(
  dirs: readonly string[],
  place: HistoryPlace,
  context: AppContext,
): Promise<ImportCount> {
  return withHistory(place, {}, (history) =>
    importRuns(history, runFoldersOf(dirs), (line) => context.progress.show(line)),
  );
}

/** Answers a query on the tables `runs` and `observations`, until `signal` says stop. */
export function historyQuery(
  sql: string,
  place: HistoryPlace,
  signal?: AbortSignal,
): ReturnType<History['query']> {
  return withHistory(place, { readOnly: true }, (history) => history.query(sql, signal));
}

/** Medians and intervals by night, and the nights on which a level changed. @param metrics default: what people feel, and its cost */
export async function historyTrend(
  metrics: readonly string[] | undefined,
  place: HistoryPlace,
): Promise<Trend> {
  const names = requireMetrics(metrics);
  return withHistory(place, { readOnly: true }, (history) => readTrend(history, resultsOf(place), names));
}

/** Writes `history.html` into the folder of the runs; returns its path. */
export async function writeTrend(
  metrics: readonly string[] | undefined,
  place: HistoryPlace,
): Promise<string> {
  const names = requireMetrics(metrics);
  return withHistory(place, { readOnly: true }, (history) => publishTrend(history, resultsOf(place), names));
}

/** Writes the tables as Parquet into a folder; returns the files. */
export function exportHistory(dir: string, place: HistoryPlace): Promise<string[]> {
  return withHistory(place, { readOnly: true, exportsTo: dir }, (history) => history.exportParquet(dir));
}

/** Drops the values of runs before a night (`YYYY-MM-DD`); the runs stay listed. Returns how many values went. */
export function pruneHistory(firstNightKept: string, place: HistoryPlace): ReturnType<History['prune']> {
  return withHistory(place, {}, (history) => history.prune(firstNightKept));
}

/** Makes the history anew from the run directories; the old file is kept next to it. */
export async function rebuildHistory(
  place: HistoryPlace,
  context: AppContext,
): Promise<{ readonly count: ImportCount; readonly aside: string | null }> {
  const folders = runFoldersIn(resultsOf(place));
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '');
  let count: ImportCount = { added: 0, replaced: 0, unchanged: 0, refused: [] };
  const aside = await replaceHistory(fileOf(place), stamp, async (history) => {
    count = await importRuns(history, folders, (line) => context.progress.show(line));
  });
  return { count, aside };
}
