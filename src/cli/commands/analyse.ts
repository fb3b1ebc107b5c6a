import { renderTerminalSummary } from '../../../reports/terminal/render-terminal-summary.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { openRunDirectory } from '../../store/run-directory.ts';
import { requireRecords, writeSummary } from '../../app/report/publish.ts';
import { recomputeRun } from '../../app/report/recompute.ts';
import type { AddCommand } from './command.ts';

const examples = `
Examples:
  h2h3 analyse results/latest               statistics and verdicts from the journal alone
  h2h3 analyse results/latest --recompute   derive every metric again from HARs and frames; both must agree
  h2h3 analyse results/latest --json`;

export const addAnalyseCommand: AddCommand = (program, context, exit) => {
  program
    .command('analyse')
    .description('compute statistics and verdicts from a run directory alone')
    .argument('<dir>', 'folder of a run, such as results/latest')
    .option('--recompute', 'derive every metric again from the artifacts and compare with the journal')
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', examples)
    .action(async (path: string, flags: { recompute?: boolean; json?: boolean }) => {
      const directory = openRunDirectory(path);
      requireRecords(directory);
      if (flags.recompute === true) {
        const { checked, differences } = await recomputeRun(directory, (line) => context.progress.show(line));
        context.progress.clear();
        context.progress.say(
          `recomputed ${checked} trials: ${differences.length === 0 ? 'all agree with the journal' : `${differences.length} differ`}`,
        );
        differences.slice(0, 20).forEach((line) => context.progress.say(`  ${line}`));
        if (differences.length > 0) exit(exitCodes.usage);
      }
      const summary = writeSummary(directory);
      context.print(
        flags.json === true
          ? JSON.stringify(summary, null, 1)
          : renderTerminalSummary(summary, { columns: process.stdout.columns, colour: process.stdout.isTTY }),
      );
    });
};
