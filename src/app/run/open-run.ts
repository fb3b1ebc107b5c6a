import { join } from 'node:path';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Workload } from '../../core/model/workload.ts';
import { openToResume } from '../../store/open-to-resume.ts';
import { requireRoomFor } from '../../core/system/write-whole.ts';
import { createRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { loadOwnWorkloads } from '../plan/own-workloads.ts';
import { workloadsOfPlan } from '../plan/plan-request.ts';
import { expectedTrialTimes } from '../plan/scale-times.ts';
import type { Blocker } from '../preflight/check.ts';
import { checkRequest, type NewRunRequest } from '../preflight/check-request.ts';
import { thisMachine, type MachineFacts, type Machine } from '../preflight/machine-facts.ts';
import { judgePlan, throwRefusals } from '../preflight/preflight.ts';
import type { Clients } from '../preflight/clients.ts';

/** A run directory with all that measuring needs of it. */
export interface OpenedRun {
  readonly directory: RunDirectory;
  readonly setup: SetupContext;
  readonly workloads: readonly Workload[];
  readonly clients: Clients;
  /** Its version; null where the plan has no video. */
  readonly ffmpeg: string | null;
  /** What a reader must know of how the run came about. */
  readonly warnings: readonly string[];
  /** What keeps some of its trials from being measured. */
  readonly blockers: readonly Blocker[];
}

/**
 * Checks a request against what this machine has, fetches what is missing and makes its run directory.
 *
 * @param out folder of the run. Default: `results/<time>-<name>`
 * @throws H2h3Error with everything that keeps it from beginning, before anything is made
 */
export async function openNewRun(
  request: NewRunRequest,
  out: string | undefined,
  machine: Machine,
  context: AppContext,
): Promise<OpenedRun> {
  if (out !== undefined) requireRoomFor(out);
  const { plan, workloads, gathered, judged, warnings } = await checkRequest(
    request,
    context.command,
    machine,
    true,
  );
  throwRefusals(judged);
  warnings.forEach((line) => context.progress.say(`warning: ${line}`));
  const directory = createRunDirectory(out ?? join('results', nameOfRun(plan, new Date())), {
    ...plan,
    ...(request.strict === undefined ? {} : { strict: request.strict }),
    ...(request.gate === undefined ? {} : { gate: true }),
  });
  const { setup } = machine;
  return { directory, setup, workloads, warnings, blockers: judged.blockers, ...usable(gathered) };
}

/**
 * A run that was begun before, with its workloads and clients found again and checked anew.
 *
 * @param path folder of the run
 * @param budgetMs begin no block that would end after this time; undefined without such a limit
 * @throws H2h3Error as `openNewRun`
 */
export async function openResumedRun(
  path: string,
  budgetMs: number | undefined,
  context: AppContext,
): Promise<OpenedRun> {
  const setup = await setupContextOf(context);
  const directory = openToResume(path);
  const { plan } = directory;
  const workloads = workloadsOfPlan(plan, await loadOwnWorkloads(context));
  const done = new Set(directory.journal().records.map(({ trialId }) => trialId));
  const pending = plan.trials.filter(({ trialId }) => !done.has(trialId));
  const nothing = { clients: new Map(), ffmpeg: null, warnings: [], blockers: [] };
  if (pending.length === 0) return { directory, setup, workloads, ...nothing };
  const gathered = await thisMachine(setup).gather(plan, true);
  const time = { pending, budgetMs, expectedTrialMs: await expectedTrialTimes({ plan, workloads }) };
  const judged = await judgePlan(plan, { ...gathered, time });
  throwRefusals(judged);
  const { blockers, warnings } = judged;
  warnings.forEach((line) => context.progress.say(`warning: ${line}`));
  return { directory, setup, workloads, warnings, blockers, ...usable(gathered) };
}

function usable({ clients, ffmpeg }: MachineFacts): Pick<OpenedRun, 'clients' | 'ffmpeg'> {
  return { clients, ffmpeg: ffmpeg instanceof H2h3Error ? null : ffmpeg };
}

function nameOfRun({ name, shard }: Plan, now: Date): string {
  const time = now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  return `${time}-${name}${shard === undefined ? '' : `-${shard.index}-of-${shard.count}`}`;
}
