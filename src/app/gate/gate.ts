import { H2h3Error } from '../../model/errors.ts';
import type { ExitCode } from '../../model/exit-codes.ts';
import type { Gate } from '../../model/gate.ts';
import type { Plan } from '../../model/plan.ts';
import { openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { describeMachine } from '../../system/machine.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { marginWarnings } from '../plan/machine-limits.ts';
import { loadOwnWorkloads } from '../plan/own-workloads.ts';
import type { PlanFlags } from '../plan/plan-request.ts';
import { noiseOfMachine } from '../run/noise-of-machine.ts';
import { writeReports, writeSummary } from '../report/publish.ts';
import { exitCodeOfGate, judgeDirectory } from './gate-outputs.ts';
import { runGate } from './gate-run.ts';

/** How a gate judges. */
export interface JudgeOptions {
  /** Margin of every primary metric, as a share: 0.03 for 3 %. Default: each metric's own. */
  readonly margin?: number | undefined;
  /** Margins by metric, as shares; they win over `margin`. */
  readonly margins?: Readonly<Record<string, number>> | undefined;
  /** Undecided is a result of its own (exit code 5). Default: no. */
  readonly strict?: boolean | undefined;
  /** Judge even what this machine cannot tell apart. Default: no. */
  readonly force?: boolean | undefined;
  /** Where calibrations are kept. Default: `results`. */
  readonly resultsDir?: string | undefined;
}

/** A gate that runs baseline and candidate itself. */
export interface GateOptions extends JudgeOptions {
  /** Clients by name, such as `chromium@148`. */
  readonly baseline: string;
  readonly candidate: string;
  /** A preset or a plan file. Default: `web-loopback`. */
  readonly source?: string | undefined;
  /** What overrides preset or plan file. */
  readonly flags?: PlanFlags | undefined;
  /** Over which protocols each is run. Default: h2 and h3. */
  readonly protocols?: readonly string[] | undefined;
  /** Blocks after which to judge. Default: every second from the first that can decide, to 20. */
  readonly looks?: readonly number[] | undefined;
  /** Begin no block that would end after this time, ms. Default: no limit. */
  readonly budgetMs?: number | undefined;
  /** Folder of the run. Default: `results/<time>-gate-<name>`. */
  readonly out?: string | undefined;
  /** Port of the server. Default: 8443 or the next free one. */
  readonly port?: number | undefined;
}

export interface JudgedRun {
  readonly directory: RunDirectory;
  readonly gate: Gate;
  /** 0 passed, 1 worse, 4 trials failed, 5 undecided and strict. */
  readonly exitCode: ExitCode;
}

/**
 * Judges a run that was made; writes `gate.json`, `gate.md` and `gate.junit.xml` into it.
 *
 * @throws H2h3Error `bad-input` when the run holds nothing to judge
 */
export function gate(path: string, options: JudgeOptions): JudgedRun {
  const directory = openRunDirectory(path);
  const margins = marginsFor(directory, options);
  const machine = directory.environment()?.machine;
  const plan = { ...directory.plan, margins: { ...directory.plan.margins, ...margins } };
  const limits = {
    resultsDir: options.resultsDir ?? 'results',
    strict: false,
    force: options.force === true,
  };
  const warnings = machine === undefined ? [] : marginWarnings(plan, machine, limits);
  return judge(directory, margins, options, warnings);
}

/** Runs baseline and candidate in the same blocks, then judges and reports. @throws H2h3Error as `run` */
export async function runAndGate(
  options: GateOptions,
  context: AppContext,
): Promise<JudgedRun & { readonly reportPath: string }> {
  const setup = await setupContextOf(context);
  const { baseline, candidate, source = 'web-loopback', flags = {}, protocols = ['h2', 'h3'] } = options;
  const directory = await runGate(
    {
      ...{ baseline, candidate, source, flags, protocols },
      own: await loadOwnWorkloads(context),
      looks: options.looks,
      margin: options.margin,
      margins: options.margins ?? {},
      budgetMs: options.budgetMs,
      out: options.out,
      port: options.port,
      force: options.force === true,
      checkPlan: (plan) => checkMachine(plan, options, context),
    },
    setup,
    context,
  );
  const judged = judge(directory, marginsFor(directory, options), options, []);
  return {
    ...judged,
    reportPath: await writeReports(directory, writeSummary(directory, { gate: judged.gate }), (line) =>
      context.progress.say(line),
    ),
  };
}

function judge(
  directory: RunDirectory,
  margins: Readonly<Record<string, number>>,
  options: JudgeOptions,
  warnings: readonly string[],
): JudgedRun {
  const strict = options.strict === true;
  const judged = judgeDirectory(directory, { margins, strict, warnings });
  return { directory, gate: judged, exitCode: exitCodeOfGate(judged, strict) };
}

/** Noise of the machine now, and margins below what it can see. */
async function checkMachine(plan: Plan, options: JudgeOptions, context: AppContext): Promise<string[]> {
  const { resultsDir = 'results', strict = false, force = false } = options;
  const margins = marginWarnings(plan, await describeMachine(), { resultsDir, strict, force });
  margins.forEach((line) => context.progress.say(`warning: ${line}`));
  return [...(await noiseOfMachine(context)), ...margins];
}

function marginsFor({ plan }: RunDirectory, { margin, margins }: JudgeOptions): Record<string, number> {
  if (margin !== undefined && !(margin > 0 && margin < 1))
    throw new H2h3Error('usage', `a margin is a share between 0 and 1, got ${margin}`);
  const ofPrimary = Object.values(plan.primary).map((metric) => [metric, margin] as const);
  return {
    ...(margin === undefined ? {} : Object.fromEntries(ofPrimary.map(([metric]) => [metric, margin]))),
    ...margins,
  };
}
