import type { Environment } from '../../core/model/environment.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { AppContext } from '../app-context.ts';
import type { RunResources } from './open-resources.ts';
import { measureBlocks, type BlocksOptions } from './measure-blocks.ts';

/** A run of which this host gets one lease after the other. */
export interface SharedRun {
  /** The environment with which this host has joined before; null for one that is new. */
  joinedBefore(): Promise<Environment | null>;
  /** Tells the run of this host. @throws H2h3Error `bad-input` for one that may not take part */
  join(environment: Environment): Promise<void>;
  /** Null when there is nothing left. */
  next(): Promise<SharedLease | null>;
}

export interface SharedLease {
  readonly trials: readonly PlannedTrial[];
  /** Called with each record, when its files are written. */
  keep(record: TrialRecord): Promise<void>;
  /** Called when the lease is over; with what was thrown, when it was not run to its end. */
  end(fault?: unknown): void;
}

/** Joins the run, and measures one lease after the other until none is left. */
export async function measureLeases(
  resources: RunResources,
  {
    shared,
    environment,
    ...options
  }: BlocksOptions & { readonly shared: SharedRun; readonly environment: Environment },
  context: AppContext,
): Promise<void> {
  await shared.join(environment);
  for (let lease = await shared.next(); lease !== null; lease = await shared.next())
    await measureLease(resources, lease, options, context);
}

async function measureLease(
  resources: RunResources,
  lease: SharedLease,
  options: BlocksOptions,
  context: AppContext,
): Promise<void> {
  const keep = (record: TrialRecord): Promise<void> => lease.keep(record);
  try {
    await measureBlocks(resources, lease.trials, { ...options, doneCount: 0, keep }, context);
  } catch (thrown) {
    lease.end(thrown);
    throw thrown;
  }
  lease.end();
}
