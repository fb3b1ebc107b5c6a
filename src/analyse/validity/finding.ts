import type { TrialStatus } from '../../model/record.ts';

/** A reason why a trial does not count. */
export interface Finding {
  /** `failed`: it did not run to its end; `invalid`: it ran, but broke a validity rule; `unsupported`: it cannot run here. */
  readonly status: Extract<TrialStatus, 'invalid' | 'failed' | 'unsupported'>;
  /** What happened, with the object named. */
  readonly reason: string;
}

export const invalid = (reason: string): Finding => ({ status: 'invalid', reason });
export const failed = (reason: string): Finding => ({ status: 'failed', reason });
