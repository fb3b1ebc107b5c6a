import { isAbsolute, resolve } from 'node:path';
import {
  appPlaces,
  othersBlocked,
  othersLive,
  type AppOptions,
  type AppPage,
  type AppRoute,
} from '../../src/model/app-under-test.ts';
import type { LiveOptions } from '../../src/model/live-address.ts';
import type { PrepareContext, PreparedWorkload, Workload } from '../../src/model/workload.ts';
import { moduleFile } from '../../src/system/module-file.ts';
import { archiveWorkload } from '../archive/archive-workload.ts';
import { visitApp } from './visit-app.ts';
import { wireAddressOf } from '../../src/model/wire-address.ts';

const quietMs = 1_000;
const deadlineMs = 60_000;
const expectedTrialMs = 6_000;

/** The page that a workload of an app loads of it, by its id. */
const idOf = ({ host, pathname, search }: URL): string =>
  `app-${host}${pathname}${search}`.replaceAll(/[^a-z0-9.-]+/gi, '-').replace(/-$/, '');

/** The pages of an app, each a workload. @throws H2h3Error `usage` for what is no address of one, `bad-input` for a recording that is none */
export function appWorkloads(app: AppOptions, live: LiveOptions = {}): Workload[] {
  const { pages } = appPlaces(app.addresses);
  const archive = recordingOf(app);
  return pages.map((page) => {
    const head = { id: idOf(page), kind: 'page', title: page.href, facts: { source: page.href } } as const;
    return {
      ...head,
      expectedTrialMs,
      prepare: async (context) => ({
        ...head,
        ...(await prepared(page, { app, live, archive }, context)),
      }),
    };
  });
}

interface AppParts {
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
  page: URL,
  { app, live, archive }: AppParts,
  context: PrepareContext,
): Promise<Omit<PreparedWorkload, 'id' | 'kind' | 'title' | 'facts'>> {
  const { hosts } = appPlaces(app.addresses);
  const route: AppRoute = {
    hosts: [...hosts],
    port: context.port,
    ...(app.host === undefined ? {} : { ownHost: app.host }),
    ...(app.compress === undefined ? {} : { compress: app.compress }),
  };
  const { access, signal } = context;
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
