import { givenPath } from '../../app/given-path.ts';
import type { StudiesPage } from '../../app/studies/studies-page.ts';
import { formatDuration, parseDuration } from '../../app/duration.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { addHostOptions, hostsOf, type HostFlags } from '../host-options.ts';
import { listIn } from '../list-in.ts';
import { formatTable } from '../table.ts';
import type { AddCommand } from './command.ts';

interface StudiesFlags extends HostFlags {
  readonly run?: boolean;
  readonly scale: string;
  readonly only?: string;
  readonly out: string;
  readonly page?: boolean;
  readonly for?: string;
  readonly keep?: boolean;
  readonly again?: boolean;
  readonly quietWait: string;
  readonly json?: boolean;
}

const examples = `
Examples:
  npx h2h3 studies                               all experiments, and how long each takes
  npx h2h3 studies --run --only Z1,L1            two of them at quick scale; again: goes on, or shows the page
  npx h2h3 studies --run                         all that can be run, one after the other: two and a half hours on two cores
  npx h2h3 studies --run --for 30m               half an hour of it; the same again goes on where it stopped
  npx h2h3 studies --page                        the page, measured here or kept in the project: no run
  npx h2h3 studies --page --keep                 the same, and keeps the newest runs in reports/studies`;

export const addStudiesCommand: AddCommand = (program, context, exit) => {
  const command = program
    .command('studies')
    .description('the experiments of four studies: list them, run them, published next to measured')
    .option('--run', 'run what is not yet run, then write the page')
    .option('--scale <name>', 'quick, standard or paper', 'quick')
    .option('--only <list>', 'some of them, by id or preset')
    .option('--out <dir>', 'folder of the runs and the page', 'results/studies')
    .option('--for <time>', 'with --run: stop after this time, such as 30m; again: goes on')
    .option('--page', 'write the page from runs that are there, or kept in the project')
    .option('--keep', 'keep summaries of the newest runs in the project')
    .option('--again', 'with --run: run again what another revision ran; it is kept')
    .option(
      '--quiet-wait <time>',
      'with --run: wait so long for a quiet machine before each run; 0s: not at all',
      '10m',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', examples);
  addHostOptions(command).action(async (flags: StudiesFlags) => {
    const { experimentsNamed, runStudies, studyTimes } = await import('../../app/studies/studies.ts');
    const { studiesOf } = await import('../../app/studies/studies-page.ts');
    const { scaleNamed } = await import('../../app/plan/plan-source.ts');
    const { textAt } = await import('../../core/model/published.ts');
    if (flags.for !== undefined && flags.run !== true)
      throw new H2h3Error('usage', '--for is the time of a run', { next: 'Say --run too.' });
    const only = listIn(flags.only);
    if (flags.run !== true && flags.page !== true) {
      const listed = experimentsNamed(only);
      if (flags.json === true) context.print(JSON.stringify({ studies: listed }));
      else {
        const timesMs = await studyTimes(listed, scaleNamed(flags.scale));
        const rows = listed.map(({ id, preset, study, title, needs }, index) => [
          id,
          preset,
          study,
          textAt(title, flags.scale) ?? preset,
          needs === undefined
            ? `about ${formatDuration(timesMs[index] ?? 0)}`
            : `unsupported: needs ${needs}`,
        ]);
        const allMs = timesMs.reduce((sum, timeMs) => sum + timeMs, 0);
        context.print(formatTable([['id', 'preset', 'study', 'what', `--scale ${flags.scale}`], ...rows]));
        context.progress.say(
          `all of these: about ${formatDuration(allMs)}; in parts: npx h2h3 studies --run --for 30m`,
        );
      }
      return;
    }
    const { out, keep, again } = flags;
    if (flags.run === true) {
      const forMs = flags.for === undefined ? undefined : parseDuration(flags.for);
      const { exitCode, ...page } = await runStudies(
        {
          only,
          out,
          keep,
          again,
          ...hostsOf(flags),
          quietMs: waitOf(flags.quietWait),
          scale: scaleNamed(flags.scale),
          ...(forMs !== undefined && { forMs }),
        },
        context,
      );
      show(page);
      exit(exitCode);
      return;
    }
    show(await studiesOf({ out, keep }));

    function show({ studies, pagePath, passedOver, kept }: StudiesPage): void {
      context.progress.clear();
      passedOver.forEach((line) => context.progress.say(`warning: ${line}`));
      kept.forEach((file) => context.progress.say(`kept: ${givenPath(file)}`));
      context.print(flags.json === true ? JSON.stringify(studies) : `studies: ${givenPath(pagePath)}`);
    }
  });
};

/** `0s` is no duration anywhere else. @throws H2h3Error `usage` */
function waitOf(text: string): number {
  return /^0(?:s|m)?$/.test(text.trim()) ? 0 : parseDuration(text);
}
