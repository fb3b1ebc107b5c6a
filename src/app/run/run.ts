import type { Shard } from '../../core/model/shard.ts';
import { shellWord } from '../../core/model/command-words.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { budgetMsOf } from '../../plan/plan-file.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { lockRunDirectory } from '../../store/run-lock.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { givenPath } from '../given-path.ts';
import type { PlanRequest } from '../plan/plan-request.ts';
import { thisMachine } from '../preflight/machine-facts.ts';
import { recordEnvironment } from './environment-of-run.ts';
import { recordLinkAfter } from './link-after-run.ts';
import { measureBlocks } from './measure-blocks.ts';
import { noiseOfMachine } from './noise-of-machine.ts';
import { openNewRun, openResumedRun, type OpenedRun } from './open-run.ts';
import { openResources } from './open-resources.ts';
import { publishRun, type FinishedRun } from './publish-run.ts';
import type { RunConditions } from './run-conditions.ts';
import { RunProgressState } from './run-state.ts';
import { checkLivePages } from './scout-live-pages.ts';
import { requireUnseenThere } from './other-machines.ts';
import { measureLeases } from './shared-run.ts';
import { warmClients } from './warm-up.ts';
import { pendingRun, type PendingRunOptions } from './pending-run.ts';

export interface RunOptions extends RunConditions {
  readonly request: PlanRequest;
  /** Folder of the run. Default: `results/<time>-<name>`. */
  readonly out?: string | undefined;
  /** The part of the plan that is to run here, such as `{ index: 2, count: 3 }`. Default: all of it. */
  readonly shard?: Shard | undefined;
}

/**
 * Measures: checks what is asked against this machine, runs every trial, analyses and reports.
 *
 * @throws H2h3Error `usage` or `unsupported` before anything is made; `interrupted` when asked to stop
 */
export async function run(options: RunOptions, context: AppContext): Promise<FinishedRun> {
  const { request, out, shard, strict, budgetMs = budgetMsOf(request.read), headed = false } = options;
  requireUnseenThere(request.read.hosts ?? {}, headed);
  const machine = thisMachine(await setupContextOf(context));
  const opened = await openNewRun({ ...request, shard, strict, budgetMs }, out, machine, context);
  return measureRun(opened, { ...options, budgetMs, publish: publishAs(strict, context) }, context);
}

/** Resumes a run that was interrupted or killed: the same trials, none twice. @throws H2h3Error as `run` */
export async function resume(
  path: string,
  options: RunConditions,
  context: AppContext,
): Promise<FinishedRun> {
  const opened = await openResumedRun(path, options.budgetMs, context);
  requireNoQueue(opened.directory);
  return measureRun(opened, { ...options, publish: publishAs(options.strict, context) }, context);
}

export interface MeasureOptions<Result> extends RunConditions, Pick<PendingRunOptions, 'shared'> {
  /** What is made of the records when all are there. */
  readonly publish: (directory: RunDirectory) => Promise<Result>;
}

/**
 * A run from its opened folder to what is published of it, the whole way: whatever measures goes through here. What was done
 * before an interruption is kept; a run that cannot begin does not keep its folder from the next try.
 *
 * @throws H2h3Error `interrupted` when asked to stop
 */
export async function measureRun<Result>(
  opened: OpenedRun,
  options: MeasureOptions<Result>,
  context: AppContext,
): Promise<Result> {
  const { directory } = opened;
  const state = new RunProgressState(context.progress);
  try {
    const unlock = lockRunDirectory(directory.path, process.pid);
    try {
      const work = await pendingRun(opened, options);
      if (work.pending.length > 0 || work.shared !== undefined) {
        const noiseHere = await noiseOfMachine(context);
        state.advance('starting');
        const resources = await openResources(directory.plan, { ...opened, ...options }, context);
        try {
          const disturbances = [...noiseHere, ...resources.disturbancesThere];
          state.advance('checking');
          const pages = await checkLivePages(resources, opened, context);
          state.advance('warming up');
          const clients = await warmClients(resources, directory, pages.blockers, context);
          const warnings = [...opened.warnings, ...disturbances, ...pages.warnings, ...clients.warnings];
          const environment = await recordEnvironment(
            resources,
            { work, ...clients, cacheDir: opened.setup.cache.directory, disturbances, warnings },
            context,
          );
          state.advance('measuring');
          if (work.shared === undefined) await measureBlocks(resources, work.pending, work, context);
          else await measureLeases(resources, { ...work, shared: work.shared, environment }, context);
          await recordLinkAfter(resources, directory, context);
        } finally {
          await resources.close();
        }
      }
    } finally {
      unlock();
    }
    state.advance('publishing');
    const result = await options.publish(directory);
    state.advance('over');
    return result;
  } catch (thrown) {
    if (isInterruption(thrown)) printResumeCommand(directory, options, context);
    else directory.discard();
    throw thrown;
  }
}

/** @param strict as `publishRun` has it */
export function publishAs(
  strict: boolean | undefined,
  context: AppContext,
): (directory: RunDirectory) => Promise<FinishedRun> {
  return (directory) => publishRun(directory, context, strict);
}

/** @throws H2h3Error `usage` for a run whose leases workers have */
function requireNoQueue({ plan, path }: RunDirectory): void {
  if (plan.queue === undefined) return;
  throw new H2h3Error('usage', `${path} is run by workers`, {
    next: 'Resume it by `npx h2h3 run --resume DIR --workers redis://… --results PLACE`, with the same queue and place.',
  });
}

function isInterruption(thrown: unknown): boolean {
  return thrown instanceof H2h3Error && thrown.code === 'interrupted';
}

function printResumeCommand(
  { path }: RunDirectory,
  { resumedBy }: RunConditions,
  { progress }: AppContext,
): void {
  if (resumedBy === null) return;
  const next = resumedBy ?? `Continue with:  npx h2h3 run --resume ${shellWord(givenPath(path))}`;
  progress.say(`stopped; nothing is lost. ${next}`);
}
