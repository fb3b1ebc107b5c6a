import { givenPath } from '../../app/given-path.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { terminalOptions, type AddCommand } from './command.ts';

interface CompareFlags {
  readonly force?: boolean;
  readonly json?: boolean;
  readonly open?: boolean;
  readonly out?: string;
}

const examples = `
Examples:
  npx h2h3 compare results/monday results/tuesday      what changed from Monday to Tuesday
  npx h2h3 compare A B --force                         although machine, network or pages differ
  npx h2h3 compare A B --json

Blocks of two runs cannot be paired, and whatever changed between the runs is part of the figures: two browser
versions as arms of one run (--arms chromium@148:h3,chromium@153:h3) tell more.`;

export const addCompareCommand: AddCommand = (program, context) => {
  program
    .command('compare')
    .description('compare two runs, the second against the first')
    .argument('<a>', 'folder of the run to compare with')
    .argument('<b>', 'folder of the run that verdicts speak of')
    .option('--force', 'compare although the runs differ in what makes figures comparable')
    .option('--out <file>', 'page to write (default: compare-<a>-<b>.html next to the second run)')
    .option('--json', 'print the comparison as JSON')
    .option('--open', 'open the page in the default browser')
    .addHelpText('after', examples)
    .action(async (a: string, b: string, flags: CompareFlags) => {
      const { compare } = await import('../../app/analyse/compare.ts');
      const { renderRunComparisonText } = await import('../../app/texts.ts');
      const { comparison, pagePath } = await compare(a, b, flags);
      context.print(
        flags.json === true
          ? JSON.stringify(comparison, null, 1)
          : renderRunComparisonText(comparison, terminalOptions()),
      );
      context.progress.say(`comparison: ${givenPath(pagePath)}`);
      if (flags.open === true) openInBrowser(pagePath, (line) => context.progress.say(line));
    });
};
