import { appWorkloads, pageItself } from '../../../sites/index.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import {
  buildNames,
  isOfAskingMachine,
  othersLive,
  type AppOptions,
} from '../../core/model/app-under-test.ts';
import { serversUnderTest } from '../../core/model/live-address.ts';
import type { Plan } from '../../core/model/plan.ts';
import { check, type Blocker } from './check.ts';

/** Whatever a name, Firefox and WebKit are told one place for all of them. */
const findsNames = 'chromium';

/** What an app's run cannot be: other hosts asked by a browser that knows one place alone, and arms with addresses of their own. */
export const appAbilities = check(
  'app-abilities',
  ['clients'],
  ({ app, arms, conditions, live }, { clients }) => {
    if (app === undefined)
      return arms.flatMap(({ label, factors }) => (factors.app === undefined ? [] : [noBuilds(label)]));
    const arm = arms.find(({ factors }) => factors.url !== undefined);
    const blind = [...clients].flatMap(([name, client]) =>
      app.thirdParties !== othersLive || client instanceof H2h3Error || client.family === findsNames
        ? []
        : [name],
    );
    return [
      ...(arm === undefined ? [] : [addressOfArm(arm.label)]),
      ...blockersOfBuilds({ app, arms, conditions, live }),
      ...blind.map((name): Blocker => ({
        code: 'usage',
        reason: `${name} cannot ask other hosts than the app’s: it is led to one place for all names`,
        next: 'Use a client of the Chromium family, or --third-parties blocked.',
      })),
    ];
  },
);

const addressOfArm = (label: string): Blocker => ({
  code: 'usage',
  reason: `arm "${label}" sets an address, and the app is one for all arms`,
  next: 'Compare two addresses with --url, or two servers before the app: --arm h3+server=nginx --arm h3+server=caddy.',
});

const noBuilds = (label: string): Blocker => ({
  code: 'usage',
  reason: `arm "${label}" is a build of an app, and the plan starts none`,
  next: "Compare two builds by npx h2h3 gate --baseline-command 'npm run start:main' --candidate-command 'npm run start:branch'.",
});

/** What arms of two builds cannot be, and what two builds cannot share. */
function blockersOfBuilds({
  app,
  arms,
  conditions,
  live = {},
}: Pick<Plan, 'arms' | 'conditions' | 'live'> & { readonly app: AppOptions }): Blocker[] {
  const { builds } = app;
  if (builds === undefined)
    return arms.flatMap(({ label, factors }) => (factors.app === undefined ? [] : [noBuilds(label)]));
  const open = arms.find(({ factors }) => factors.app === undefined);
  const pages = appWorkloads(app, live).map(({ id }) => id);
  const others = conditions.find(({ workload }) => !pages.includes(pageItself(workload)));
  const places = buildNames.map((name) => listensAt(builds[name].origin));
  const unready = serversUnderTest(live).some(({ ready }) => ready === undefined);
  return [
    ...(open === undefined ? [] : [noBuildOf(open.label)]),
    ...(others === undefined ? [] : [notOfBuilds(others.workload)]),
    ...(places[0] !== undefined && places[0] === places[1] ? [onePlace(places[0])] : []),
    ...(unready ? [unreadyServer] : []),
  ];
}

/** Host and port; all names of this machine are one. */
function listensAt(origin: string | undefined): string | undefined {
  const url = origin === undefined ? null : URL.parse(origin);
  if (url === null) return undefined;
  const host = isOfAskingMachine(url.hostname) ? 'localhost' : url.hostname;
  return `${host}:${url.port === '' ? 80 : url.port}`;
}

const noBuildOf = (label: string): Blocker => ({
  code: 'usage',
  reason: `arm "${label}" names no build, and the app has two`,
  next: `Give every arm one, such as ${label}+app=baseline.`,
});

const notOfBuilds = (workload: string): Blocker => ({
  code: 'usage',
  reason: `${workload} is no page of the app, and the arms are two builds of it`,
  next: 'Measure it in a run of its own.',
});

const onePlace = (place: string): Blocker => ({
  code: 'usage',
  reason: `both builds are said to listen at ${place}, where only one of them can`,
  next: 'Leave the addresses out and have both commands listen at the port in their variable PORT, or name two ports.',
});

const unreadyServer: Blocker = {
  code: 'usage',
  reason: 'a server that two builds of an app need says no address that answers when it is ready',
  next: 'Name it: --server-ready, or `ready` in the plan file.',
};
