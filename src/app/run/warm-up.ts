import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { failureFile, failureScreenshotFile } from '../../core/model/journey-failure.ts';
import type { Testbeds } from '../../../harness/testbed/testbed.ts';
import type { TrialOutcome } from '../../../harness/trial/measurement.ts';
import type { Turn } from '../../../harness/trial/runner.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import type { AppContext } from '../app-context.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import type { Blocker } from '../preflight/check.ts';
import type { WarmUp } from '../preflight/facts.ts';
import { judgePlan, throwRefusals } from '../preflight/preflight.ts';
import { brokenClients } from '../preflight/warmed-up.ts';
import type { RunResources } from './open-resources.ts';
import { warmUpMs, warmUpPrefix, warmUpsOf } from '../plan/warm-ups.ts';

const coldStart = 'quick start: the first trials may be slower, because nothing was loaded before them';

/**
 * Every client and path is used once before it counts; of a plan with a quick start each path alone.
 *
 * @throws H2h3Error where nothing comes of that
 */
export async function warmClients(
  resources: Pick<RunResources, 'runner' | 'clients' | 'trialDirOf'> & {
    readonly testbeds: Pick<Testbeds, 'refusal'>;
  },
  directory: Pick<RunDirectory, 'plan' | 'path'>,
  before: readonly Blocker[],
  context: AppContext,
): Promise<{ readonly warmUps: readonly WarmUp[]; readonly warnings: readonly string[] }> {
  const { plan } = directory;
  const isQuick = plan.quickStart === true;
  const made = isQuick ? openPaths(resources, plan, context) : warmUp(resources, plan, context);
  const warmUps = keptFailures(await made, resources, directory);
  const refusal = resources.testbeds.refusal();
  if (refusal) throw refusal;
  const judged = await judgePlan(plan, { warmUps }, { fresh: ['warmUps'], before });
  throwRefusals(judged);
  for (const [client, fault] of brokenClients(warmUps)) resources.clients.set(client, fault);
  return { warmUps, warnings: isQuick ? [...judged.warnings, coldStart] : judged.warnings };
}

/** Gets paths and servers up, and loads nothing. A trial whose path cannot be had says so itself. */
async function openPaths(
  { runner }: Pick<RunResources, 'runner'>,
  { trials }: Plan,
  { progress, signal }: AppContext,
): Promise<WarmUp[]> {
  const planned = warmUpsOf(trials);
  for (const [index, trial] of planned.entries()) {
    if (signal.aborted) break;
    progress.reporter({ title: `Opening the path of ${trial.arm}, ${index + 1} of ${planned.length}` });
    await runner.open(trial).catch(() => undefined);
  }
  return [];
}

/**
 * Runs every warm-up once and says of each how far it came. Where not one loads, another workload of the plan is tried in the
 * place of the first, if it has one, and the same again otherwise: one page that fails, or one bad moment, ends no run.
 */
export async function warmUp(
  resources: Pick<RunResources, 'runner'>,
  plan: Plan,
  context: AppContext,
): Promise<WarmUp[]> {
  const first = await tryOnce(resources, warmUpsOf(plan.trials), context);
  const mayLoad = first.some(({ reached }) => reached === 'client');
  if (!mayLoad || first.some(({ fault }) => fault === null)) return first;
  return tryOnce(resources, warmUpsOf(plan.trials.toReversed()), context);
}

async function tryOnce(
  { runner }: Pick<RunResources, 'runner'>,
  planned: readonly PlannedTrial[],
  { progress }: AppContext,
): Promise<WarmUp[]> {
  const trials = planned.map((trial) => ({ ...trial, trialId: `${warmUpPrefix}${trial.trialId}` }));
  const turn = (trial: PlannedTrial): Turn => ({ trial, maxMs: warmUpMs });
  const done: WarmUp[] = [];
  for (const [index, trial] of trials.entries()) {
    progress.reporter({
      title: `Warming up, ${index + 1} of ${trials.length}: ${trial.workload} ${trial.client} ${trial.arm}`,
    });
    const coming = trials.slice(index + 1, index + 3).map(turn);
    done.push(warmUpOf(trial, await runner.run(turn(trial), coming)));
  }
  return done;
}

export function warmUpOf(trial: WarmUp['trial'], outcome: TrialOutcome): WarmUp {
  if (outcome.kind === 'not-measured') {
    const isUnsupported = outcome.status === 'unsupported';
    return { trial, reached: 'nothing', fault: outcome.reason.text, version: null, isUnsupported };
  }
  const { browser, error } = outcome.raw;
  if (browser === null)
    return { trial, reached: 'path', fault: error?.message ?? null, version: null, isUnsupported: false };
  // It is cut short, which is no fault.
  const fault = error === undefined || error.code === 'deadline' ? null : error.message;
  return { trial, reached: 'client', fault, version: browser.version, isUnsupported: false };
}

/** Of a run, for what the page of a journey showed when that failed before the first trial. */
const warmUpFolder = 'warm-up';

/** The same warm-ups; what the page of the first journey that failed showed is kept with the run. */
export function keptFailures(
  warmUps: readonly WarmUp[],
  { trialDirOf }: Pick<RunResources, 'trialDirOf'>,
  directory: Pick<RunDirectory, 'path'>,
): WarmUp[] {
  const seenIn = join(directory.path, warmUpFolder);
  rmSync(seenIn, { recursive: true, force: true });
  const seen = warmUps.find(
    ({ trial, fault }) =>
      // One that was cut short failed at nothing.
      fault !== null && existsSync(join(trialDirOf(trial.trialId), failureFile)),
  );
  if (seen === undefined) return [...warmUps];
  mkdirSync(seenIn, { recursive: true });
  for (const name of [failureFile, failureScreenshotFile]) {
    const file = join(trialDirOf(seen.trial.trialId), name);
    if (existsSync(file)) copyFileSync(file, join(seenIn, name));
  }
  return warmUps.map((each) => (each === seen ? { ...each, seenIn } : each));
}
