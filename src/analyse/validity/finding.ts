import type { ReasonCode } from '../../core/model/reasons.ts';
import type { TrialStatus } from '../../core/model/record.ts';

/** A reason why a trial does not count. */
export interface Finding {
  /** `failed`: it did not run to its end; `invalid`: it ran, but broke a validity rule; `unsupported`: it cannot run here. */
  readonly status: Extract<TrialStatus, 'invalid' | 'failed' | 'unsupported'>;
  /** What happened, with the object named. */
  readonly reason: string;
  readonly reasonCode: ReasonCode;
}

export const invalid = (reasonCode: ReasonCode, reason: string): Finding => ({
  status: 'invalid',
  reason,
  reasonCode,
});
export const failed = (reasonCode: ReasonCode, reason: string): Finding => ({
  status: 'failed',
  reason,
  reasonCode,
});
