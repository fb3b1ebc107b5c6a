import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { givenPath } from '../../app/given-path.ts';
import type { PlanFlags } from '../../app/plan/plan-flags.ts';
import type { FinishedRun } from '../../app/run/publish-run.ts';
import type { PlanRequest } from '../../app/plan/plan-request.ts';
import type { RunConditions } from '../../app/run/run-conditions.ts';
import { parseDuration } from '../../app/duration.ts';
import { optionOf } from '../../core/model/command-words.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { groupHelp, type HelpGroup } from '../grouped-help.ts';
import { addPlanOptions, givenPlanOf, planGroups, planSource, type GivenPlan } from '../plan-options.ts';
import { portOf, terminalOptions, type AddCommand, type CommandContext } from './command.ts';
import { wholeNumber } from '../../app/whole-number.ts';

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

const examples = [
  'npx h2h3 run web                                  # pages over 4G, HTTP/2 against HTTP/3',
  'npx h2h3 run http://localhost:3000                # your app, behind servers of h2h3',
  'npx h2h3 run --url https://staging.example/       # your own site',
  'npx h2h3 run my-plan.yaml --out results/tuesday',
  'npx h2h3 run web --arms h2,h2                     # A/A: does this machine raise false alarms?',
  'npx h2h3 run --resume results/latest              # after Ctrl-C or a crash',
];

const resultGroup: HelpGroup = {
  id: 'result',
  title: 'Result:',
  examples: ['npx h2h3 run my-plan.yaml --out results/tuesday --diagnose', examples.at(-1) ?? ''],
};

const machinesGroup: HelpGroup = {
  id: 'machines',
  title: 'Several machines:',
  examples: [
    'npx h2h3 run my-plan.yaml --shard 2/3 --out part-2       # the second of three; then npx h2h3 merge',
    'npx h2h3 run my-plan.yaml --workers redis://lab:6379 --results /net/lab   # on all that run npx h2h3 worker',
  ],
};

function addRunOptions(command: Command): Command {
  return command
    .option('--port <n>', 'port of the server, TCP and UDP (default: 8443 or the next free one)')
    .option('--headed', 'show the browser windows')
    .optionsGroup(resultGroup.title)
    .option('--out <dir>', 'folder of the run (default results/<time>-<name>)')
    .option('--resume <dir>', 'continue a run that was interrupted or killed')
    .option('--strict', 'exit with 5 if a limit of --budget is not decided')
    .option('--diagnose', 'then measure the differences again with every probe, and say where they come from')
    .optionsGroup(machinesGroup.title)
    .option('--shard <i/n>', 'run only this part of the plan, such as 2/3 (npx h2h3 merge joins them)')
    .option(
      '--workers <url>',
      'share the run with the workers at this Redis or Valkey (npx h2h3 worker --help)',
    )
    .option('--results <place>', 'with --workers: folder that all machines see, or s3://bucket/prefix')
    .option('--spare-blocks <n>', 'with --workers: blocks that replace those of lost workers (default 1)')
    .option('--lost-after <time>', 'with --workers: silence after which a worker is lost (default 60s)')
    .option('--host <name>', 'name of this machine in records (default: its own name)');
}

