import { H2h3Error } from '../../core/model/errors.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';
import type { Gate } from '../../core/model/gate.ts';
import { machineClassOf, machineClassOfRun } from '../../core/model/machine-class.ts';
import { loadCalibration } from '../../store/calibration-store.ts';
import { openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { machineKind } from '../../core/system/machine.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { loadOwnWorkloads } from '../plan/own-workloads.ts';
import type { PlanFlags } from '../plan/plan-flags.ts';
import type { GateLimits } from '../preflight/facts.ts';
import { marginBlockers } from '../preflight/visible-margins.ts';
import type { FinishedRun } from '../run/publish-run.ts';
import { bisect, versionsBetween, type Bisected } from './bisect.ts';
import { exitCodeOfGate, judgeDirectory } from '../report/gate-outputs.ts';
import { runGate } from './gate-run.ts';
import { buildsOf, factorOfRequest, namesOf, presetOfGate } from './gate-subject.ts';
import { shareMargins } from './share-margins.ts';

/** How a gate judges. */
export interface JudgeOptions {
  /** Margin of every primary metric, as a share: 0.03 for 3 %. Default: each metric's own. */
  readonly margin?: number | undefined;
  /** Margins by metric, as shares; they win over `margin`. */
  readonly margins?: Readonly<Record<string, number>> | undefined;
  /** Not decided ends well (exit code 0). Default: no, it is a result of its own (exit code 5). */
  readonly allowUndecided?: boolean | undefined;
  /** Judge even what this machine cannot tell apart. Default: no. */
  readonly force?: boolean | undefined;
  /** Where calibrations are kept. Default: `results`. */
  readonly resultsDir?: string | undefined;
}

/** A gate that runs baseline and candidate itself. */
export interface GateOptions extends JudgeOptions {
  /**
   * Two clients, servers or players by name, such as `chromium@148`, `nginx@1.26` or `dashjs@4`. Besides command lines, where a
   * build listens that takes no port: `http://localhost:3000`.
   */
  readonly baseline?: string | undefined;
  readonly candidate?: string | undefined;
  /** Start two builds of an app, which listen at the port in their variable `PORT`. `flags.app` names pages by their paths. */
  readonly baselineCommand?: string | undefined;
  readonly candidateCommand?: string | undefined;
  /** A preset or a plan file. Default: `gate`, pages over 4G and over loopback; for players `gate-players`. */
  readonly source?: string | undefined;
  /** What overrides preset or plan file. */
  readonly flags?: PlanFlags | undefined;
  /** Over which protocols each is run. Default: h2 and h3. */
  readonly protocols?: readonly string[] | undefined;
  /** Blocks after which to judge. Default: every second from the first that can decide, to 20. */
  readonly interims?: readonly number[] | undefined;
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
  /** 0 passed, 1 worse, 4 trials failed, 5 not decided and not allowed to be. */
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
  const environment = directory.environment();
  const plan = { ...directory.plan, margins: { ...directory.plan.margins, ...margins } };
  const warnings =
    environment === null
      ? []
      : marginBlockers(
          plan,
          limitsOf(machineClassOfRun(environment), { ...options, allowUndecided: true }),
        ).map(({ reason }) => reason);
  const strict = options.allowUndecided !== true;
  const judged = judgeDirectory(directory, { margins, strict, warnings });
  return { directory, gate: judged, exitCode: exitCodeOfGate(judged, strict) };
}

/** Runs baseline and candidate in the same blocks, then judges and reports. @throws H2h3Error as `run` */
export async function runAndGate(
  options: GateOptions,
  context: AppContext,
): Promise<JudgedRun & { readonly reportPath: string }> {
  const setup = await setupContextOf(context);
  const { baseline, candidate, baselineCommand, candidateCommand } = options;
  const { flags = {}, protocols = ['h2', 'h3'] } = options;
  const source = options.source ?? presetOfGate(factorOfRequest(options), 'gate');
  const finished = await runGate(
    {
      baseline,
      candidate,
      baselineCommand,
      candidateCommand,
      source,
      flags,
      protocols,
      own: await loadOwnWorkloads(context),
      interims: options.interims,
      margin: options.margin,
      margins: options.margins ?? {},
      budgetMs: options.budgetMs,
      out: options.out,
      port: options.port,
      force: options.force === true,
      limits: limitsOf(machineClassOf(machineKind()), options),
    },
    setup,
    context,
  );
  return judgedRun(finished);
}

function judgedRun({
  directory,
  gate: judged,
  exitCode,
  reportPath,
}: FinishedRun): JudgedRun & { readonly reportPath: string } {
  if (judged === null) throw new H2h3Error('internal', `${directory.path} was not judged`);
  return { directory, gate: judged, exitCode, reportPath };
}

export interface BisectedGate {
  /** The gate of baseline and candidate. */
  readonly judged: JudgedRun;
  /** Undefined where the candidate is not worse. */
  readonly found?: Bisected;
}

/**
 * A gate, and where the candidate is worse one more for each version that halves those between, each in a folder of its
 * own next to the first.
 *
 * @throws H2h3Error as `runAndGate`; `usage` for names that are not two versions of one program
 */
export async function gateAndBisect(
  options: GateOptions,
  context: AppContext,
  onJudged: (name: string, judged: JudgedRun) => void,
): Promise<BisectedGate> {
  if (buildsOf(options) !== undefined)
    throw new H2h3Error(
      'usage',
      '--bisect goes through versions, and two builds of an app have none between',
      {
        next: 'Leave it out. `git bisect run` can call the gate with the build of each commit.',
      },
    );
  const named = namesOf(options);
  const setup = await setupContextOf(context);
  const isElsewhere = options.flags?.clientHost !== undefined;
  const versions = await versionsBetween(named.baseline, named.candidate, setup, isElsewhere);
  const [baseline = named.baseline] = versions;
  const judgeVersion = async (candidate: string, out: string | undefined): Promise<JudgedRun> => {
    const judged = await runAndGate({ ...options, baseline, candidate, out }, context);
    onJudged(candidate, judged);
    return judged;
  };
  const judged = await judgeVersion(versions.at(-1) ?? named.candidate, options.out);
  if (judged.gate.outcome !== 'worse') return { judged };
  const found = await bisect(versions, async (name) => {
    const out = `${judged.directory.path}-${name.replaceAll(/[^\w.-]/g, '-')}`;
    return (await judgeVersion(name, out)).gate.outcome;
  });
  return { judged, found };
}

/** What is known of what this class of machine can tell apart. */
function limitsOf(
  machineClass: string,
  { resultsDir = 'results', allowUndecided = false, force = false }: JudgeOptions,
): GateLimits {
  return {
    machineClass,
    calibration: loadCalibration(resultsDir, machineClass),
    strict: !allowUndecided,
    force,
  };
}

function marginsFor({ plan }: RunDirectory, { margin, margins }: JudgeOptions): Record<string, number> {
  if (margin !== undefined && !(margin > 0 && margin < 1))
    throw new H2h3Error('usage', `a margin is a share between 0 and 1, got ${margin}`);
  return { ...shareMargins(Object.values(plan.primary), margin), ...margins };
}
