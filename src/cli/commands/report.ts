import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { H2h3Error } from '../../model/errors.ts';
import { openRunDirectory } from '../../store/run-directory.ts';
import { isRunning } from '../../store/run-lock.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { requireRecords, writeReports, writeSummary } from '../../app/report/publish.ts';
import type { AppContext } from '../../app/app-context.ts';
import { serveReport } from '../../app/report/serve/serve-report.ts';
import type { AddCommand } from './command.ts';

interface ReportFlags {
  readonly open?: boolean;
  readonly serve?: boolean;
  readonly port?: string;
}

const examples = `
Examples:
  h2h3 report results/latest --open
  h2h3 report --serve               watch the newest run go on, http://127.0.0.1:7323/
  h2h3 report results/tuesday --serve --port 8080`;

const newest = join('results', 'latest');

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new H2h3Error('usage', `--port wants a number from 1 to 65535, got "${text}"`);
}

/** Serves until the user ends it, which is how it is meant to end. */
async function serve(path: string, flags: ReportFlags, context: AppContext): Promise<void> {
  const port = portOf(flags.port);
  const directory = openRunDirectory(path);
  const running = isRunning(directory.path);
  if (
    !running &&
    !existsSync(join(directory.path, 'report.html')) &&
    directory.journal().records.length > 0
  ) {
    await writeReports(directory, writeSummary(directory));
  }
  const server = await serveReport(path, port);
  context.print(`${running ? 'progress' : 'report'}: ${server.address}  (Ctrl-C ends it)`);
  if (flags.open === true) openInBrowser(server.address, (line) => context.progress.say(line));
  try {
    await new Promise<void>((resolve) => {
      if (context.signal.aborted) resolve();
      context.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    await server.close();
  }
}

export const addReportCommand: AddCommand = (program, context) => {
  program
    .command('report')
    .description('render the report of a run directory again, or serve it with live progress')
    .argument('[dir]', `folder of a run (default ${newest})`, newest)
    .option('--open', 'open it in the default browser')
    .option('--serve', 'serve it on this machine only, with live progress while the run goes on')
    .option('--port <n>', 'port of --serve (default 7323, or a free one)')
    .addHelpText('after', examples)
    .action(async (path: string, flags: ReportFlags) => {
      if (flags.serve === true) {
        await serve(path, flags, context);
        return;
      }
      if (flags.port !== undefined) throw new H2h3Error('usage', '--port goes with --serve');
      const directory = openRunDirectory(path);
      requireRecords(directory);
      const report = await writeReports(directory, writeSummary(directory));
      context.print(`report: ${relative(process.cwd(), report)}`);
      if (flags.open === true) openInBrowser(report, (line) => context.progress.say(line));
    });
};