export const addRunCommand: AddCommand = (program, context, exit) => {
  const command = addRunOptions(
    addPlanOptions(
      program.command('run').description('measure: run a preset or a plan, then analyse and report'),
      context.progress,
    ),
  );
  groupHelp(command, [...planGroups, resultGroup, machinesGroup], examples, context.words);
  command.action(async (named: string | undefined, typed: RunFlags) => {
    const { scaleTimes } = await import('../../app/plan/scale-times.ts');
    const { renderBudgetsText, renderDiagnosis, renderGateText, renderTerminalSummary } =
      await import('../../app/texts.ts');
    const { carryOutDiagnosis } = await import('../../app/diagnose/carry-out.ts');
    const { planRequest } = await import('../../app/plan/plan-request.ts');
    const { parseShard } = await import('../../app/run/shard-of-plan.ts');
    const { resume, run } = await import('../../app/run/run.ts');
    const { source, flags } =
      typed.resume === undefined
        ? await planSource(named, typed, context.progress)
        : { source: named, flags: typed };
    if (flags.resume === undefined) (await scaleTimes(source)).forEach((line) => context.progress.say(line));
    const given = await givenPlanOf(flags);
    requireSense(source, flags, given);
    const conditions = conditionsOf(flags, given);
    const shard = flags.shard === undefined ? undefined : parseShard(flags.shard);
    // The command line is read here, and goes no further.
    const request =
      flags.resume === undefined ? await planRequest({ source, flags: given.planFlags }, context) : undefined;
    const finished =
      flags.workers !== undefined
        ? await onWorkers(request, flags, context)
        : request !== undefined
          ? await run({ ...conditions, request, out: flags.out, shard }, context)
          : await resume(flags.resume ?? '', conditions, context);
    const { directory, summary, budgets, gate, reportPath, exitCode } = finished;
    context.print(
      gate === null
        ? renderTerminalSummary(summary, terminalOptions())
        : renderGateText(gate, terminalOptions()),
    );
    if (flags.diagnose === true) {
      const found = await carryOutDiagnosis(directory, summary, conditions, context);
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

function refusePlanFlags(flags: PlanFlags): void {
  const given = Object.keys(flags).filter((name) => !resumable.includes(name));
  if (given.length === 0) return;
  const written = given.map(optionOf);
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

function conditionsOf({ port, headed, strict, host }: RunFlags, { budgetMs }: GivenPlan): RunConditions {
  return { budgetMs, port: portOf(port), headed, strict, host };
}

/** What only workers have a use for. */
function refuseWorkerFlags({ results, spareBlocks, lostAfter }: RunFlags): void {
  if ([results, spareBlocks, lostAfter].every((option) => option === undefined)) return;
  throw new H2h3Error('usage', '--results, --spare-blocks and --lost-after go with --workers');
}

/** @throws H2h3Error `usage` for flags of a run that is measured here */
function refuseFlagsOfOneHost(flags: RunFlags): void {
  const unusable = (['shard', 'host', 'port', 'headed', 'budget', 'diagnose'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (unusable !== undefined)
    throw new H2h3Error('usage', `--${unusable} cannot be given with --workers`, {
      next: "What runs where is the workers' own: see `npx h2h3 worker --help`.",
    });
}

async function onWorkers(
  request: PlanRequest | undefined,
  flags: RunFlags,
  context: CommandContext,
): Promise<FinishedRun> {
  const { coordinate, coordinateAgain } = await import('../../app/workers/coordinate.ts');
  const { workers = '', results, resume: path = '', out, strict, spareBlocks, lostAfter } = flags;
  if (results === undefined)
    throw new H2h3Error('usage', '--workers needs --results', {
      next: 'Name a folder that all machines see or a bucket, the same for coordinator and workers.',
    });
  if (request === undefined) return coordinateAgain(path, { workers, results, strict }, context);
  return coordinate(
    {
      request,
      out,
      workers,
      results,
      strict,
      spareBlocks: spareBlocks === undefined ? undefined : wholeNumber('spare-blocks', spareBlocks, 0, 1000),
      lostAfterMs: lostAfter === undefined ? undefined : parseDuration(lostAfter),
    },
    context,
  );
}

/** @throws H2h3Error `usage` where the command line names nothing to measure, or what no run can have together */
function requireSense(source: string | undefined, flags: RunFlags, given: GivenPlan): void {
  const named = [source, flags.resume, flags.workload, flags.sites, flags.url, flags.app];
  const armsHaveAddresses = [flags.arms ?? '', ...(flags.arm ?? [])].some((arm) => arm.includes('+url='));
  if (named.every((option) => option === undefined) && !armsHaveAddresses) {
    throw new H2h3Error('usage', 'nothing to run', {
      next: 'Name a preset, such as `npx h2h3 run web`, or write a plan as h2h3.config.yaml; `npx h2h3 run --help` has examples.',
    });
  }
  if (flags.resume !== undefined) refusePlanFlags(given.planFlags);
  if (flags.workers === undefined) refuseWorkerFlags(flags);
  else refuseFlagsOfOneHost(flags);
  if (flags.resume !== undefined && source !== undefined)
    throw new H2h3Error('usage', '--resume takes no preset: the plan is in the run directory');
}
