import { join, relative } from 'node:path';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { renderCalibration } from '../../../reports/terminal/render-calibration.ts';
import { calibrateMachine, type CalibrationRun } from '../../analyse/calibrate/calibrate-machine.ts';
import { armPairs } from '../../analyse/comparison/arm-pairs.ts';
import { runDifferences } from '../../analyse/run-differences.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { H2h3Error } from '../../model/errors.ts';
import { saveCalibration } from '../../store/calibration-store.ts';
import { openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { executeRun } from '../../app/run/execute-run.ts';
import { noiseOfMachine } from '../../app/run/noise-of-machine.ts';
import { ffmpegVersion, openNewRun } from '../../app/run/open-run.ts';
import { loadOwnWorkloads } from '../../app/plan/own-workloads.ts';
import { readPlanRequest, type PlanFlags } from '../../app/plan/plan-request.ts';
import { requireRecords, writeReports, writeSummary } from '../../app/report/publish.ts';
import { setupContextOf, type AppContext } from '../../app/app-context.ts';
import type { AddCommand } from './command.ts';

interface CalibrateFlags {
  readonly runs: string;
  readonly preset?: string;
  readonly workload?: string;
  readonly sites?: string;
  readonly network?: string;
  readonly client?: string;
  readonly repetitions: string;
  readonly power?: boolean;
  readonly resamples: string;
  readonly all?: boolean;
  readonly json?: boolean;
  readonly force?: boolean;
  readonly results: string;
}

const examples = `
Examples:
  h2h3 calibrate                                   five A/A runs of the web preset, 12 blocks each
  h2h3 calibrate --runs 4 --workload download-10mb --client embedded
  h2h3 calibrate results/aa-1 results/aa-2 --power from runs that were made (h2h3 run --arms h2,h3,h2,h3)

The same browser runs as both arms, over HTTP/2 and over HTTP/3, so that every difference is noise. The result is kept
for this class of machine; the gate then refuses (--strict) or warns of margins that this machine cannot see.`;

export const addCalibrateCommand: AddCommand = (program, context, exit) => {
  program
    .command('calibrate')
    .description('measure by A/A runs what this machine can tell apart and how often it raises a false alarm')
    .argument('[dirs...]', 'A/A runs already made; without, they are run')
    .option('--runs <n>', 'A/A runs to make', '5')
    .option('--repetitions <n>', 'blocks of each', '12')
    .option('--preset <name>', 'what is loaded (default web)')
    .option('--workload <list>', 'workloads instead of the preset’s')
    .option('--sites <list>', 'pages by name or "all" instead of the preset’s')
    .option('--network <name>', 'network instead of the preset’s')
    .option('--client <name>', 'browser (default the best found)')
    .option('--power', 'also inject regressions into the recorded blocks and count how many are found')
    .option('--resamples <n>', 'resampled runs for each figure', '1000')
    .option('--all', 'print every metric, not only the primary ones')
    .option('--json', 'print the calibration as JSON')
    .option(
      '--force',
      'use runs that differ in machine, sites, network or build; the differences stand in the result',
    )
    .option('--results <dir>', 'where calibrations are kept', 'results')
    .addHelpText('after', examples)
    .action(async (dirs: readonly string[], flags: CalibrateFlags) => {
      exit(await calibrateCommand(dirs, flags, context));
    });
};

function wholeNumber(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new H2h3Error('usage', `--${flag} wants a whole number of at least ${least}, got "${text}"`);
}

async function makeRun(
  index: number,
  stamp: string,
  flags: CalibrateFlags,
  setup: SetupContext,
  context: AppContext,
): Promise<RunDirectory> {
  const { workload, sites, network, client, repetitions } = flags;
  const asked: PlanFlags = {
    ...(workload === undefined ? {} : { workload }),
    ...(sites === undefined ? {} : { sites }),
    ...(network === undefined ? {} : { network }),
    ...(client === undefined ? {} : { client }),
    repetitions,
    arms: 'h2,h3,h2,h3',
    seed: String(index + 1),
  };
  const own = await loadOwnWorkloads(context);
  const source = flags.preset ?? (workload === undefined && sites === undefined ? 'web' : undefined);
  const read = { ...readPlanRequest(source, asked, own), name: 'calibration' };
  const out = join(flags.results, `${stamp}-calibration-${index + 1}`);
  const opened = await openNewRun(
    { source, read, own, namesNetwork: network !== undefined, out },
    setup,
    context,
  );
  const noise = await noiseOfMachine(context);
  const ffmpeg = await ffmpegVersion(opened.workloads, setup);
  const warnings = [...opened.warnings, ...noise];
  await executeRun(
    { ...opened, warnings, setup, port: undefined, headed: false, ffmpeg, budgetMs: undefined },
    context,
  );
  await writeReports(opened.directory, writeSummary(opened.directory));
  return opened.directory;
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
  const differences = [...new Set(others.flatMap((other) => runDifferences(first, other)))];
  if (differences.length === 0) return [];
  if (force) return differences.map((line) => `the runs differ: ${line}`);
  throw new H2h3Error('bad-input', `these runs must not be put together\n  ${differences.join('\n  ')}`, {
    next: 'Calibrate from runs of one kind, or say --force to have the differences stand in the result.',
  });
}

async function calibrateCommand(
  dirs: readonly string[],
  flags: CalibrateFlags,
  context: AppContext,
): Promise<number> {
  const resamples = wholeNumber('resamples', flags.resamples, 100);
  const count = wholeNumber('runs', flags.runs, 1);
  const directories = dirs.map((dir) => openRunDirectory(dir));
  if (dirs.length === 0) {
    const setup = await setupContextOf(context);
    const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
    for (let index = 0; index < count; index++) {
      context.progress.say(`A/A run ${index + 1} of ${count}`);
      directories.push(await makeRun(index, stamp, flags, setup, context));
    }
  }
  const runs = readRuns(directories);
  const warnings = requireAlike(runs, flags.force === true);
  context.progress.show('resampling …');
  const calibration = calibrateMachine(runs, {
    resamples,
    seed: 1,
    comparisons: 2,
    createdAt: new Date().toISOString(),
    command: context.command,
    power: flags.power === true,
    warnings,
  });
  const file = saveCalibration(flags.results, calibration);
  context.progress.clear();
  const primary = [...new Set(runs.flatMap(({ plan }) => Object.values(plan.primary)))];
  context.print(
    flags.json === true
      ? JSON.stringify(calibration, null, 1)
      : renderCalibration(calibration, { all: flags.all === true, primary }),
  );
  context.progress.say(`kept in ${relative(process.cwd(), file)}`);
  return exitCodes.ok;
}
