import type { Plan } from '../../core/model/plan.ts';
import type { RunComparison } from '../../core/model/run-comparison.ts';
import type { Summary } from '../../core/model/summary.ts';
import type { Gate } from '../../core/model/gate.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';
import type { PlanFileInput } from '../../plan/plan-file.ts';
import { analyse, type AnalyseOptions, type Analysis } from '../analyse/analyse.ts';
import { compare, type CompareOptions } from '../analyse/compare.ts';
import type { AppContext } from '../app-context.ts';
import { describe, type Row } from '../describe/describe.ts';
import { gate, runAndGate, type GateOptions, type JudgedRun, type JudgeOptions } from '../gate/gate.ts';
import { doctor } from '../machine/doctor.ts';
import { plan, type PlanPreview } from '../preview/plan.ts';
import { planRequest } from '../plan/plan-request.ts';
import { report } from '../serve/report.ts';
import type { FinishedRun } from '../run/publish-run.ts';
import type { RunConditions } from '../run/run-conditions.ts';
import { resume, run, type RunOptions } from '../run/run.ts';

/** What to measure. */
export interface RunRequest extends Omit<RunOptions, 'request'> {
  /** A preset (`describe('presets')`), or the path of a plan file. Default: what `plan` says alone. */
  readonly source?: string | undefined;
  /** Fields of a plan file; they win over those of `source`. */
  readonly plan?: PlanFileInput | undefined;
}

/** What a run left. */
export interface RunResult {
  /** Folder of the run: journal, evidence, reports. */
  readonly path: string;
  readonly summary: Summary;
  /** Path of `report.html`. */
  readonly reportPath: string;
  /** 0, or 4 when too many trials failed. */
  readonly exitCode: ExitCode;
}

/** What a gate judged. */
export interface GateResult {
  /** Folder of the run. */
  readonly path: string;
  readonly gate: Gate;
  /** 0 passed, 1 worse, 4 trials failed, 5 not decided and not allowed to be. */
  readonly exitCode: ExitCode;
}

const resultOf = ({ directory, summary, reportPath, exitCode }: FinishedRun): RunResult => ({
  path: directory.path,
  summary,
  reportPath,
  exitCode,
});

const verdictOf = ({ directory, gate: judged, exitCode }: JudgedRun): GateResult => ({
  path: directory.path,
  gate: judged,
  exitCode,
});

/**
 * The use cases as a program calls them: plain data in, plain data out, so that a call can be answered by another
 * process.
 */
export const operations = {
  run: async (context: AppContext, { source, plan, ...options }: RunRequest): Promise<RunResult> =>
    resultOf(await run({ ...options, request: await planRequest({ source, plan }, context) }, context)),
  resume: async (context: AppContext, path: string, conditions: RunConditions): Promise<RunResult> =>
    resultOf(await resume(path, conditions, context)),
  plan: (
    context: AppContext,
    source: string | undefined,
    overrides: PlanFileInput,
  ): Promise<PlanPreview & { readonly plan: Plan }> => plan(source, {}, context, { overrides }),
  analyse: (context: AppContext, path: string, options: AnalyseOptions): Promise<Analysis> =>
    analyse(path, options, context),
  report: (context: AppContext, path: string): Promise<string> => report(path, context),
  compare: async (
    _context: AppContext,
    a: string,
    b: string,
    options: CompareOptions,
  ): Promise<{ readonly comparison: RunComparison; readonly pagePath: string }> => compare(a, b, options),
  gate: async (context: AppContext, what: string | GateOptions, options: JudgeOptions): Promise<GateResult> =>
    verdictOf(typeof what === 'string' ? gate(what, options) : await runAndGate(what, context)),
  describe: (context: AppContext, subject: string): Promise<readonly Row[]> => describe(subject, context),
  doctor: (context: AppContext): ReturnType<typeof doctor> => doctor(context),
};

export type Operations = typeof operations;
/** The parameters of an operation without its context. */
export type Arguments<Name extends keyof Operations> =
  Parameters<Operations[Name]> extends [AppContext, ...infer Rest] ? Rest : never;
export type Answer<Name extends keyof Operations> = Awaited<ReturnType<Operations[Name]>>;
