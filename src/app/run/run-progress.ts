import type { PlannedTrial } from '../../core/model/plan.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { formatDuration } from '../duration.ts';
import type { Progress } from '../app-context.ts';

export interface RunProgressOptions {
  readonly progress: Progress;
  readonly total: number;
  /** Trials that an earlier part of this run has done. */
  readonly done: number;
  /** Whether it may end earlier, at an interim analysis that decides everything. */
  readonly mayEndEarly: boolean;
  /** When its time budget ends, on the clock of `performance.now`, ms; infinite without one. */
  readonly budgetEndMs: number;
  /** Estimate of a trial before any was timed, ms. */
  readonly expectedTrialMs: (trial: PlannedTrial) => number;
  readonly primaryOf: (workload: string) => { readonly metric: string; readonly unit: string } | undefined;
}

/** Trials that take about as long as each other. */
const kindOf = ({ workload, instrumentation }: PlannedTrial): string => `${workload} ${instrumentation}`;

/** Says what runs, what came of it, and how long the rest will take. */
export class RunProgress {
  readonly #options: RunProgressOptions;
  readonly #seen = new Map<string, { count: number; totalMs: number }>();
  #finished: number;

  constructor(options: RunProgressOptions) {
    this.#options = options;
    this.#finished = options.done;
  }

  #expectedMs(trial: PlannedTrial): number {
    const seen = this.#seen.get(kindOf(trial));
    return seen ? seen.totalMs / seen.count : this.#options.expectedTrialMs(trial);
  }

  /** Time the given trials will take: what was seen of each workload, else its estimate. */
  remainingMs(pending: readonly PlannedTrial[]): number {
    return pending.reduce((sum, trial) => sum + this.#expectedMs(trial), 0);
  }

  #leftWords(pending: readonly PlannedTrial[]): string {
    const { mayEndEarly, budgetEndMs } = this.#options;
    const remainingMs = this.remainingMs(pending);
    const budgetMs = Math.max(0, budgetEndMs - performance.now());
    const atMost = mayEndEarly || budgetMs < remainingMs ? 'at most ' : '';
    return `${atMost}${formatDuration(Math.min(remainingMs, budgetMs))} left`;
  }

  /** A recorded block is none of those that are counted. */
  #blockWords({ instrumentation, blockIndex }: PlannedTrial): string {
    return instrumentation === 'uninstrumented' ? `block ${blockIndex + 1}` : 'recorded';
  }

  begin(trial: PlannedTrial, pending: readonly PlannedTrial[]): void {
    const { progress, total } = this.#options;
    progress.show(
      `[${this.#finished + 1}/${total}] ${trial.workload} ${trial.arm} (${this.#blockWords(trial)}), ${this.#leftWords(pending)}`,
    );
  }

  /** A try came to nothing, and the same trial is run again. */
  again({ workload, client, network, arm }: PlannedTrial, { reason }: TrialRecord): void {
    const { progress, total } = this.#options;
    progress.say(
      `[${this.#finished + 1}/${total}] ${workload} ${client} ${network} ${arm}: run again, ${reason ?? 'disturbed'}`,
    );
  }

  end(trial: PlannedTrial, record: TrialRecord, wallMs: number, pending: readonly PlannedTrial[]): void {
    const { progress, total, primaryOf } = this.#options;
    this.#finished++;
    const seen = this.#seen.get(kindOf(trial)) ?? { count: 0, totalMs: 0 };
    this.#seen.set(kindOf(trial), { count: seen.count + 1, totalMs: seen.totalMs + wallMs });
    const primary = primaryOf(trial.workload);
    const value = primary && numericMetric(record.metrics, primary.metric);
    const recorded = trial.instrumentation === 'uninstrumented' ? '' : ' (recorded)';
    // Some metrics come from the other kind of block alone.
    const result = primary && value !== undefined ? `${value.toFixed(1)} ${primary.unit}`.trimEnd() : 'done';
    const outcome =
      record.status === 'ok'
        ? `${result}${recorded}`
        : `${record.status}: ${record.reason ?? 'no reason given'}`;
    const left = pending.length > 0 ? `, ${this.#leftWords(pending)}` : '';
    progress.say(
      `[${this.#finished}/${total}] ${trial.workload} ${trial.client} ${trial.network} ${trial.arm}: ${outcome}${left}`,
    );
  }
}
