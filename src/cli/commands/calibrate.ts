import { givenPath } from '../../app/given-path.ts';
import { wholeNumber } from '../../app/whole-number.ts';
import { addFormerOption } from '../former-option.ts';
import { addHostOptions, hostsOf, type HostFlags } from '../host-options.ts';
import type { AddCommand } from './command.ts';

interface CalibrateFlags extends HostFlags {
  readonly runs: string;
  readonly preset?: string;
  readonly workload?: string;
  readonly sites?: string;
  readonly network?: string;
  readonly client?: string;
  readonly repetitions: string;
  readonly power?: boolean;
  readonly recording?: boolean;
  readonly script?: string;
  readonly resamples: string;
  readonly all?: boolean;
  readonly json?: boolean;
  readonly force?: boolean;
  readonly results: string;
}

const examples = `
Examples:
  npx h2h3 calibrate                                   five A/A runs of the preset web-loopback, 12 blocks each
  npx h2h3 calibrate --runs 4 --workload download-10mb --client embedded
  npx h2h3 calibrate --recording --network 4g          also what recording costs one protocol more than the other
  npx h2h3 calibrate --script open-page.mjs --workload page-agency   what a journey’s library costs
  npx h2h3 calibrate results/aa-1 results/aa-2 --power from runs that were made (npx h2h3 run --arms h2,h3,h2,h3)

The same browser runs as both arms, over HTTP/2 and over HTTP/3, so that every difference is noise. The result is kept
for this class of machine; the gate then refuses, or under --allow-undecided warns of, margins that this machine cannot see.`;

export const addCalibrateCommand: AddCommand = (program, context) => {
  const command = program
    .command('calibrate')
    .description('measure by A/A runs what this machine can detect, and how often it raises a false alarm')
    .argument('[dirs...]', 'A/A runs already made; without, they are run')
    .option('--runs <n>', 'A/A runs to make', '5')
    .option('--repetitions <n>', 'blocks of each', '12')
    .option('--preset <name>', 'what is loaded (default web-loopback)')
    .option('--workload <list>', 'workloads instead of the preset’s')
    .option('--sites <list>', 'pages by name or "all" instead of the preset’s')
    .option('--network <name>', 'network instead of the preset’s')
    .option('--client <name>', 'browser (default the best found)')
    .option('--power', 'also inject regressions into the recorded blocks and count how many are found')
    .option(
      '--recording',
      'also record every block, and ask for headers and blocking, to measure by how much more each slows one protocol than the other; takes more than twice as long',
    )
    .option(
      '--script <file>',
      'also drive each page by this journey, whose first step loads the page: measures by how much more its library slows one protocol than the other',
    )
    .option('--resamples <n>', 'resampled runs for each figure', '1000')
    .option('--all', 'print every metric, not only the primary ones')
    .option('--json', 'print the calibration as JSON')
    .option(
      '--force',
      'use runs that differ in machine, sites, network or build (the result notes the differences)',
    )
    .option('--results <dir>', 'where calibrations are kept', 'results')
    .addHelpText('after', examples)
    .action(async (dirs: readonly string[], flags: CalibrateFlags) => {
      const { calibrate } = await import('../../app/calibrate/calibrate.ts');
      const { renderCalibration } = await import('../../app/texts.ts');
      const { workload, sites, network, client, script } = flags;
      const { calibration, file, primary } = await calibrate(
        {
          dirs,
          runs: wholeNumber('runs', flags.runs, 1),
          source: flags.preset,
          flags: {
            ...(workload === undefined ? {} : { workload }),
            ...(sites === undefined ? {} : { sites }),
            ...(network === undefined ? {} : { network }),
            ...(client === undefined ? {} : { client }),
            ...hostsOf(flags),
            ...(script === undefined ? {} : { script, pagesWithoutScript: true }),
            repetitions: flags.repetitions,
          },
          resamples: wholeNumber('resamples', flags.resamples, 100),
          power: flags.power,
          recording: flags.recording,
          force: flags.force,
          resultsDir: flags.results,
        },
        context,
      );
      context.print(
        flags.json === true
          ? JSON.stringify(calibration, null, 1)
          : renderCalibration(calibration, { all: flags.all === true, primary }),
      );
      context.progress.say(`kept in ${givenPath(file)}`);
    });
  addFormerOption(addHostOptions(command), '--watching', 'recording', context.progress);
};
