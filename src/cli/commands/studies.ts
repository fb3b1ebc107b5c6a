import { givenPath } from '../../app/given-path.ts';
import { experimentsNamed, runStudies, studiesOf, type StudiesPage } from '../../app/studies/studies.ts';
import { scaleNamed } from '../../app/plan/plan-request.ts';
import { formatTable } from '../table.ts';
import type { AddCommand } from './command.ts';

interface StudiesFlags {
  readonly run?: boolean;
  readonly scale: string;
  readonly only?: string;
  readonly out: string;
  readonly page?: boolean;
  readonly json?: boolean;
}

const examples = `
Examples:
  h2h3 studies                               all 24 experiments, and what each needs
  h2h3 studies --run --only Z1,L1            two of them at quick scale; again: goes on, or shows the page
  h2h3 studies --run                         all that can be run, one after the other: a night on two cores
  h2h3 studies --page --out results/studies  the page from runs that are there`;

export const addStudiesCommand: AddCommand = (program, context, exit) => {
  program
    .command('studies')
    .description('the experiments of four studies: list them, run them, published beside measured')
    .option('--run', 'run what is not yet run, then write the page')
    .option('--scale <name>', 'quick, standard or paper', 'quick')
    .option('--only <list>', 'some of them, by id or preset')
    .option('--out <dir>', 'folder of the runs and the page', 'results/studies')
    .option('--page', 'write the page from runs that are there')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (flags: StudiesFlags) => {
      const only = flags.only?.split(',').map((name) => name.trim());
      if (flags.run !== true && flags.page !== true) {
        const listed = experimentsNamed(only);
        const rows = listed.map(({ id, preset, study, title, needs }) => [
          ...[id, preset, study, title],
          needs === undefined ? 'runs' : `unsupported: needs ${needs}`,
        ]);
        context.print(
          flags.json === true
            ? JSON.stringify({ studies: listed })
            : formatTable([['id', 'preset', 'study', 'what', 'state'], ...rows]),
        );
        return;
      }
      const { out } = flags;
      if (flags.run === true) {
        const { exitCode, ...page } = await runStudies(
          { only, out, scale: scaleNamed(flags.scale) },
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
