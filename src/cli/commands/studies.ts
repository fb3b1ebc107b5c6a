import { givenPath } from '../../app/given-path.ts';
import { experimentsNamed, runStudies, studiesOf, type StudiesPage } from '../../app/studies/studies.ts';
import { formatDuration, parseDuration } from '../../app/duration.ts';
import { scaleNamed } from '../../app/plan/plan-request.ts';
import { expectedStudyMs } from '../../app/plan/scale-times.ts';
import type { ScaleName } from '../../plan/presets/preset.ts';
import { formatTable } from '../table.ts';
import type { Experiment } from '../../model/studies.ts';
import type { AddCommand } from './command.ts';

interface StudiesFlags {
  readonly run?: boolean;
  readonly scale: string;
  readonly only?: string;
  readonly out: string;
  readonly page?: boolean;
  readonly for?: string;
  readonly json?: boolean;
}

interface Listed {
  readonly rows: readonly (readonly string[])[];
  readonly allMs: number;
}

const examples = `
Examples:
  h2h3 studies                               all 24 experiments, and what each needs
  h2h3 studies --run --only Z1,L1            two of them at quick scale; again: goes on, or shows the page
  h2h3 studies --run                         all that can be run, one after the other: a night on two cores
  h2h3 studies --run --for 30m               half an hour of it; the same again goes on where it stopped
  h2h3 studies --page --out results/studies  the page from runs that are there`;

export const addStudiesCommand: AddCommand = (program, context, exit) => {
  program
    .command('studies')
    .description('the experiments of four studies: list them, run them, published beside measured')
    .option('--run', 'run what is not yet run, then write the page')
    .option('--scale <name>', 'quick, standard or paper', 'quick')
    .option('--only <list>', 'some of them, by id or preset')
    .option('--out <dir>', 'folder of the runs and the page', 'results/studies')
    .option('--for <time>', 'with --run: stop after this time, such as 30m; again: goes on')
    .option('--page', 'write the page from runs that are there')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (flags: StudiesFlags) => {
      const only = flags.only?.split(',').map((name) => name.trim());
      if (flags.run !== true && flags.page !== true) {
        const listed = experimentsNamed(only);
        if (flags.json === true) context.print(JSON.stringify({ studies: listed }));
        else {
          const { rows, allMs } = await listedWithTimes(listed, scaleNamed(flags.scale));
          context.print(formatTable(rows));
          context.progress.say(
            `all of these: about ${formatDuration(allMs)}; in parts: h2h3 studies --run --for 30m`,
          );
        }
        return;
      }
      const { out } = flags;
      if (flags.run === true) {
        const forMs = flags.for === undefined ? undefined : parseDuration(flags.for);
        const { exitCode, ...page } = await runStudies(
          { only, out, scale: scaleNamed(flags.scale), ...(forMs !== undefined && { forMs }) },
          context,
        );
        show(page);
        exit(exitCode);
        return;
      }
      show(await studiesOf(out));

      function show({ studies, pagePath, passedOver }: StudiesPage): void {
        context.progress.clear();
        passedOver.forEach((line) => context.progress.say(`warning: ${line}`));
        context.print(flags.json === true ? JSON.stringify(studies) : `studies: ${givenPath(pagePath)}`);
      }
    });
};

/** Rows of all of them with what each should take, ms; none where it cannot be run. */
async function listedWithTimes(listed: readonly Experiment[], scale: ScaleName): Promise<Listed> {
  const times = await Promise.all(
    listed.map(({ preset, needs }) =>
      needs === undefined ? expectedStudyMs(preset, scale) : Promise.resolve(undefined),
    ),
  );
  const rows = listed.map(({ id, preset, study, title, needs }, index) => {
    const time = times[index];
    const state = time === undefined ? `unsupported: needs ${needs ?? ''}` : `about ${formatDuration(time)}`;
    return [id, preset, study, title, state];
  });
  const allMs = times.reduce<number>((sum, time) => sum + (time ?? 0), 0);
  return { rows: [['id', 'preset', 'study', 'what', `--scale ${scale}`], ...rows], allMs };
}
