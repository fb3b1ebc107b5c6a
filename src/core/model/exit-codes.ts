import type { ErrorCode } from './errors.ts';

/** Exit codes of every command. Only `src/cli/main.ts` sets them. */
export const exitCodes = {
  ok: 0,
  gateWorse: 1,
  usage: 2,
  unsupported: 3,
  trialsFailed: 4,
  undecided: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const byErrorCode: Record<ErrorCode, ExitCode> = {
  usage: exitCodes.usage,
  'bad-input': exitCodes.usage,
  unsupported: exitCodes.unsupported,
  storage: exitCodes.unsupported,
  'process-failed': exitCodes.trialsFailed,
  deadline: exitCodes.trialsFailed,
  internal: exitCodes.trialsFailed,
  interrupted: exitCodes.interrupted,
};

export function exitCodeOf(code: ErrorCode): ExitCode {
  return byErrorCode[code];
}
