import { H2h3Error } from '../../core/model/errors.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../core/model/exit-codes.ts';
import type { AppContext } from '../app-context.ts';
import { nightly, type FinishedNight, type NightlyOptions } from './nightly.ts';

/** One night that checks several: browsers, servers and players, one after the other. */
export interface NightsOptions extends Omit<NightlyOptions, 'candidate'> {
  /** Undefined stands for the candidate of a night that names none. */
  readonly candidates: readonly (string | undefined)[];
}

/** The first of these that any candidate ended with is that of the night. */
const gravest: readonly ExitCode[] = [
  exitCodes.gateWorse,
  exitCodes.trialsFailed,
  exitCodes.unsupported,
  exitCodes.usage,
  exitCodes.undecided,
];

/**
 * Checks each candidate against its own baseline, in a folder of its own; all enter one history. A candidate that cannot be
 * checked says why and does not keep the others.
 *
 * @param runNight carries out one night
 * @returns exit code of the gravest outcome: worse, then trials failed, not possible here, usage, undecided
 * @throws H2h3Error `usage` for one baseline of several candidates, `interrupted` when asked to stop
 */
export async function nights(
  { candidates, ...options }: NightsOptions,
  context: AppContext,
  onNight: (finished: FinishedNight) => void,
  runNight: typeof nightly = nightly,
): Promise<ExitCode> {
  if (options.baseline !== undefined && candidates.length > 1)
    throw new H2h3Error('usage', `one baseline cannot be that of ${candidates.join(', ')}`, {
      next: 'Accept a baseline for each (npx h2h3 baseline accept NAME@VERSION), or name one candidate.',
    });
  const ended = new Set<ExitCode>();
  for (const candidate of candidates) {
    try {
      const finished = await runNight({ ...options, candidate }, context);
      onNight(finished);
      ended.add(finished.exitCode);
    } catch (thrown) {
      if (candidates.length === 1 || !(thrown instanceof H2h3Error) || thrown.code === 'interrupted')
        throw thrown;
      context.progress.say(`${candidate ?? 'candidate'}: ${thrown.message}`);
      if (thrown.next !== undefined) context.progress.say(`  next: ${thrown.next}`);
      ended.add(exitCodeOf(thrown.code));
    }
  }
  return gravest.find((code) => ended.has(code)) ?? exitCodes.ok;
}
