/**
 * What documents of before there were codes say in sentences alone: the only place where sentences of ours are read. They are
 * those of then, so mending one of today changes nothing here.
 */
import type { Environment, PathCheckKind } from './environment.ts';
import type { ReasonCode } from './reasons.ts';
import type { TrialRecord } from './record.ts';
import type { StudyRun } from './study-run.ts';

type Checked = Pick<Environment['networks'][number]['checks'][number], 'kind' | 'quantity'>;
type KeptMachine = Pick<StudyRun, 'machine' | 'machineParts'>;

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

/** How the words of checks of a path began by whose measurements programs go. */
const beginsOfChecks: Readonly<Record<string, PathCheckKind>> = {
  'rate, UDP': 'udp-rate',
  'rate, TCP': 'tcp-rate',
};

/** What a check of a path measured; of older runs only what programs ask for. */
export function kindOfCheck({ kind, quantity }: Checked): string | undefined {
  const begin = Object.keys(beginsOfChecks).find((known) => quantity.startsWith(known));
  return kind ?? (begin === undefined ? undefined : beginsOfChecks[begin]);
}

/** Machine, clients, servers and paths of a kept run, each once. */
export function machinePartsOf({ machine, machineParts }: KeptMachine): string[] {
  return machineParts ?? [...new Set(machine.split(' · '))];
}
