import { basename, dirname, join, relative, resolve } from 'node:path';
import { renderContrastsCsv } from '../../../reports/csv/render-contrasts-csv.ts';
import { renderRunComparison } from '../../../reports/html/compare/render-run-comparison.ts';
import {
  differenceLines,
  renderRunComparisonText,
} from '../../../reports/terminal/render-run-comparison-text.ts';
import { compareRuns } from '../../analyse/compare-runs/compare-runs.ts';
import { summarise } from '../../analyse/summarise.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { RunComparison } from '../../model/run-comparison.ts';
import type { Summary } from '../../model/summary.ts';
import { openRunDirectory } from '../../store/run-directory.ts';
import { writeWhole } from '../../system/write-whole.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { requireRecords } from '../../app/report/publish.ts';
import type { AddCommand } from './command.ts';

interface CompareFlags {
  readonly force?: boolean;
  readonly json?: boolean;
  readonly open?: boolean;
  readonly out?: string;
}

const examples = `
Examples:
  h2h3 compare results/monday results/tuesday      what changed from Monday to Tuesday
  h2h3 compare A B --force                         although machine, network or pages differ
  h2h3 compare A B --json

Blocks of two runs cannot be paired, and whatever changed between the runs is part of the figures: two browser
versions as arms of one run (--arms chromium@148:h3,chromium@153:h3) tell more.`;

function summaryOf(path: string): Summary {
  const directory = openRunDirectory(path);
  requireRecords(directory);
  const { records, warnings } = directory.journal();
  return summarise(directory.plan, records, directory.environment(), warnings);
}

function requireComparable({ differences }: RunComparison): void {
  const grave = differences.filter(({ refuses }) => refuses);
  if (grave.length === 0) return;
  throw new H2h3Error(
    'bad-input',
    `these runs cannot be compared, because they differ in\n  ${differenceLines(grave).join('\n  ')}`,
    {
      next: 'Compare runs of one machine, network and set of workloads, or add --force: the report then says so.',
    },
  );
}

export const addCompareCommand: AddCommand = (program, context) => {
  program
    .command('compare')
    .description('compare two runs, the second against the first')
    .argument('<a>', 'folder of the run to compare with')
    .argument('<b>', 'folder of the run that verdicts speak of')
    .option('--force', 'compare although the runs differ in what makes figures comparable')
    .option('--out <file>', 'page to write (default: compare-<a>-<b>.html beside the second run)')
    .option('--json', 'print the comparison as JSON')
    .option('--open', 'open the page in the default browser')
    .addHelpText('after', examples)
    .action(async (a: string, b: string, flags: CompareFlags) => {
      if (resolve(a) === resolve(b)) throw new H2h3Error('usage', 'both names are the same run');
      const comparison = compareRuns(
        { folder: a, summary: summaryOf(a) },
        { folder: b, summary: summaryOf(b) },
      );
      if (flags.force !== true) requireComparable(comparison);
      const fallback = join(
        dirname(resolve(b)),
        `compare-${basename(resolve(a))}-${basename(resolve(b))}.html`,
      );
      const page = resolve(flags.out ?? fallback);
      const stem = page.replace(/\.html?$/, '');
      writeWhole(page, await renderRunComparison(comparison));
      writeWhole(`${stem}.json`, `${JSON.stringify(comparison, null, 1)}\n`);
      writeWhole(`${stem}.csv`, renderContrastsCsv(comparison));
      context.print(
        flags.json === true
          ? JSON.stringify(comparison, null, 1)
          : renderRunComparisonText(comparison, {
              columns: process.stdout.columns,
              colour: process.stdout.isTTY,
            }),
      );
      context.progress.say(`comparison: ${relative(process.cwd(), page)}`);
      if (flags.open === true) openInBrowser(page, (line) => context.progress.say(line));
    });
};
