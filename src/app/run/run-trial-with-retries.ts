import { H2h3Error } from '../../core/model/errors.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { disturbedByMachine } from '../../core/model/record.ts';
import { watchCpus } from '../../core/system/machine.ts';

/** So often a trial is run in all, where the machine disturbs it. */
const maxTries = 3;
/** Time of each look at what the hypervisor takes, ms, and the most looks of a wait for it to take less. */
const lookMs = 1000;
const maxLooks = 30;
/** Above this share of the CPU time the next try would be disturbed as well. */
const stolenShareLimit = 0.01;

/** Waits until the machine is free, or the wait was long enough. */
export type Settling = (signal: AbortSignal) => Promise<void>;

export interface TriesOptions {
  /** Says that a try came to nothing and another one follows. */
  readonly say: (record: TrialRecord) => void;
  readonly signal: AbortSignal;
  /** Waits until the machine is free (`settlingOf`). */
  readonly settle: Settling;
}

/**
 * The record of a trial that is run again, twice at the most, where the machine disturbed it. It delayed the emulated path: packets
 * left when the emulator got a CPU, and not when they were due, so the trial measured another network than the other arm's.
 * Or an interface came or went, and Chromium closed its connections. The record has the earlier tries, and a warning counts them by arm.
 *
 * @throws H2h3Error `interrupted`; the trial then has no record and runs again on resume
 */
export async function runTrialWithRetries(
  run: () => Promise<TrialRecord>,
  { say, signal, settle }: TriesOptions,
): Promise<TrialRecord> {
  const earlierTries: { startedAt: string; reason: string }[] = [];
  for (;;) {
    const record = await run();
    if (!disturbedByMachine(record) || earlierTries.length + 1 === maxTries)
      return earlierTries.length === 0 ? record : withTries(record, earlierTries);
    earlierTries.push({ startedAt: record.startedAt, reason: record.reason ?? '' });
    say(record);
    await settle(signal);
    if (signal.aborted) throw new H2h3Error('interrupted', 'the run was interrupted');
  }
}

function withTries(record: TrialRecord, earlierTries: NonNullable<TrialRecord['earlierTries']>): TrialRecord {
  const [first] = earlierTries;
  return { ...record, earlierTries, warnings: [...record.warnings, `run again: ${first?.reason ?? ''}`] };
}

/**
 * How one run waits until the hypervisor takes less of the CPU time. Where a wait of 30 s was in vain, the machine is like that:
 * from then on one look of a second must do, until one finds that less is taken.
 *
 * @param isPatient whether it may wait at all; otherwise each wait is one look
 */
export function settlingOf(isPatient: boolean, look: typeof watchCpus = watchCpus): Settling {
  let looks = isPatient ? maxLooks : 1;
  return async (signal) => {
    for (let made = 0; made < looks && !signal.aborted; made += 1) {
      const shares = await look(lookMs);
      if (shares !== null && shares.steal > stolenShareLimit) continue;
      looks = isPatient ? maxLooks : 1;
      return;
    }
    looks = 1;
  };
}
