import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { renderContrastsCsv } from '../../../reports/csv/comparisons-csv.ts';
import { renderRunComparison } from '../../../reports/html/compare/render-run-comparison.ts';
import { differenceLines } from '../../../reports/terminal/render-run-comparison-text.ts';
import { compareRuns, type RunToCompare } from '../../analyse/compare-runs/compare-runs.ts';
import { noiseOfNights } from '../../analyse/history/night-gaps.ts';
import type { BetweenRunNoise } from '../../core/model/calibration.ts';
import { machineClassOfRun } from '../../core/model/machine-class.ts';
import { loadCalibration } from '../../store/calibration-store.ts';
import { openHistory } from '../../store/history.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { RunComparison } from '../../core/model/run-comparison.ts';
import type { Summary } from '../../core/model/summary.ts';
import { openRunDirectory } from '../../store/run-directory.ts';
import { requireWritable, writeWhole } from '../../core/system/write-whole.ts';
import { requireRecords } from '../report/publish.ts';
import { summaryOf } from '../report/recorded-summary.ts';

export interface CompareOptions {
  /** Compare although the runs differ in what makes figures comparable. Default: no. */
  readonly force?: boolean | undefined;
  /** Page to write. Default: `compare-<a>-<b>.html` next to the second run. */
  readonly out?: string | undefined;
}

export interface ComparedRuns {
  readonly comparison: RunComparison;
  /** Path of the page; JSON and CSV lie next to it. */
  readonly pagePath: string;
}

/**
 * Compares two runs, the second against the first, and writes page, JSON and CSV.
 *
 * @throws H2h3Error `usage` for a page that cannot be written, `bad-input` when machine, network or pages differ, unless forced
 */
export async function compare(a: string, b: string, options: CompareOptions): Promise<ComparedRuns> {
  if (options.out !== undefined) requireWritable(options.out, '--out');
  const comparison = await comparisonOf(a, b);
  if (options.force !== true) requireComparable(comparison);
  const fallback = join(dirname(resolve(b)), `compare-${basename(resolve(a))}-${basename(resolve(b))}.html`);
  const pagePath = resolve(options.out ?? fallback);
  const stem = pagePath.replace(/\.html?$/, '');
  writeWhole(pagePath, await renderRunComparison(comparison));
  writeWhole(`${stem}.json`, `${JSON.stringify(comparison, null, 1)}\n`);
  writeWhole(`${stem}.csv`, renderContrastsCsv(comparison));
  return { comparison, pagePath };
}

/**
 * Compares two runs, whatever they differ in, and writes nothing.
 *
 * @throws H2h3Error `bad-input` when the runs have nothing in common
 */
export async function comparisonOf(a: string, b: string): Promise<RunComparison> {
  if (resolve(a) === resolve(b)) throw new H2h3Error('usage', 'both names are the same run');
  const first = { folder: a, summary: recordedSummary(a) };
  const second = { folder: b, summary: recordedSummary(b) };
  return compareRuns(first, second, await knownNoise(second, dirname(resolve(b))));
}

/** What runs on this class of machine differ by although nothing changed, from its calibration and its history. */
async function knownNoise({ summary }: RunToCompare, resultsDir: string): Promise<BetweenRunNoise[]> {
  if (summary.environment === null) return [];
  const machineClass = machineClassOfRun(summary.environment);
  const calibrated = loadCalibration(resultsDir, machineClass)?.betweenRuns ?? [];
  const file = join(resultsDir, 'history.duckdb');
  if (!existsSync(file)) return calibrated;
  const history = await openHistory(file, { readOnly: true });
  try {
    const rows = await history.series([...new Set(summary.comparisons.map(({ metric }) => metric))]);
    return [...calibrated, ...noiseOfNights(rows.filter((row) => row.machineClass === machineClass))];
  } finally {
    history.close();
  }
}

function recordedSummary(path: string): Summary {
  const directory = openRunDirectory(path);
  requireRecords(directory);
  return summaryOf(directory);
}

function requireComparable({ differences }: RunComparison): void {
  const grave = differences.filter(({ refuses }) => refuses);
  if (grave.length === 0) return;
  throw new H2h3Error(
    'bad-input',
    `these runs cannot be compared, because they differ in\n  ${differenceLines(grave).join('\n  ')}`,
    {
      next: 'Compare runs of one machine, network and set of workloads, or add --force: the report then says so.',
    },
  );
}
