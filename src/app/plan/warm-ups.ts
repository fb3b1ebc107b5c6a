import type { PlannedTrial } from '../../core/model/plan.ts';

/** Begins the ids of trials that are discarded. */
export const warmUpPrefix = 'warmup-';
/** Programs and caches are warm by then; a long download or video need not come to its end. */
export const warmUpMs = 6_000;

/** The trials that are run once to be discarded, one for every client, network, server and arm: binaries, page cache and just-in-time caches warm up. */
export function warmUpsOf(trials: readonly PlannedTrial[]): PlannedTrial[] {
  const first = new Map<string, PlannedTrial>();
  for (const trial of trials) {
    const key = [trial.client, trial.network, trial.server, trial.arm].join('\u0000');
    if (!first.has(key)) first.set(key, trial);
  }
  return [...first.values()];
}
