import { join } from 'node:path';
import { beforeJourney } from '../../../harness/clients/journey/before-journey.ts';
import { H2h3Error } from '../../model/errors.ts';
import { withLeftState, type LiveAccess } from '../../model/live-access.ts';
import type { LivePage } from '../../model/live-address.ts';
import { readInput } from '../../system/read-input.ts';
import type { AppContext } from '../app-context.ts';
import { launchAt, type AccessRequest, type LogInOfPage } from './access-of-run.ts';

/** A log-in with its redirects takes seconds; one that takes longer waits for what does not come. */
const beforeLimitMs = 60_000;

/**
 * What opens the live pages of a run once the script of its journey has done what comes before: that runs once, before
 * anything is measured, and every trial of every block begins with what it left.
 *
 * @throws H2h3Error `bad-input` where it fails
 */
export async function accessBeforeJourney(
  { plan, clients, prepared, headed, scope, given }: AccessRequest,
  context: AppContext,
): Promise<LiveAccess | undefined> {
  const scriptFile = plan.script?.file;
  if (scriptFile === undefined || !hasWorkBefore(scriptFile)) return given;
  const client = [...clients.values()].find((one) => !(one instanceof H2h3Error));
  const workload = [...prepared.values()].find(({ live }) => live !== undefined);
  if (workload?.live === undefined) {
    context.progress.say(
      `beforeMeasured in ${scriptFile} is left out: a recording shows what who recorded it saw, log-in included`,
    );
    return given;
  }
  if (client === undefined || client instanceof H2h3Error) return given;
  const { live: page, device } = workload;
  return withWorkBefore({ scriptFile, client, headed, page, device, scope, given }, context);
}

export function hasWorkBefore(scriptFile: string): boolean {
  return /\bbeforeMeasured\b/.test(readInput(scriptFile, { what: 'a script of a journey' }).toString());
}

interface WorkBefore extends LogInOfPage {
  readonly page: LivePage;
}

/** What was given, and what the script left before the measured part. @throws H2h3Error `bad-input` where it fails */
export async function withWorkBefore(
  { scriptFile, client, headed, page, device, scope, given }: WorkBefore,
  { progress, signal }: Pick<AppContext, 'progress' | 'signal'>,
): Promise<LiveAccess> {
  progress.show(`what ${scriptFile} does before anything is measured`);
  const left = await beforeJourney({
    ...{ scriptFile, url: page.remote.url, signal, limitMs: beforeLimitMs },
    environment: scope.environment,
    launch: {
      ...launchAt(page, { client, headed, device, profileDir: join(scope.tempDir, 'before-journey') }),
      ...(given === undefined ? {} : { access: given }),
    },
  });
  return withLeftState(given, left);
}
