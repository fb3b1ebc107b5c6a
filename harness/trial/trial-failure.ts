import { H2h3Error, messageOf, unwritableReason } from '../../src/core/model/errors.ts';
import { reasonOf, type Reason } from '../../src/core/model/reasons.ts';
import type { TrialStatus } from '../../src/core/model/record.ts';

/** Of a trial that was not measured. */
export function statusOf(thrown: unknown): TrialStatus {
  return thrown instanceof H2h3Error && thrown.code === 'unsupported' ? 'unsupported' : 'failed';
}

/** @throws H2h3Error `storage` where there was no room for what the trial leaves */
export function throwIfUnwritable(thrown: unknown): void {
  if (thrown instanceof H2h3Error && thrown.code === 'storage') throw thrown;
  const reason = unwritableReason(thrown);
  if (reason !== undefined)
    throw new H2h3Error('storage', `the trial cannot be kept: ${reason}`, {
      cause: thrown,
    });
}

/** Why a trial was not measured. */
export function reasonOfFailure(thrown: unknown): Reason {
  return reasonOf(statusOf(thrown) === 'unsupported' ? 'not-offered' : 'trial-error', failureText(thrown));
}

const reasonLines = 3;

/** A reason stands in tables: the last lines of what a program said are enough. */
export function failureText(thrown: unknown): string {
  const said = thrown instanceof H2h3Error ? (thrown.context.stderrTail ?? '') : '';
  const tail = said.trim().split('\n').slice(-reasonLines).join(' / ');
  return tail === '' ? messageOf(thrown) : `${messageOf(thrown)}; last lines: ${tail}`;
}
