import { judgeGate } from '../../analyse/gate/judge-gate.ts';
import { exitCodes } from '../../core/model/exit-codes.ts';
import type { Gate } from '../../core/model/gate.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { exitCodeOfRun } from './exit-code-of-run.ts';
import { withResume } from './with-resume.ts';

export interface GateWords {
  /** Margins that take the place of the plan's, by metric. Default: the plan's. */
  readonly margins?: Readonly<Record<string, number>>;
  /** What calibration and checks of the machine have to say. Default: nothing. */
  readonly warnings?: readonly string[];
}

/** What a gate says of a run; nothing is written. */
export function judgedGate(directory: RunDirectory, { margins = {}, warnings = [] }: GateWords = {}): Gate {
  const { plan } = directory;
  const journal = directory.journal();
  const gate = judgeGate(plan, journal.records, {
    margins,
    environment: directory.environment(),
    trialsFailed: exitCodeOfRun(plan, journal.records) !== exitCodes.ok,
    warnings: [...journal.warnings, ...warnings],
  });
  return { ...gate, next: [...withResume(directory, gate.next ?? [])] };
}
