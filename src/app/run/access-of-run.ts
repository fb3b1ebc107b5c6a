import { join } from 'node:path';
import { logIn } from '../../../harness/clients/log-in/log-in.ts';
import type { ClientLaunchOptions } from '../../../harness/clients/client-driver.ts';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import type { Device } from '../../core/model/device.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { othersLive } from '../../core/model/app-under-test.ts';
import { unkeptCookies, withLeftState, type LiveAccess } from '../../core/model/live-access.ts';
import type { LivePage } from '../../core/model/live-address.ts';
import type { Plan } from '../../core/model/plan.ts';
import { isUsersPage, type PreparedWorkload } from '../../core/model/workload.ts';
import type { RunScope } from '../../core/system/processes/run-scope.ts';
import type { AppContext } from '../app-context.ts';
import type { Clients } from '../preflight/clients.ts';

/** A log-in with its redirects takes seconds; one that takes longer waits for what does not come. */
const logInLimitMs = 60_000;

/** A run whose live pages are to be opened. */
export interface AccessRequest {
  readonly plan: Plan;
  readonly clients: Clients;
  readonly prepared: ReadonlyMap<string, PreparedWorkload>;
  readonly headed: boolean;
  readonly scope: RunScope;
  readonly given: LiveAccess | undefined;
  /** Made where the script of the journeys fails before what is measured. */
  readonly failureDir?: string | undefined;
}

/**
 * What opens the live pages of a run: what was given and, where the plan names a script that logs in, what that left. It
 * runs once, before anything is measured, in a browser of its own.
 *
 * @throws H2h3Error `bad-input` where it does not log in
 */
export async function accessOfRun(
  request: AccessRequest,
  context: AppContext,
): Promise<LiveAccess | undefined> {
  const access = await accessWithLogIn(request, context);
  const { urls, app } = request.plan;
  const names = access && unkeptCookies(access.state, [...urls, ...(app?.addresses ?? [])].join('\n'));
  if (names !== undefined && names.length > 0)
    context.progress.say(
      `warning: too short or too usual to be left out of what is written, should the page show them: cookies ${names.join(', ')}`,
    );
  return access;
}

async function accessWithLogIn(
  { plan, clients, prepared, headed, scope, given }: AccessRequest,
  context: AppContext,
): Promise<LiveAccess | undefined> {
  const scriptFile = plan.live?.login;
  if (scriptFile === undefined) return given;
  const opened = [...prepared.values()].find(isUsersPage);
  const client = [...clients.values()].find((client) => !(client instanceof H2h3Error));
  if (opened === undefined || client === undefined || client instanceof H2h3Error) return given;
  const order = {
    scriptFile,
    client,
    headed,
    scope,
    given,
    page: scriptPlaceOf(opened),
    device: opened.device,
  };
  return withLogIn(order, context);
}

/** Where a script goes before anything is measured: to the live address, or to the app itself, without a server of ours. */
export interface PlaceOfScript {
  readonly url: string;
  /** Undefined for an app. */
  readonly live: LivePage | undefined;
  readonly app?: ClientLaunchOptions['app'];
}

/** Undefined for what is no page of the user's. */
export function scriptPlaceOf({
  live,
  app,
}: Pick<PreparedWorkload, 'live' | 'app'>): PlaceOfScript | undefined {
  if (live !== undefined) return { url: live.remote.url, live };
  if (app === undefined) return undefined;
  return { url: app.url, live, app: { url: app.url, block: app.block, thirdParties: othersLive } };
}

/** Who logs in where, and by what. */
export interface LogInOfPage {
  readonly scriptFile: string;
  readonly client: ClientIdentity;
  readonly headed: boolean;
  readonly page: PlaceOfScript | undefined;
  readonly device: Device | undefined;
  readonly scope: Pick<RunScope, 'tempDir' | 'environment'>;
  readonly given: LiveAccess | undefined;
}

/** A browser for a page of the user's own, of which nothing is measured. */
export function launchAt(
  { live, app }: PlaceOfScript,
  {
    client,
    headed,
    device,
    profileDir,
  }: Pick<LogInOfPage, 'client' | 'headed' | 'device'> & { profileDir: string },
): ClientLaunchOptions {
  return {
    client,
    headed,
    profileDir,
    ...(live === undefined ? {} : { live }),
    ...(app === undefined ? {} : { app }),
    hosts: [],
    server: null,
    spkiHash: '',
    protocol: 'h2',
    mediaBufferMegabytes: 0,
    frames: false,
    instrumentation: 'uninstrumented',
    driven: true,
    ...(device === undefined ? {} : { device }),
  };
}

/** What was given and what a script left that logged in. @throws H2h3Error `bad-input` where it does not log in */
export async function withLogIn(
  { scriptFile, client, headed, page, device, scope, given }: LogInOfPage,
  { progress, signal }: Pick<AppContext, 'progress' | 'signal'>,
): Promise<LiveAccess | undefined> {
  if (page === undefined) return given;
  progress.reporter({ title: `Logging in by ${scriptFile}` });
  const left = await logIn(
    {
      scriptFile,
      url: page.url,
      launch: launchAt(page, { client, headed, device, profileDir: join(scope.tempDir, 'log-in') }),
    },
    { environment: scope.environment, limitMs: logInLimitMs, signal },
  );
  return withLeftState(given, left, page.url);
}
