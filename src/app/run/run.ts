import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { BudgetReport } from '../../model/budget.ts';
import type { ExitCode } from '../../model/exit-codes.ts';
import type { Gate } from '../../model/gate.ts';
import type { Shard } from '../../model/shard.ts';
import type { Summary } from '../../model/summary.ts';
import { budgetMsOf, type PlanFileInput } from '../../plan/plan-file.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { loadOwnWorkloads } from '../plan/own-workloads.ts';
import type { PlanFlags } from '../plan/plan-flags.ts';
import { readPlanRequest } from '../plan/plan-request.ts';
import { exitCodeOfRun } from '../report/exit-code-of-run.ts';
import { writeReports, writeSummary } from '../report/publish.ts';
import { resumeCommand } from '../report/with-resume.ts';
import { givenPath } from '../given-path.ts';
import { shellWord } from '../../model/command-words.ts';
import { exitCodeOfBudgets, judgeBudgetsOf } from '../gate/budget-outputs.ts';
import { exitCodeOfGate, judgeDirectory } from '../gate/gate-outputs.ts';
import { thisMachine } from '../preflight/gather.ts';
import { executeRun } from './execute-run.ts';
import { noiseOfMachine } from './noise-of-machine.ts';
import { openNewRun, openResumedRun, type OpenedRun } from './open-run.ts';

/** What can be chosen anew whenever a run goes on. */
export interface RunConditions {
  /** Begin no block that would end after this time, ms. Default: that of the preset or plan file, else no limit. */
  readonly budgetMs?: number | undefined;
  /** Port of the server, TCP and UDP. Default: 8443 or the next free one. */
  readonly port?: number | undefined;
  /** Show the browser windows. Default: no. */
  readonly headed?: boolean | undefined;
  /** An undecided gate or budget is a result of its own (exit code 5). Default: as the run was begun, else of a gate yes, of a budget no. */
  readonly strict?: boolean | undefined;
  /** What records call this machine. Default: its own name. */
  readonly host?: string | undefined;
  /** What goes on with the run after it was stopped, in words. Default: its `run --resume`. */
  readonly goesOn?: string | undefined;
}

export interface RunOptions extends RunConditions {
  /** A preset, or the path of a plan file. Default: what `flags` say alone. */
  readonly source?: string | undefined;
  /** What overrides preset or plan file. */
  readonly flags?: PlanFlags | undefined;
  /** Fields of a plan file; they win over all of the above. */
  readonly plan?: PlanFileInput | undefined;
  /** Folder of the run. Default: `results/<time>-<name>`. */
  readonly out?: string | undefined;
  /** The part of the plan that is to run here. Default: all of it. */
  readonly shard?: Shard | undefined;
}

/** A run that was carried out, analysed and reported. */
export interface FinishedRun {
  readonly directory: RunDirectory;
  readonly summary: Summary;
  /** Path of `report.html`. */
  readonly reportPath: string;
  /** What came of the plan's budgets; null where it has none. */
  readonly budgets: BudgetReport | null;
  /** What the gate says; null of a run that is none. */
  readonly gate: Gate | null;
  /** 0, or 4 when too many trials failed; of a gate or with budgets 1 when one says worse, 5 when one is undecided and `strict`. */
  readonly exitCode: ExitCode;
}

/**
 * Measures: expands the plan, runs every trial, analyses and reports.
 *
 * @throws H2h3Error `usage` or `unsupported` before anything is made; `interrupted` when asked to stop
 */
export async function run(options: RunOptions, context: AppContext): Promise<FinishedRun> {
  const { source, flags = {}, plan = {}, out, shard, budgetMs } = options;
  const setup = await setupContextOf(context);
  const own = await loadOwnWorkloads(context);
  const read = readPlanRequest(source, flags, own, plan);
  const request = {
    source,
    read,
    own,
    shard,
    namesNetwork: flags.network !== undefined || plan.networks !== undefined,
    budgetMs: budgetMs ?? budgetMsOf(read),
    strict: options.strict,
  };
  const opened = await openNewRun(request, out, thisMachine(setup), context);
  return carryOutNew(opened, { ...options, budgetMs: request.budgetMs }, setup, context);
}

