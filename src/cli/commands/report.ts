import { spawn } from 'node:child_process';
import { relative } from 'node:path';
import { openRunDirectory } from '../../store/run-directory.ts';
import { requireRecords, writeReports, writeSummary } from '../publish.ts';
import type { AddCommand } from './command.ts';

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

function openInBrowser(file: string, say: (line: string) => void): void {
  const [program = 'xdg-open', ...rest] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...rest, file], { stdio: 'ignore', detached: true });
  child.on('error', (cause) => say(`cannot open it by itself (${cause.message}); open ${file} in a browser`));
  child.unref();
}

export const addReportCommand: AddCommand = (program, context) => {
  program
    .command('report')
    .description('render the report of a run directory again')
    .argument('<dir>', 'folder of a run, such as results/latest')
    .option('--open', 'open it in the default browser')
    .addHelpText('after', '\nExample:\n  h2h3 report results/latest --open')
    .action(async (path: string, flags: { open?: boolean }) => {
      const directory = openRunDirectory(path);
      requireRecords(directory);
      const report = await writeReports(directory, writeSummary(directory));
      context.print(`report: ${relative(process.cwd(), report)}`);
      if (flags.open === true) openInBrowser(report, (line) => context.progress.say(line));
    });
};
