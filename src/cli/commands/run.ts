import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { loopback } from '../../../harness/network/loopback.ts';
import { networkProviders } from '../../../harness/network/registry.ts';
import { serverProviders } from '../../../harness/servers/registry.ts';
import type { SetupContext } from '../../../harness/setup/setup-context.ts';
import { findFfmpeg } from '../../../harness/setup/ffmpeg.ts';
import { renderTerminalSummary } from '../../../reports/terminal/render-terminal-summary.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import { presets } from '../../plan/presets/registry.ts';
import { liveNetwork, liveServer } from '../../plan/expand-plan.ts';
import { createRunDirectory, openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import type { Workload } from '../../model/workload.ts';
import { parseDuration } from '../duration.ts';
import { executeRun } from '../execute-run.ts';
import { addPlanOptions } from '../plan-options.ts';
import { requireDecidable } from '../decidable-plan.ts';
import { planFromRequest, readPlanRequest, workloadsOf, type PlanFlags } from '../plan-request.ts';
import { resolveClients, type Clients } from '../prepare-run.ts';
import { exitCodeOfRun, writeReports, writeSummary } from '../publish.ts';
import { setupContextOf, type CommandContext } from '../run-context.ts';
import type { AddCommand } from './command.ts';

interface RunFlags extends PlanFlags {
  readonly out?: string;
  readonly resume?: string;
  readonly budget?: string;
  readonly port?: string;
  readonly headed?: boolean;
}

interface OpenedRun {
  readonly directory: RunDirectory;
  readonly workloads: readonly Workload[];
  readonly clients: Clients;
  /** What a reader must know of how the run came about. */
  readonly warnings: readonly string[];
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
      exit(await run(source, flags, context));
    });
};

function timeStamp(now: Date): string {
  return now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
}

async function resumed(path: string, source: string | undefined, setup: SetupContext): Promise<OpenedRun> {
  if (source !== undefined)
    throw new H2h3Error('usage', '--resume takes no preset: the plan is in the run directory');
  const directory = openRunDirectory(path);
  const { plan } = directory;
  const clients = await resolveClients([...new Set(plan.trials.map((trial) => trial.client))], setup);
  const workloads = workloadsOf(
    plan.workloads.map(({ id }) => id),
    plan.urls,
  );
  return { directory, workloads, clients, warnings: [] };
}

async function started(
  source: string | undefined,
  flags: RunFlags,
  setup: SetupContext,
  context: CommandContext,
): Promise<OpenedRun> {
  const read = readPlanRequest(source, flags);
  const { plan: draft } = planFromRequest(read, context.command);
  const named = [...new Set(draft.trials.map((trial) => trial.client))];
  requireDecidable(draft);
  requireKnown(
    'network',
    draft.conditions.map(({ network }) => network),
    [...networkProviders(setup, draft.customNetworks).map(({ id }) => id), liveNetwork],
  );
  requireKnown(
    'server',
    draft.conditions.map(({ server }) => server),
    [...serverProviders(setup).map(({ id }) => id), liveServer],
  );
  const isPreset = presets.some(({ id }) => id === source) && flags.network === undefined;
  const fallback = await requireNetworks(draft, setup, isPreset);
  if (fallback !== null) context.progress.say(fallback);
  const request = fallback === null ? read : { ...read, networks: [loopback.id] };
  const clients = await resolveClients(named, setup);
  // `best` has become the name of what was found.
  const { plan, workloads } = planFromRequest(
    request.clients.includes('best') ? { ...request, clients: [...clients.keys()] } : request,
    context.command,
  );
  const path = flags.out ?? join('results', `${timeStamp(new Date())}-${plan.name}`);
  const warnings = fallback === null ? [] : [fallback];
  return { directory: createRunDirectory(path, plan), workloads, clients, warnings };
}

/**
 * Finds out before anything is made whether every network can be had. A preset whose network the user did not name may
 * run over loopback instead: the returned sentence then says why.
 */
async function requireNetworks(
  plan: Plan,
  setup: SetupContext,
  mayFallBack: boolean,
): Promise<string | null> {
  const used = new Set(plan.conditions.map(({ network }) => network));
  for (const provider of networkProviders(setup, plan.customNetworks).filter(({ id }) => used.has(id))) {
    try {
      await provider.require?.();
    } catch (thrown) {
      if (!mayFallBack || !(thrown instanceof H2h3Error) || thrown.code !== 'unsupported') throw thrown;
      return `warning: ${provider.id} cannot be had here (${thrown.message}); this run goes over loopback, where nothing is shaped and a ladder may be saturated`;
    }
  }
  return null;
}

function requireKnown(what: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new H2h3Error('usage', `unknown ${what} "${unknown}"`, {
    context: { expected: known.join(', '), got: unknown },
    next: `\`h2h3 describe ${what}s\` lists them.`,
  });
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new H2h3Error('usage', `--port wants a number from 1 to 65535, got "${text}"`);
}

async function run(source: string | undefined, flags: RunFlags, context: CommandContext): Promise<number> {
  if (
    source === undefined &&
    flags.resume === undefined &&
    flags.workload === undefined &&
    flags.sites === undefined &&
    flags.url === undefined
  ) {
    throw new H2h3Error('usage', 'nothing to run', {
      next: 'Name a preset, such as `h2h3 run web`, or see `h2h3 run --help`.',
    });
  }
  const budgetMs = flags.budget === undefined ? undefined : parseDuration(flags.budget);
  const port = portOf(flags.port);
  const setup = await setupContextOf(context);
  const opened =
    flags.resume === undefined
      ? await started(source, flags, setup, context)
      : await resumed(flags.resume, source, setup);
  const { directory } = opened;
  const place = relative(process.cwd(), directory.path) || '.';
  try {
    await executeRun(
      {
        ...opened,
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

/** Only video needs ffmpeg; its version is part of the environment then. */
async function ffmpegVersion(workloads: readonly Workload[], setup: SetupContext): Promise<string | null> {
  if (!workloads.some(({ kind }) => kind === 'video')) return null;
  return (await findFfmpeg(setup)).version;
}
