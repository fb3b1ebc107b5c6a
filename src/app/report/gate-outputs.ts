import { renderGateJunit } from '../../../reports/gate/render-gate-junit.ts';
import { renderGateMarkdown } from '../../../reports/gate/render-gate-markdown.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { exitCodes, type ExitCode } from '../../core/model/exit-codes.ts';
import type { Gate } from '../../core/model/gate.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { requireRecords } from './publish.ts';
import { withProfiles } from './attach-profiles.ts';
import { judgedGate, type GateWords } from '../judge/judged-gate.ts';

export interface GateJudgeOptions extends GateWords {
  readonly strict: boolean;
}

/** @throws H2h3Error `process-failed` when not one trial is valid: there is nothing to judge. */
function requireValidTrials(directory: RunDirectory): void {
  const { records } = directory.journal();
  if (records.some(({ status }) => status === 'ok')) return;
  const reasons = Map.groupBy(
    records,
    ({ status, reason }) => `${status}: ${reason ?? 'no reason recorded'}`,
  );
  const [first] = [...reasons].sort(([, a], [, b]) => b.length - a.length);
  throw new H2h3Error(
    'process-failed',
    `no trial of ${directory.path} is valid, so there is nothing to judge`,
    {
      context: {
        trials: records.length,
        got: first === undefined ? 'nothing' : `${first[1].length} × ${first[0]}`,
      },
      next: `See \`npx h2h3 report ${directory.path}\`.`,
    },
  );
}

/**
 * Judges a run directory and writes `gate.json`, `gate.md` and `gate.junit.xml` into it, and differential flame graphs where
 * what got worse was measured again (`h2h3 diagnose DIR --measure`).
 *
 * @throws H2h3Error when the run is empty or has no valid trial
 */
export function judgeDirectory(directory: RunDirectory, options: GateJudgeOptions): Gate {
  requireRecords(directory);
  requireValidTrials(directory);
  const gate = withProfiles(directory, judgedGate(directory, options));
  directory.write('gate.json', `${JSON.stringify(gate, null, 1)}\n`);
  directory.write('gate.md', renderGateMarkdown(gate));
  directory.write('gate.junit.xml', renderGateJunit(gate, { strict: options.strict }));
  return gate;
}

/** 1 worse, 4 too many trials lost, 5 not decided unless that is allowed, else 0. */
export function exitCodeOfGate(gate: Gate, strict: boolean): ExitCode {
  if (gate.outcome === 'worse') return exitCodes.gateWorse;
  if (gate.trialsFailed) return exitCodes.trialsFailed;
  return gate.outcome === 'undecided' && strict ? exitCodes.undecided : exitCodes.ok;
}
