import { exitCodes } from '../../core/model/exit-codes.ts';
import { terminalOptions, type AddCommand } from './command.ts';

const examples = `
Examples:
  npx h2h3 analyse results/latest               statistics and verdicts from the journal alone
  npx h2h3 analyse results/latest --recompute   derive every metric again from HARs and frames; both must agree
  npx h2h3 analyse results/latest --json`;

export const addAnalyseCommand: AddCommand = (program, context, exit) => {
  program
    .command('analyse')
    .description('compute statistics and verdicts from a run directory alone')
    .argument('<dir>', 'folder of a run, such as results/latest')
    .option('--recompute', 'derive every metric again from the artifacts and compare with the journal')
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', examples)
    .action(async (path: string, flags: { recompute?: boolean; json?: boolean }) => {
      const { analyse } = await import('../../app/analyse/analyse.ts');
      const { renderTerminalSummary } = await import('../../app/texts.ts');
      const { summary, recomputed } = await analyse(path, flags, context);
      if (recomputed !== null) {
        const { checked, differences } = recomputed;
        const outcome =
          differences.length === 0 ? 'all agree with the journal' : `${differences.length} differ`;
        context.progress.say(`recomputed ${checked} trials: ${outcome}`);
        differences.slice(0, 20).forEach((line) => context.progress.say(`  ${line}`));
        if (differences.length > 0) exit(exitCodes.usage);
      }
      context.print(
        flags.json === true
          ? JSON.stringify(summary, null, 1)
          : renderTerminalSummary(summary, terminalOptions()),
      );
    });
};
