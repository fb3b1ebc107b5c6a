/**
 * What documents of before there were codes say in sentences alone: the only place where sentences of ours are read. They are
 * those of then, so mending one of today changes nothing here.
 */
import type { ReasonCode } from './reasons.ts';
import type { TrialRecord } from './record.ts';

/** How reasons began by which a run went, and goes on: all others are only shown. */
const begins: Readonly<Record<string, ReasonCode>> = {
  budget: 'budget',
  deadline: 'deadline',
  'lease lost: ': 'lease-lost',
  'the emulated path did not keep up': 'path-delayed',
};

const furtherFinding = 'also: ';

function codeOf(reason: string): ReasonCode | undefined {
  const begin = Object.keys(begins).find((known) => reason.startsWith(known));
  return begin === undefined ? undefined : begins[begin];
}

/** The record with the codes that its sentences stand for; one that has codes, or needs none, as it is. */
export function withReasonCodes(record: TrialRecord): TrialRecord {
  const { reason, reasonCode, warnings } = record;
  if (reason === undefined || reasonCode !== undefined) return record;
  const code = codeOf(reason);
  // A further finding without a code of its own still speaks against the trial.
  const others = warnings
    .filter((warning) => warning.startsWith(furtherFinding))
    .map((warning) => codeOf(warning.slice(furtherFinding.length)) ?? 'unknown');
  return {
    ...record,
    ...(code === undefined ? {} : { reasonCode: code }),
    ...(code === 'lease-lost' ? { reasonFacts: { why: reason.slice('lease lost: '.length) } } : {}),
    ...(others.length === 0 ? {} : { otherReasonCodes: [...new Set(others)] }),
  };
}

/** The warnings of an environment that say what else its machine did. */
export function disturbancesAmong(warnings: readonly string[]): string[] {
  return warnings.filter((warning) => warning.startsWith('noise ('));
}
