import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error } from '../../core/model/errors.ts';
import { withLeftState, type LiveAccess } from '../../core/model/live-access.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import { isUsersPage } from '../../core/model/workload.ts';
import { readInput } from '../../core/system/read-input.ts';
import type { AppContext } from '../app-context.ts';
import { contentOf } from '../plan/arm-addresses.ts';
import {
  launchAt,
  scriptPlaceOf,
  type AccessRequest,
  type LogInOfPage,
  type PlaceOfScript,
} from './access-of-run.ts';

/** A log-in with its redirects takes seconds; one that takes longer waits for what does not come. */
const beforeLimitMs = 60_000;

/** What opens the live page of a trial. @throws H2h3Error `bad-input` where what comes before its journey fails */
export type AccessOfTrial = (trial: PlannedTrial) => Promise<LiveAccess | undefined>;

/**
 * What opens the live pages of a run once the script of its journey has done what comes before. That is done once a block for
 * each address and client, and every trial of the block begins with what it left; for the first block it is done here, so
 * that a run whose script fails does not begin.
 *
 * @throws H2h3Error `bad-input` where it fails
 */
export async function accessBeforeJourney(
  request: AccessRequest,
  context: AppContext,
): Promise<AccessOfTrial> {
  const { plan, prepared, given } = request;
  const scriptFile = plan.script?.file;
  if (scriptFile === undefined || !hasWorkBefore(scriptFile)) return () => Promise.resolve(given);
  if (![...prepared.values()].some(isUsersPage)) {
    context.progress.say(
      `beforeMeasured in ${scriptFile} is left out: a recording shows what who recorded it saw, log-in included`,
    );
    return () => Promise.resolve(given);
  }
  const accessOf = onceABlock((trial) => workBeforeTrial(trial, scriptFile, request, context));
  const [first] = plan.trials;
  for (const trial of plan.trials) if (trial.blockIndex === first?.blockIndex) await accessOf(trial);
  return accessOf;
}

/** Says where a script measures all that it does. */
export function printMeasuredSteps(
  { plan, prepared }: Pick<AccessRequest, 'plan' | 'prepared'>,
  { progress }: Pick<AppContext, 'progress'>,
): void {
  const scriptFile = plan.script?.file;
  if (scriptFile === undefined || hasWorkBefore(scriptFile)) return;
  if (![...prepared.values()].some(isUsersPage)) return;
  progress.say(
    `${scriptFile} has no beforeMeasured(): all that it does is measured, a log-in too (npx h2h3 help journeys)`,
  );
}

/** Calls once for all trials of a block that share address and client; what was thrown is thrown to each of them. */
function onceABlock(make: AccessOfTrial): AccessOfTrial {
  let block = -1;
  const made = new Map<string, ReturnType<AccessOfTrial>>();
  return (trial) => {
    if (trial.blockIndex !== block) made.clear();
    block = trial.blockIndex;
    const key = `${contentOf(trial)} ${trial.client}`;
    const access = made.get(key) ?? make(trial);
    made.set(key, access);
    return access;
  };
}

async function workBeforeTrial(
  trial: PlannedTrial,
  scriptFile: string,
  { clients, prepared, headed, scope, given, failureDir }: AccessRequest,
  context: AppContext,
): Promise<LiveAccess | undefined> {
  const client = clients.get(trial.client);
  const workload = prepared.get(contentOf(trial));
  const page = workload && scriptPlaceOf(workload);
  if (client === undefined || client instanceof H2h3Error || workload === undefined || page === undefined)
    return given;
  const { device } = workload;
  context.progress.show(
    `what ${scriptFile} does before ${trial.instrumentation === 'uninstrumented' ? `block ${trial.blockIndex + 1}` : 'a recorded block'} is measured`,
  );
  return withWorkBefore(
    { scriptFile, client, headed, page, device, scope, given, failureDir },
    context.signal,
  );
}

export function hasWorkBefore(scriptFile: string): boolean {
  return /\bbeforeMeasured\b/.test(readInput(scriptFile, { what: 'a script of a journey' }).toString());
}

interface WorkBefore extends LogInOfPage {
  /** Made where it fails, for what its page showed then. */
  readonly failureDir?: string | undefined;
  readonly page: PlaceOfScript;
}

/** What was given, and what the script left before the measured part. @throws H2h3Error `bad-input` where it fails */
export async function withWorkBefore(
  { scriptFile, client, headed, page, device, scope, given, failureDir }: WorkBefore,
  signal: AbortSignal,
): Promise<LiveAccess> {
  const profileDir = join(scope.tempDir, `before-journey-${randomUUID()}`);
  try {
    // Loaded when needed, as few runs have a script.
    const { beforeJourney } = await import('../../../harness/clients/journey/before-journey.ts');
    const left = await beforeJourney({
      scriptFile,
      url: page.url,
      signal,
      limitMs: beforeLimitMs,
      environment: scope.environment,
      failureDir,
      launch: {
        ...launchAt(page, { client, headed, device, profileDir }),
        ...(given === undefined ? {} : { access: given }),
      },
    });
    return withLeftState(given, left, page.url);
  } finally {
    await rm(profileDir, { recursive: true, force: true, maxRetries: 3 });
  }
}
