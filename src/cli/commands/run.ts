import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { renderTerminalSummary } from '../../../reports/terminal/render-terminal-summary.ts';
import { H2h3Error } from '../../model/errors.ts';
import { parseDuration } from '../../app/duration.ts';
import { noiseOfMachine } from '../../app/run/noise-of-machine.ts';
import { executeRun } from '../../app/run/execute-run.ts';
import { ffmpegVersion, openNewRun, openResumedRun, portOf } from '../../app/run/open-run.ts';
import { loadOwnWorkloads } from '../../app/plan/own-workloads.ts';
import { addPlanOptions } from '../plan-options.ts';
import { readPlanRequest, type PlanFlags } from '../../app/plan/plan-request.ts';
import { exitCodeOfRun, writeReports, writeSummary } from '../../app/report/publish.ts';
import { scaleTimes } from '../../app/plan/scale-times.ts';
import { shellWord } from '../shell-word.ts';
import { setupContextOf } from '../../app/app-context.ts';
import type { AppContext } from '../../app/app-context.ts';
import type { AddCommand } from './command.ts';

interface RunFlags extends PlanFlags {
  readonly out?: string;
  readonly resume?: string;
  readonly budget?: string;
  readonly port?: string;
  readonly headed?: boolean;
}

const examples = `
Examples:
  h2h3 run web                                  six real pages, H2 against H3, best browser found
  h2h3 run video --repetitions 12               more blocks
  h2h3 run download --workload download-1gb --client firefox
  h2h3 run web --arms h2,h2                     A/A: how often does this machine raise a false alarm?
  h2h3 run --url https://staging.example/ --arms h2,h3
  h2h3 run my-plan.yaml --out results/tuesday
  h2h3 run --resume results/latest              go on after Ctrl-C or a crash`;

export const addRunCommand: AddCommand = (program, context, exit) => {
  addPlanOptions(
    program.command('run').description('measure: run a preset or a plan, then analyse and report'),
  )
    .option('--out <dir>', 'folder of the run (default results/<time>-<name>)')
    .option('--resume <dir>', 'go on with a run that was interrupted or killed')
    .option('--budget <time>', 'begin no block that would end after this time, such as 20m')
    .option('--port <n>', 'port of the server, TCP and UDP (default: 8443 or the next free one)')
    .option('--headed', 'show the browser windows')
    .addHelpText('after', examples)
    .action(async (source: string | undefined, flags: RunFlags) => {
      if (flags.resume === undefined) scaleTimes(source).forEach((line) => context.progress.say(line));
      exit(await run(source, flags, context));
    });
};

/** What a resumed run measures was settled when it began; only these can still be chosen. */
const resumable: readonly string[] = ['resume', 'budget', 'port', 'headed'];

function refusePlanFlags(flags: RunFlags): void {
  const given = Object.keys(flags).filter((name) => !resumable.includes(name));
  if (given.length === 0) return;
  const written = given.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  throw new H2h3Error('usage', `${written.join(', ')} cannot be given with --resume`, {
    context: {
      expected: resumable
        .slice(1)
        .map((name) => `--${name}`)
        .join(', '),
    },
    next: 'The plan is in the run directory; for another plan start another run.',
  });
}

async function run(source: string | undefined, flags: RunFlags, context: AppContext): Promise<number> {
  const named = [source, flags.resume, flags.workload, flags.sites, flags.url];
  if (named.every((one) => one === undefined)) {
    throw new H2h3Error('usage', 'nothing to run', {
      next: 'Name a preset, such as `h2h3 run web`, or see `h2h3 run --help`.',
    });
  }
  if (flags.resume !== undefined) refusePlanFlags(flags);
  const budgetMs = flags.budget === undefined ? undefined : parseDuration(flags.budget);
  const port = portOf(flags.port);
  const setup = await setupContextOf(context);
  const own = await loadOwnWorkloads(context);
  const opened =
    flags.resume === undefined
      ? await openNewRun(
          {
            source,
            read: readPlanRequest(source, flags, own),
            own,
            namesNetwork: flags.network !== undefined,
            out: flags.out,
          },
          setup,
          context,
        )
      : await openResumedRun(flags.resume, source, setup, own);
  const { directory } = opened;
  const place = shellWord(relative(process.cwd(), directory.path) || '.');
  try {
    await executeRun(
      {
        ...opened,
        warnings: [...opened.warnings, ...(await noiseOfMachine(context))],
        setup,
        port,
        headed: flags.headed === true,
        ffmpeg: await ffmpegVersion(opened.workloads, setup),
        budgetMs,
      },
      context,
    );
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'interrupted') {
      context.progress.say(`stopped; nothing is lost. Go on with:  npx h2h3 run --resume ${place}`);
    } else if (flags.resume === undefined) {
      // A run that could not begin must not keep its folder from the next try.
      directory.discard();
    }
    throw thrown;
  }
  context.progress.show('analysing …');
  const summary = writeSummary(directory);
  const report = await writeReports(directory, summary);
  context.progress.clear();
  context.print(
    renderTerminalSummary(summary, { columns: process.stdout.columns, colour: process.stdout.isTTY }),
  );
  context.print(`report: ${existsSync(report) ? relative(process.cwd(), report) : 'not written'}`);
  return exitCodeOfRun(directory.plan, directory.journal().records);
}
