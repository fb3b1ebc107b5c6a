import type { TrialRecord } from './record.ts';

/** How warnings begin that name a further finding against a trial: of several the first is its reason. */
export const alsoFound = 'also: ';

/** How reasons begin of trials during which the machine did not let the emulated path send in time. */
export const pathDelayed = 'the emulated path did not keep up';

/**
 * Whether a trial does not count for nothing but a delayed path. The machine did that, and not the arm: nothing of what it
 * proved or failed to prove is against it.
 */
export function isOnlyDelayed({
  status,
  reason,
  warnings,
}: Pick<TrialRecord, 'status' | 'reason' | 'warnings'>): boolean {
  const others = warnings.filter((warning) => warning.startsWith(alsoFound));
  return (
    status === 'invalid' &&
    [reason ?? '', ...others.map((other) => other.slice(alsoFound.length))].every((found) =>
      found.startsWith(pathDelayed),
    )
  );
}
