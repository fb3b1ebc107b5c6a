import { hasReason } from '../../src/core/model/reasons.ts';
import type { Summary } from '../../src/core/model/summary.ts';

type Trouble = Summary['troubles'][number];

/** Why a trial does not count, as people say it. */
export function reasonWords(trouble: Pick<Trouble, 'reason' | 'reasonCode'>): string {
  if (hasReason(trouble, 'budget')) return 'the run’s time was used up';
  return trouble.reason ?? 'no reason was recorded';
}

/** What became of a trial, as people say it. */
export function statusWords({ status }: Pick<Trouble, 'status'>): string {
  return status === 'not-run' ? 'not run' : status;
}
