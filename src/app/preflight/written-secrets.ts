import { secretShapesIn } from '../../../sites/index.ts';
import { serversUnderTest } from '../../core/model/live-address.ts';
import { hasUserInformation } from '../../core/model/user-information.ts';
import { namedSecretInAddress, namedSecretsIn } from '../plan/named-secrets.ts';
import { check, type Blocker } from './check.ts';

/** Addresses stand in the plan, in records and in the report; one that holds what looks like a secret is not repeated. */
export const secretAddresses = check('secret-addresses', [], ({ urls, app, arms, live = {} }) => {
  const origins = Object.values(app?.builds ?? {}).flatMap(({ origin }) => origin ?? []);
  const pages = [...(app?.addresses ?? []).map(wholeAddress), ...origins];
  const addresses = [...urls, ...pages, ...arms.flatMap(({ factors }) => factors.url ?? [])];
  const ready = serversUnderTest(live).map((server) => server.ready ?? '');
  const withUser = [...addresses, JSON.stringify(arms), ...ready].some(hasUserInformation);
  return [...(withUser ? [userInformation] : []), ...addresses.flatMap(secretParameter)];
});

/** An address of an app without its name, and of a build's page, which is a path, with a host. */
const wholeAddress = (text: string): string =>
  text.startsWith('/') ? `http://app${text}` : text.replace(/^[\w-]+=/, '');

const userInformation: Blocker = {
  code: 'usage',
  holdsSecret: true,
  reason: 'an address of the plan holds a user name or a password',
  next: 'Plan, records and report would show them. Give the address without them, and what opens it with --basic-auth or --login.',
};

function secretParameter(address: string): Blocker[] {
  const name = namedSecretInAddress(address);
  if (name === undefined) return [];
  return [
    {
      code: 'usage',
      holdsSecret: true,
      reason: `an address of ${URL.parse(address)?.host ?? 'a page'} holds what looks like a secret (${name}), which plan, records and report would show`,
      next: "Hand it over as --header 'NAME: ${VARIABLE}', --cookie, --basic-auth or --storage-state, or log in with --login.",
    },
  ];
}

/** The commands of servers under test, and of builds of an app, stand in the plan and in what the report says to run again. */
export const secretCommands = check('secret-commands', [], async ({ live = {}, app }) => {
  const builds = Object.values(app?.builds ?? {});
  const blockers = [...serversUnderTest(live), ...builds].map(async ({ command }): Promise<Blocker[]> => {
    const text = [command].flat().join(' ');
    const found = namedSecretsIn(text)[0] ?? (await secretShapesIn(text))[0];
    if (found === undefined) return [];
    return [
      {
        code: 'usage',
        holdsSecret: true,
        reason: `a command that starts a server holds what looks like a secret (${found}), which the plan would show`,
        next: 'Put it into a variable and name that, as in \'serve --token "$TOKEN"\': the server inherits the environment.',
      },
    ];
  });
  return (await Promise.all(blockers)).flat();
});
