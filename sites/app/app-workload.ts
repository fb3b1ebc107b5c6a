import { isAbsolute, resolve } from 'node:path';
import {
  appPlaces,
  contentOfBuild,
  othersBlocked,
  othersLive,
  pathsOfBuilds,
  type AppHost,
  type AppOptions,
  type AppPage,
  type AppRoute,
  type BuildName,
} from '../../src/core/model/app-under-test.ts';
import type { LiveOptions } from '../../src/core/model/live-address.ts';
import type { PrepareContext, PreparedWorkload, Workload } from '../../src/core/model/workload.ts';
import { moduleFile } from '../../src/core/system/module-file.ts';
import { archiveWorkload } from '../archive/archive-workload.ts';
import { visitApp } from './visit-app.ts';
import { wireAddressOf } from '../../src/core/model/wire-address.ts';

const quietMs = 1_000;
const deadlineMs = 60_000;
const expectedTrialMs = 6_000;

/** The page that a workload of an app loads of it, by its id. */
const idOf = ({ host, pathname, search }: URL): string =>
  `app-${host}${pathname}${search}`.replaceAll(/[^a-z0-9.-]+/gi, '-').replace(/-$/, '');

/** Of a page that each build has, by its path. */
const idOfPath = (path: string): string => `app${path}`.replaceAll(/[^a-z0-9.-]+/gi, '-').replace(/-$/, '');

/** The pages of an app, each a workload. @throws H2h3Error `usage` for what is no address of one, `bad-input` for a recording that is none */
export function appWorkloads(app: AppOptions, live: LiveOptions = {}): Workload[] {
  const archive = recordingOf(app);
  const named =
    app.builds === undefined
      ? appPlaces(app.addresses).pages.map((page) => ({ id: idOf(page), title: page.href }))
      : pathsOfBuilds(app).map((path) => ({ id: idOfPath(path), title: path }));
  return named.map(({ id, title }) => {
    const head = { id, kind: 'page', title, facts: { source: title } } as const;
    return {
      ...head,
      expectedTrialMs,
      prepare: async (context) => ({
        ...head,
        ...(await prepared({ ...placedApp(title, app, context), live, archive }, context)),
      }),
    };
  });
}

/** What a workload that each build has loads of one of them. */
export function ofBuild(workload: Workload, build: BuildName): Workload {
  const id = contentOfBuild(workload.id, build);
  return {
    ...workload,
    id,
    prepare: async (context) => ({ ...(await workload.prepare({ ...context, build })), id }),
  };
}

type PlacedApp = Pick<AppParts, 'app' | 'page' | 'hosts' | 'access'>;

/** A page at the app, or at the build that is prepared for. */
function placedApp(
  address: string,
  app: AppOptions,
  { access, build, builds = [] }: PrepareContext,
): PlacedApp {
  if (app.builds === undefined)
    return { app, page: new URL(address), hosts: appPlaces(app.addresses).hosts, access };
  const running = builds.find(({ name }) => name === build);
  if (running === undefined) throw new Error(`the build ${build} does not run`);
  const page = new URL(address, running.origin);
  return { app, page, hosts: appPlaces([page.href], running.name).hosts, access: running.access };
}

interface AppParts {
  readonly page: URL;
  readonly hosts: readonly AppHost[];
  readonly access: PrepareContext['access'];
  readonly app: AppOptions;
  readonly live: LiveOptions;
  readonly archive: Workload | undefined;
}

function recordingOf({ thirdParties = othersBlocked }: AppOptions): Workload | undefined {
  return thirdParties === othersBlocked || thirdParties === othersLive
    ? undefined
    : archiveWorkload(isAbsolute(thirdParties) ? thirdParties : resolve(thirdParties));
}

async function prepared(
  { page, hosts, access, app, live, archive }: AppParts,
  context: PrepareContext,
): Promise<Omit<PreparedWorkload, 'id' | 'kind' | 'title' | 'facts'>> {
  const route: AppRoute = {
    hosts: [...hosts],
    port: context.port,
    ...(app.host === undefined ? {} : { ownHost: app.host }),
    ...(app.compress === undefined ? {} : { compress: app.compress }),
  };
  const { signal } = context;
  await visitApp(page, { route, access, signal, logsIn: live.login !== undefined });
  const recorded = await archive?.prepare(context);
  const own = new Set(hosts.map(({ host }) => host));
  const command = [process.execPath, moduleFile('./serve-app.ts', import.meta.url), JSON.stringify(route)];
  const [main] = hosts;
  return {
    roots: [
      ...hosts.map(({ host }) => ({ host, directory: '', origin: { command, kind: 'app' as const } })),
      ...(recorded?.roots ?? []).filter(({ host }) => !own.has(host)),
    ],
    entry: { host: main?.host ?? '', path: wireAddressOf(page).path },
    driver: 'load',
    quietMs,
    deadlineMs,
    loggedHosts: [...own],
    mediaBufferMegabytes: 0,
    app: { url: page.href, route, block: live.block ?? [], thirdParties: kindOf(app) },
    ...(recorded?.replay === undefined ? {} : { replay: recorded.replay }),
  };
}

function kindOf({ thirdParties = othersBlocked }: AppOptions): AppPage['thirdParties'] {
  return thirdParties === othersBlocked || thirdParties === othersLive ? thirdParties : 'recorded';
}
