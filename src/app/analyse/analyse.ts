import type { Summary } from '../../core/model/summary.ts';
import { sweepLeftovers } from '../../store/leftovers.ts';
import { openRunDirectory } from '../../store/run-directory.ts';
import type { AppContext } from '../app-context.ts';
import { requireRecords, writeSummary } from '../report/publish.ts';
import { recomputeRun } from '../report/recompute.ts';

export interface AnalyseOptions {
  /** Derive every metric again from HARs and frames and compare with the journal. Default: no. */
  readonly recompute?: boolean | undefined;
}

export interface Analysis {
  readonly summary: Summary;
  /** What deriving the metrics again found; null when it was not asked for. */
  readonly recomputed: { readonly checked: number; readonly differences: readonly string[] } | null;
}

/**
 * Computes statistics and verdicts from a run directory alone and writes `summary.json`.
 *
 * @throws H2h3Error `bad-input` for a folder without a readable run
 */
export async function analyse(path: string, options: AnalyseOptions, context: AppContext): Promise<Analysis> {
  const directory = openRunDirectory(path);
  requireRecords(directory);
  sweepLeftovers(directory.path);
  const recomputed =
    options.recompute === true ? await recomputeRun(directory, (line) => context.progress.show(line)) : null;
  context.progress.clear();
  return { summary: writeSummary(directory), recomputed };
}
