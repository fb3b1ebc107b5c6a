import { existsSync } from 'node:fs';
import { carryOutDiagnosis } from '../../app/diagnose/carry-out.ts';
import { givenPath } from '../../app/given-path.ts';
import { readBudgetFlags } from '../../app/plan/budget-flags.ts';
import type { PlanFlags } from '../../app/plan/plan-request.ts';
import { scaleTimes } from '../../app/plan/scale-times.ts';
import { coordinate, coordinateAgain } from '../../app/workers/coordinate.ts';
import { resume, run, type FinishedRun, type RunConditions } from '../../app/run/run.ts';
import { parseShard } from '../../app/run/shard-of-plan.ts';
import { parseDuration } from '../../app/duration.ts';
import { renderBudgetsText, renderDiagnosis, renderTerminalSummary } from '../../app/texts.ts';
import { H2h3Error } from '../../model/errors.ts';
import { addPlanOptions, planSource } from '../plan-options.ts';
import {
  collect,
  portOf,
  terminalOptions,
  wholeNumber,
  type AddCommand,
  type CommandContext,
} from './command.ts';

interface RunFlags extends PlanFlags {
  readonly out?: string;
  readonly resume?: string;
  readonly budget?: readonly string[];
  readonly strict?: boolean;
  readonly port?: string;
  readonly headed?: boolean;
  readonly shard?: string;
  readonly host?: string;
  readonly workers?: string;
  readonly results?: string;
  readonly spareBlocks?: string;
  readonly lostAfter?: string;
  readonly diagnose?: boolean;
}

const examples = `
Examples:
  npx h2h3 run web                                  real pages and replicas, H2 against H3, best browser found
  npx h2h3 run video --repetitions 12               more blocks
  npx h2h3 run download --workload download-1gb --client firefox
  npx h2h3 run web --arms h2,h2                     A/A: how often does this machine raise a false alarm?
  npx h2h3 run --url https://staging.example/ --arms h2,h3
  npx h2h3 run my-plan.yaml --out results/tuesday
  npx h2h3 run my-plan.yaml --shard 2/3 --out part-2   the second of three machines (npx h2h3 merge --help)
  npx h2h3 run my-plan.yaml --workers redis://lab:6379 --results /net/lab    on all machines that run npx h2h3 worker
  npx h2h3 run --resume results/latest              go on after Ctrl-C or a crash`;

export const addRunCommand: AddCommand = (program, context, exit) => {
  addPlanOptions(
    program.command('run').description('measure: run a preset or a plan, then analyse and report'),
  )
    .option('--out <dir>', 'folder of the run (default results/<time>-<name>)')
    .option('--resume <dir>', 'go on with a run that was interrupted or killed')
    .option(
      '--budget <time|limit|file>',
      "20m: begin no block that would end later; 'lcp<2500ms', or a file of such limits: exit with 1 when one is exceeded for certain; may be repeated",
      collect,
    )
    .option('--strict', 'exit with 5 when a limit of --budget is undecided')
    .option('--port <n>', 'port of the server, TCP and UDP (default: 8443 or the next free one)')
    .option('--headed', 'show the browser windows')
    .option(
      '--shard <i/n>',
      'run only this part of the plan, such as 2/3; npx h2h3 merge makes one run of all',
    )
    .option(
      '--workers <url>',
      'have workers run it, which meet at this Redis or Valkey (npx h2h3 worker --help)',
    )
    .option('--results <place>', 'with --workers: folder that all machines see, or s3://bucket/prefix')
    .option(
      '--spare-blocks <n>',
      'with --workers: blocks that stand in for what lost workers had (default 1)',
    )
    .option(
      '--lost-after <time>',
      'with --workers: a worker that is silent for so long is lost (default 60s)',
    )
    .option('--host <name>', 'what records call this machine (default: its own name)')
    .option('--diagnose', 'then measure what differs again with every probe, and say where it comes from')
    .addHelpText('after', examples)
    .action(async (named: string | undefined, flags: RunFlags) => {
      const source = flags.resume === undefined ? planSource(named, context.progress) : named;
      if (flags.resume === undefined)
        (await scaleTimes(source)).forEach((line) => context.progress.say(line));
      const { directory, summary, budgets, reportPath, exitCode } = await measure(source, flags, context);
      context.print(renderTerminalSummary(summary, terminalOptions()));
      if (flags.diagnose === true) {
        const found = await carryOutDiagnosis(directory, summary, conditionsOf(flags), context);
        context.print(renderDiagnosis(found, terminalOptions()));
      }
      if (budgets !== null) context.print(renderBudgetsText(budgets, terminalOptions()));
      context.print(`report: ${existsSync(reportPath) ? givenPath(reportPath, flags.out) : 'not written'}`);
      exit(exitCode);
    });
};

