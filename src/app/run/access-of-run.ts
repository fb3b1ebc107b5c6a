import { join } from 'node:path';
import type { ClientLaunchOptions } from '../../../harness/clients/client-driver.ts';
import { beforeJourney } from '../../../harness/clients/journey/before-journey.ts';
import { logIn } from '../../../harness/clients/log-in/log-in.ts';
import { H2h3Error } from '../../model/errors.ts';
import { storedSecrets, type LiveAccess } from '../../model/live-access.ts';
import type { LivePage } from '../../model/live-address.ts';
import type { Plan } from '../../model/plan.ts';
import type { PreparedWorkload } from '../../model/workload.ts';
import { readInput } from '../../system/read-input.ts';
import type { RunScope } from '../../system/processes/run-scope.ts';
import type { AppContext } from '../app-context.ts';
import type { Clients } from './prepare-run.ts';

/** A log-in with its redirects takes seconds; one that takes longer waits for what does not come. */
const logInLimitMs = 60_000;

interface LogInRequest {
  readonly plan: Plan;
  readonly clients: Clients;
  readonly prepared: ReadonlyMap<string, PreparedWorkload>;
  readonly headed: boolean;
  readonly scope: RunScope;
  readonly given: LiveAccess | undefined;
}

/**
 * What opens the live pages of a run: what was given and, where the plan names a script that logs in or a journey that has
 * something to do before, what those left. They run once, before anything is measured, in browsers of their own.
 *
 * @throws H2h3Error `bad-input` where one does not do what it should
 */
export async function accessOfRun(
  { plan, clients, prepared, headed, scope, given }: LogInRequest,
  { progress, signal }: AppContext,
): Promise<LiveAccess | undefined> {
  const live = [...prepared.values()].find((workload) => workload.live !== undefined);
  const client = [...clients.values()].find((one) => !(one instanceof H2h3Error));
  const asked = { logIn: plan.live?.login, before: beforeOf(plan.script, live) };
  if (asked.logIn === undefined && asked.before === undefined) return given;
  if (live?.live === undefined || client === undefined || client instanceof H2h3Error) return given;
  const { url } = live.live.remote;
  const common = { environment: scope.environment, limitMs: logInLimitMs, signal };
  const launchWith = (name: string, access: LiveAccess | undefined): ClientLaunchOptions => ({
    ...{ client, headed, live: live.live as LivePage, hosts: [], server: null, spkiHash: '' },
    ...{ protocol: 'h2' as const, mediaBufferMegabytes: 0, frames: false },
    profileDir: join(scope.tempDir, name),
    ...(live.device === undefined ? {} : { device: live.device }),
    ...(access === undefined ? {} : { access }),
  });
  try {
    let access = given;
    if (asked.logIn !== undefined) {
      progress.show(`logging in by ${asked.logIn}`);
      const order = { scriptFile: asked.logIn, url, launch: launchWith('log-in', undefined) };
      access = withState(access, await logIn(order, common));
    }
    if (asked.before === undefined) return access;
    progress.show(`what ${asked.before} does before anything is measured`);
    const launch = launchWith('before', access);
    return withState(access, await beforeJourney({ scriptFile: asked.before, url, launch, ...common }));
  } catch (thrown) {
    // A run that cannot begin leaves nothing of itself.
    await scope.reaper.finish();
    throw thrown;
  }
}

/** The script of a journey that has something to do before. @throws H2h3Error `usage` where it leads to no live address */
function beforeOf(script: Plan['script'], live: PreparedWorkload | undefined): string | undefined {
  if (script === undefined || !/\bbeforeMeasured\b/.test(readInput(script.file).toString())) return undefined;
  if (live !== undefined) return script.file;
  throw new H2h3Error('usage', `beforeMeasured in ${script.file} is for live addresses (--url)`, {
    next: 'A recording is replayed as who recorded it saw it: do without beforeMeasured.',
  });
}

function withState(
  before: LiveAccess | undefined,
  { state, secrets }: { readonly state: LiveAccess['state']; readonly secrets: readonly string[] },
): LiveAccess {
  const { headers = [], cookies = [], state: saved, secrets: known = [] } = before ?? {};
  return {
    ...{ headers, cookies },
    state: {
      cookies: [...(saved?.cookies ?? []), ...state.cookies],
      origins: [...(saved?.origins ?? []), ...state.origins],
    },
    secrets: [...new Set([...known, ...secrets, ...storedSecrets(state)])],
  };
}
