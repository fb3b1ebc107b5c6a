import { budgetReason } from '../../src/model/record.ts';
import type { Summary } from '../../src/model/summary.ts';

type Trouble = Summary['troubles'][number];

/** Why a trial does not count, as people say it. */
export function reasonWords({ reason }: Pick<Trouble, 'reason'>): string {
  if (reason === budgetReason) return 'the run’s time was used up';
  return reason ?? 'no reason was recorded';
}

/** What became of a trial, as people say it. */
export function statusWords({ status }: Pick<Trouble, 'status'>): string {
  return status === 'not-run' ? 'not run' : status;
}

/** Trials that a time budget left out had no trouble of their own: they are counted, not listed. */
export function wasLeftOut({ status, reason }: Pick<Trouble, 'status' | 'reason'>): boolean {
  return status === 'not-run' && reason === budgetReason;
}
