import { join } from 'node:path';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { calibrateMachine, type CalibrationRun } from '../../analyse/calibrate/calibrate-machine.ts';
import { armPairs } from '../../analyse/comparison/arm-pairs.ts';
import { poolDifferences } from '../../analyse/calibrate/pool-differences.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { saveCalibration } from '../../store/calibration-store.ts';
import { openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { askedAsymmetries } from './asked-asymmetries.ts';
import type { PlanFlags } from '../plan/plan-flags.ts';
import { planRequest } from '../plan/plan-request.ts';
import { requireRecords, writeReports, writeSummary } from '../report/publish.ts';
import { thisMachine } from '../preflight/machine-facts.ts';
import { openNewRun } from '../run/open-run.ts';
import { measureRun } from '../run/run.ts';

export interface CalibrateOptions {
  /** A/A runs already made; without, they are run. */
  readonly dirs?: readonly string[] | undefined;
  /** A/A runs to make. Default: 5. */
  readonly runs?: number | undefined;
  /** A preset. Default: `web-loopback`, unless `flags` name what is loaded. */
  readonly source?: string | undefined;
  /** What overrides the preset. */
  readonly flags?: PlanFlags | undefined;
  /** Resampled runs for each figure. Default: 1000. */
  readonly resamples?: number | undefined;
  /** Also inject regressions into the recorded blocks and count how many are found. Default: no. */
  readonly power?: boolean | undefined;
  /**
   * Also record every block, and ask the browser for headers and blocking, to measure by how much more each slows one protocol
   * than the other. Default: no.
   */
  readonly recording?: boolean | undefined;
  /** Use runs that differ; the result notes the differences. Default: no. */
  readonly force?: boolean | undefined;
  /** Where calibrations are kept. Default: `results`. */
  readonly resultsDir?: string | undefined;
}

export interface Calibrated {
  readonly calibration: ReturnType<typeof calibrateMachine>;
  /** Where it is kept. */
  readonly file: string;
  /** Primary metrics of the runs. */
  readonly primary: readonly string[];
}

/**
 * Measures by A/A runs what this machine can tell apart and how often it raises a false alarm.
 *
 * @throws H2h3Error `bad-input` for runs that are no A/A runs or must not be put together; else as `run`
 */
export async function calibrate(options: CalibrateOptions, context: AppContext): Promise<Calibrated> {
  const { dirs = [], runs: count = 5, resamples = 1000, resultsDir = 'results' } = options;
  requireRecordedHere(options);
  const directories = dirs.map((dir) => openRunDirectory(dir));
  if (dirs.length === 0) {
    const setup = await setupContextOf(context);
    const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
    for (let index = 0; index < count; index++) {
      context.progress.say(`A/A run ${index + 1} of ${count}`);
      const out = join(resultsDir, `${stamp}-calibration-${index + 1}`);
      directories.push(await makeRun({ index, out, ...options }, setup, context));
    }
  }
  const runs = readRuns(directories);
  const warnings = requireAlike(runs, options.force === true);
  const asked =
    options.recording === true && dirs.length === 0
      ? await askedAsymmetries(runs, options.flags, context)
      : [];
  context.progress.show('resampling …');
  const calibration = calibrateMachine(runs, {
    resamples,
    seed: 1,
    comparisons: 2,
    createdAt: new Date().toISOString(),
    command: context.command,
    power: options.power === true,
    asked,
    warnings,
  });
  const file = saveCalibration(resultsDir, calibration);
  context.progress.clear();
  const primary = [...new Set(runs.flatMap(({ plan }) => Object.values(plan.primary)))];
  return { calibration, file, primary };
}

/** What is asked of a browser is measured over this machine's loopback. @throws H2h3Error `unsupported` */
function requireRecordedHere({ recording, flags }: CalibrateOptions): void {
  if (recording !== true || flags?.clientHost === undefined) return;
  throw new H2h3Error(
    'unsupported',
    `--recording measures browsers of this machine, and not those on ${flags.clientHost} (--client-host)`,
    { next: 'Leave --recording out, or run h2h3 on that machine.' },
  );
}

async function makeRun(
  options: CalibrateOptions & { readonly index: number; readonly out: string },
  setup: SetupContext,
  context: AppContext,
): Promise<RunDirectory> {
  const { index, out, flags = {} } = options;
  const asked: PlanFlags = {
    repetitions: '12',
    recorded: options.recording === true ? 'all' : '0',
    ...flags,
    arms: 'h2,h3,h2,h3',
    seed: String(index + 1),
  };
  const named = flags.workload !== undefined || flags.sites !== undefined;
  const source = options.source ?? (named ? undefined : 'web-loopback');
  const request = await planRequest({ source, flags: asked }, context);
  const read = { ...request.read, name: 'calibration' };
  const opened = await openNewRun(
    { ...request, read, budgetMs: undefined },
    out,
    thisMachine(setup),
    context,
  );
  const publish = async (directory: RunDirectory): Promise<RunDirectory> => {
    await writeReports(directory, writeSummary(directory), (line) => context.progress.say(line));
    return directory;
  };
  return measureRun(opened, { publish, resumedBy: null }, context);
}

/** The runs with what they say; refuses what is no A/A run. */
function readRuns(directories: readonly RunDirectory[]): CalibrationRun[] {
  return directories.map((directory) => {
    requireRecords(directory);
    if (!armPairs(directory.plan).some(({ identical }) => identical))
      throw new H2h3Error('bad-input', `${directory.path} is no A/A run`, {
        context: {
          expected: 'the same arm twice, such as h2,h2 or h2,h3,h2,h3',
          got: directory.plan.arms.map(({ label }) => label).join(','),
        },
      });
    const { records } = directory.journal();
    return { plan: directory.plan, environment: directory.environment(), records };
  });
}

/** @throws H2h3Error `bad-input` listing what the runs differ by, unless forced */
function requireAlike(runs: readonly CalibrationRun[], force: boolean): string[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  const differences = [...new Set(others.flatMap((other) => poolDifferences(first, other)))];
  if (differences.length === 0) return [];
  if (force) return differences.map((line) => `the runs differ: ${line}`);
  throw new H2h3Error('bad-input', `these runs must not be put together\n  ${differences.join('\n  ')}`, {
    next: 'Calibrate from runs of one kind, or say --force to note the differences in the result.',
  });
}
