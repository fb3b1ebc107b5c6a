import { join } from 'node:path';
import { givenPath } from '../../app/given-path.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { portOf, type AddCommand, type CommandContext } from './command.ts';

interface ReportFlags {
  readonly open?: boolean;
  readonly index?: boolean;
  readonly serve?: boolean;
  readonly port?: string;
  readonly publishedAt?: string;
  readonly p1203Input?: boolean;
}

const examples = `
Examples:
  npx h2h3 report results/latest --open
  npx h2h3 report elsewhere/tuesday --index   list the runs of that folder, too
  npx h2h3 report --published-at https://ci.example/artifacts/17/   for a comment on a pull request
  npx h2h3 report --serve               all runs, those under way too, http://127.0.0.1:7323/
  npx h2h3 report results/tuesday --serve --port 8080`;

const results = 'results';
const newest = join(results, 'latest');

/** Serves until the user ends it, which is how it is meant to end. */
async function serve(path: string, flags: ReportFlags, context: CommandContext): Promise<void> {
  const { serveFolder } = await import('../../app/serve/report.ts');
  const server = await serveFolder(path, portOf(flags.port), context);
  context.print(`${server.shows}: ${server.address}  (Ctrl-C ends it)`);
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
    .argument(
      '[dir]',
      `folder of a run (default ${newest}); with --serve also a folder of runs (default ${results})`,
    )
    .option('--index', 'also write the list of runs, index.html, into the folder that the run lies in')
    .option(
      '--published-at <url>',
      'where the folder can be read: links and pictures of report.md lead there',
    )
    .option('--p1203-input', 'also write each video session as ITU-T P.1203 takes it (p1203.json)')
    .option('--open', 'open it in the default browser')
    .option('--serve', 'serve it on this machine only: the list of all runs, or one run, with live progress')
    .option('--port <n>', 'port of --serve (default 7323, or a free one)')
    .addHelpText('after', examples)
    .action(async (path: string | undefined, flags: ReportFlags) => {
      const { report } = await import('../../app/serve/report.ts');
      if (flags.serve === true) {
        await serve(path ?? results, flags, context);
        return;
      }
      if (flags.port !== undefined) throw new H2h3Error('usage', '--port goes with --serve');
      const page = await report(path ?? newest, context, flags);
      context.print(`report: ${givenPath(page)}`);
      if (flags.open === true) openInBrowser(page, (line) => context.progress.say(line));
    });
};
