import { join } from 'node:path';
import { renderTrendPage } from '../../../reports/html/history/render-trend-page.ts';
import { trendOf } from '../../analyse/history/trend.ts';
import { messageOf } from '../../model/errors.ts';
import type { Trend } from '../../model/history.ts';
import { metricCatalogue } from '../../model/metric-catalogue.ts';
import type { History } from '../../store/history.ts';
import { readNightEvents } from '../../store/nights.ts';
import { writeWhole } from '../../system/write-whole.ts';
import { readHistoryRun } from './import-run.ts';

/** Metrics of the trend page, unless others are asked for: what people feel, and its cost. */
export const trendMetrics: readonly string[] = [
  ...['pltMs', 'cdtMs', 'ttfbMs', 'connectMs', 'lcpMs', 'speedIndexMs'],
  ...['meanChunkThroughputMbps', 'averageChunkBitrateKbps', 'startupDelayMs', 'stallTotalMs'],
  ...['throughputMbps', 'timeToFirstByteMs', 'networkServiceCpuPercent'],
].filter((name) => metricCatalogue.some((metric) => metric.name === name));

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

/** Trends of the given metrics, with every night since the first. */
export async function readTrend(
  history: History,
  resultsDir: string,
  metrics: readonly string[],
): Promise<Trend> {
  const [runs, rows] = [await history.runs(), await history.series(metrics)];
  return trendOf(rows, runs, readNightEvents(resultsDir).events, new Date().toISOString());
}

/** Writes `history.html` beside the runs; returns its path. */
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
