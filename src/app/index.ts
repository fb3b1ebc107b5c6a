/**
 * h2h3 as a library. Every function answers with plain data and rejects with an `H2h3Error` that says what failed, where,
 * and what to do next. It loads on Node 22.12 and later; what needs Node 24 is done by the one that the package brings.
 */
import type { PlanFileInput } from '../plan/plan-file.ts';
import type { AnalyseOptions } from './analyse/analyse.ts';
import type { CompareOptions } from './analyse/compare.ts';
import { call, type CallOptions } from './api/call.ts';
import type { Answer, GateResult, RunRequest, RunResult } from './api/operations.ts';
import type { GateOptions, JudgeOptions } from './gate/gate.ts';
import type { RunConditions } from './run/run-conditions.ts';

export type { AnalyseOptions, Analysis } from './analyse/analyse.ts';
export type { CompareOptions } from './analyse/compare.ts';
export type { CallOptions } from './api/call.ts';
export type { GateResult, RunRequest, RunResult } from './api/operations.ts';
export type { ProgressEvent } from './api/progress-event.ts';
export type { GateOptions, JudgeOptions } from './gate/gate.ts';
export type { RunConditions } from './run/run-conditions.ts';
export type { LogInContext, LogInScript } from '../../harness/clients/log-in/log-in-script.ts';
export type { Gate } from '../core/model/gate.ts';
export type { Plan } from '../core/model/plan.ts';
export type { RunComparison } from '../core/model/run-comparison.ts';
export type { Summary } from '../core/model/summary.ts';
export type { PlanFileInput } from '../plan/plan-file.ts';
export { H2h3Error, type ErrorCode } from '../core/model/errors.ts';

/**
 * Measures: expands the plan, runs every trial, analyses and reports.
 *
 * @throws H2h3Error `usage` or `unsupported` before anything is made; `interrupted` when the signal says stop: what was
 * measured is kept, and `resume` continues it
 */
export function run(request: RunRequest, options?: CallOptions): Promise<RunResult> {
  return call('run', [request], options);
}

/** Resumes a run that was interrupted or killed: the same trials, none twice. @param path folder of the run */
export function resume(
  path: string,
  conditions: RunConditions = {},
  options?: CallOptions,
): Promise<RunResult> {
  return call('resume', [path, conditions], options);
}

/**
 * What would run, how long it takes, and whether it can decide. Runs nothing.
 *
 * @param source a preset or the path of a plan file
 * @param plan fields of a plan file; they win over those of `source`
 */
export function plan(
  source: string | undefined,
  plan: PlanFileInput = {},
  options?: CallOptions,
): Promise<Answer<'plan'>> {
  return call('plan', [source, plan], options);
}

/** Computes statistics and verdicts from a run's folder alone and writes `summary.json` into it. */
export function analyse(
  path: string,
  how: AnalyseOptions = {},
  options?: CallOptions,
): Promise<Answer<'analyse'>> {
  return call('analyse', [path, how], options);
}

/** Renders every report of a run's folder again; answers with the path of `report.html`. */
export function report(path: string, options?: CallOptions): Promise<string> {
  return call('report', [path], options);
}

/** Compares run `b` against run `a` and writes a page, JSON and CSV next to the second. @throws H2h3Error `bad-input` where they differ in what makes figures comparable, unless forced */
export function compare(
  a: string,
  b: string,
  how: CompareOptions = {},
  options?: CallOptions,
): Promise<Answer<'compare'>> {
  return call('compare', [a, b, how], options);
}

/**
 * Says whether a candidate is worse than a baseline.
 *
 * @param what the folder of a run to judge, or what to run and judge
 * @param how for a run that was made; what to run has these fields itself
 */
export function gate(
  what: string | GateOptions,
  how: JudgeOptions = {},
  options?: CallOptions,
): Promise<GateResult> {
  return call('gate', [what, how], options);
}

/** Everything of one kind that a plan can name: `sites`, `clients`, `networks`, `presets`, `metrics` … */
export function describe(subject: string, options?: CallOptions): Promise<Answer<'describe'>> {
  return call('describe', [subject], options);
}

/** What this machine can and cannot do, and what fixes it. Changes nothing. */
export function doctor(options?: CallOptions): Promise<Answer<'doctor'>> {
  return call('doctor', [], options);
}
