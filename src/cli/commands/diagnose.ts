import { givenPath } from '../../app/given-path.ts';
import { terminalOptions, type AddCommand } from './command.ts';

interface DiagnoseFlags {
  readonly json?: boolean;
  readonly measure?: boolean;
  readonly confirm?: string | true;
}

const examples = `
Examples:
  npx h2h3 diagnose results/latest          which part of a load the difference comes from, in milliseconds
  npx h2h3 diagnose results/latest --measure   what was saturated: link, networking process or server (six more blocks)
  npx h2h3 diagnose results/latest --confirm   change the suspected cause for both arms, and see whether the difference follows
  npx h2h3 diagnose results/latest --confirm half-cpu,bbr   these experiments only
  npx h2h3 diagnose results/latest --json   the same as in summary.json under "diagnosis"`;

export const addDiagnoseCommand: AddCommand = (program, context) => {
  program
    .command('diagnose')
    .description(
      'say where the differences of a run come from: connection, first byte, queueing, transfer, …',
    )
    .argument('<dir>', 'folder of a run, such as results/latest')
    .option('--measure', 'measure what differs again, with every probe, in blocks of their own')
    .option('--confirm [experiments]', 'carry out the experiments that are proposed, or those named')
    .option('--json', 'print the diagnosis as JSON')
    .addHelpText('after', examples)
    .action(async (path: string, flags: DiagnoseFlags) => {
      const { diagnoseRun } = await import('../../app/diagnose/diagnose.ts');
      const { renderDiagnosis } = await import('../../app/texts.ts');
      const { measure, confirm } = flags;
      const { summary, reportPath, proposals } = await diagnoseRun(
        path,
        { measure, confirm: confirm === true ? 'all' : confirm?.split(',') },
        context,
      );
      const { diagnosis = [] } = summary;
      context.print(
        flags.json === true
          ? JSON.stringify({ diagnosis }, null, 1)
          : renderDiagnosis(summary, terminalOptions()),
      );
      if (flags.json !== true) proposals.forEach((line) => context.progress.say(line));
      context.progress.say(`report: ${givenPath(reportPath, path)}`);
    });
};