/** What a resumed run measures was settled when it began; only these can still be chosen. */
const resumable: readonly string[] = [
  'resume',
  'budget',
  'port',
  'headed',
  'diagnose',
  'strict',
  'host',
  'workers',
  'results',
];

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

function conditionsOf({ budget = [], port, headed, strict, host }: RunFlags): RunConditions {
  return { budgetMs: readBudgetFlags(budget).budgetMs, port: portOf(port), headed, strict, host };
}

/** The flags of the plan, limits out of files read. */
function planFlagsOf(flags: RunFlags): PlanFlags {
  const { budgets } = readBudgetFlags(flags.budget ?? []);
  return budgets === undefined ? flags : { ...flags, budgets };
}

/** What only workers have a use for. */
function refuseWorkerFlags({ results, spareBlocks, lostAfter }: RunFlags): void {
  if ([results, spareBlocks, lostAfter].every((one) => one === undefined)) return;
  throw new H2h3Error('usage', '--results, --spare-blocks and --lost-after go with --workers');
}

function onWorkers(
  source: string | undefined,
  flags: RunFlags,
  context: CommandContext,
): Promise<FinishedRun> {
  const { workers = '', results, resume: path, out, spareBlocks, lostAfter } = flags;
  const unfit = (['shard', 'host', 'port', 'headed', 'budget', 'diagnose'] as const).filter(
    (name) => flags[name] !== undefined,
  );
  if (unfit.length > 0)
    throw new H2h3Error('usage', `--${unfit[0]} cannot be given with --workers`, {
      next: "What runs where is the workers' own: see `npx h2h3 worker --help`.",
    });
  if (results === undefined)
    throw new H2h3Error('usage', '--workers needs --results', {
      next: 'Name a folder that all machines see or a bucket, the same for coordinator and workers.',
    });
  if (path !== undefined) return coordinateAgain(path, { workers, results }, context);
  return coordinate(
    {
      ...{ source, flags, out, workers, results },
      spareBlocks: spareBlocks === undefined ? undefined : wholeNumber('spare-blocks', spareBlocks, 0, 1000),
      lostAfterMs: lostAfter === undefined ? undefined : parseDuration(lostAfter),
    },
    context,
  );
}

async function measure(
  source: string | undefined,
  flags: RunFlags,
  context: CommandContext,
): Promise<FinishedRun> {
  const named = [source, flags.resume, flags.workload, flags.sites, flags.url];
  const armsHaveAddresses = [flags.arms ?? '', ...(flags.arm ?? [])].some((arm) => arm.includes('+url='));
  if (named.every((one) => one === undefined) && !armsHaveAddresses) {
    throw new H2h3Error('usage', 'nothing to run', {
      next: 'Name a preset, such as `npx h2h3 run web`, or write a plan as h2h3.config.yaml; `npx h2h3 run --help` has examples.',
    });
  }
  if (flags.resume !== undefined) refusePlanFlags(planFlagsOf(flags));
  const conditions = conditionsOf(flags);
  if (flags.workers !== undefined) return onWorkers(source, flags, context);
  refuseWorkerFlags(flags);
  const shard = flags.shard === undefined ? undefined : parseShard(flags.shard);
  if (flags.resume === undefined)
    return run({ ...conditions, source, flags: planFlagsOf(flags), out: flags.out, shard }, context);
  if (source !== undefined)
    throw new H2h3Error('usage', '--resume takes no preset: the plan is in the run directory');
  return resume(flags.resume, conditions, context);
}