/** Carries out a run that was opened just now. One that cannot begin does not keep its folder from the next try. */
export async function carryOutNew(
  opened: OpenedRun,
  conditions: RunConditions,
  setup: SetupContext,
  context: AppContext,
): Promise<FinishedRun> {
  try {
    return await carryOut(opened, conditions, setup, context);
  } catch (thrown) {
    if (!isInterruption(thrown)) opened.directory.discard();
    throw thrown;
  }
}

/** Goes on with a run that was interrupted or killed: the same trials, none twice. @throws H2h3Error as `run` */
export async function resume(
  path: string,
  options: RunConditions,
  context: AppContext,
): Promise<FinishedRun> {
  const setup = await setupContextOf(context);
  const own = await loadOwnWorkloads(context);
  const opened = await openResumedRun({ path, budgetMs: options.budgetMs, own }, setup, context);
  requireNoQueue(opened.directory);
  return carryOut(opened, options, setup, context);
}

/** @throws H2h3Error `usage` for a run whose leases workers have */
function requireNoQueue({ plan, path }: RunDirectory): void {
  if (plan.queue === undefined) return;
  throw new H2h3Error('usage', `${path} is run by workers`, {
    next: 'Resume it by `npx h2h3 run --resume DIR --workers redis://… --results PLACE`, with the same queue and place.',
  });
}

function isInterruption(thrown: unknown): boolean {
  return thrown instanceof H2h3Error && thrown.code === 'interrupted';
}

async function carryOut(
  opened: OpenedRun,
  { budgetMs, port, headed = false, strict, host, goesOn }: RunConditions,
  setup: SetupContext,
  context: AppContext,
): Promise<FinishedRun> {
  const { directory } = opened;
  const warnings = [...opened.warnings, ...(await noiseOfMachine(context))];
  try {
    await executeRun({ ...opened, warnings, setup, port, headed, budgetMs, host }, context);
  } catch (thrown) {
    if (isInterruption(thrown)) {
      const place = shellWord(givenPath(directory.path));
      const next = goesOn ?? `Continue with:  npx h2h3 run --resume ${place}`;
      context.progress.say(`stopped; nothing is lost. ${next}`);
    }
    throw thrown;
  }
  sayHowToGoOn(directory, context);
  return publishRun(directory, context, strict);
}

/** Analyses and reports a run that is over. @param strict whether an undecided gate or budget is a result of its own; default: as the run was begun, else of a gate yes */
export async function publishRun(
  directory: RunDirectory,
  context: Pick<AppContext, 'progress'>,
  strict = directory.plan.strict ?? directory.plan.gate === true,
): Promise<FinishedRun> {
  context.progress.show('analysing …');
  const summary = writeSummary(directory);
  const reportPath = await writeReports(directory, summary, (line) => context.progress.say(line));
  const budgets = judgeBudgetsOf(directory, strict);
  const gate = directory.plan.gate === true ? judgeDirectory(directory, { strict }) : null;
  context.progress.clear();
  return {
    directory,
    summary,
    reportPath,
    budgets,
    gate,
    exitCode: gate === null ? exitCodeWithBudgets(directory, budgets, strict) : exitCodeOfGate(gate, strict),
  };
}

function exitCodeWithBudgets(
  directory: RunDirectory,
  budgets: BudgetReport | null,
  strict: boolean,
): ExitCode {
  return budgets === null
    ? exitCodeOfRun(directory.plan, directory.journal().records)
    : exitCodeOfBudgets(budgets, strict);
}

/** A sequential run whose time ended before it was decided: the command that goes on with it. */
function sayHowToGoOn(directory: RunDirectory, context: AppContext): void {
  const command = resumeCommand(directory);
  if (command === null) return;
  context.progress.say(`the time budget ended the run early. Continue with:  npx ${command}`);
}
