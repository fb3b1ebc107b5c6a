import { secretShapesIn } from '../../../sites/index.ts';
import { serversUnderTest } from '../../model/live-address.ts';
import { isSecretName } from '../../model/secrets.ts';
import { hasUserInformation } from '../../model/user-information.ts';
import { check, type Obstacle } from './check.ts';

/** What names a secret instead of being one: a variable, a path, a file, an option that follows. */
const reference =
  /^["']?(?:[$/~@<-]|\.{1,2}\/|file:)|\.(?:pem|key|crt|p12|pfx|json|ya?ml|toml|ini|conf|env|txt)["']?$/i;
/** `NAME=VALUE`, `--name=VALUE`, `Name: VALUE`. */
const assigned = /(?:^|[\s"';,{(])-{0,2}([A-Za-z][\w.-]*)\s*[=:]\s*([^\s;,]+)/g;
/** What is called so in an environment, unlike an option such as `--sort-key`. */
const keyVariable = /^[A-Z][A-Z\d_]*_KEY$/;
/** `--name VALUE`. */
const followed = /(?:^|\s)-{1,2}([A-Za-z][\w.-]*)\s+([^\s]+)/g;
const inAddress = /:\/\/[^\s/:@]+:([^\s/@]+)@/g;

/** What in a command line is called a secret and written there, by its name; what has no name is told by its place. */
export function namedSecretsIn(command: string): string[] {
  const named = [assigned, followed].flatMap((pattern) =>
    [...command.matchAll(pattern)].flatMap(([, name = '', value = '']) =>
      (isSecretName(name) || keyVariable.test(name)) && !reference.test(value) ? [name] : [],
    ),
  );
  const passwords = [...command.matchAll(inAddress)].filter(([, value = '']) => !reference.test(value));
  return [...new Set([...named, ...passwords.map(() => 'password of an address')])];
}

/** A shorter value opens nothing: `?token=1` is a switch. */
const leastParameterCharacters = 8;

/** What opens an address that was signed for somebody. */
const signature = /^(?:x-(?:amz|goog)-)?sig(?:nature)?$/i;

/** The name of a parameter of an address, or of what stands behind its `#`, that holds a credential. */
export function namedSecretInAddress(address: string): string | undefined {
  const url = URL.parse(address);
  const parameters = [
    ...(url?.searchParams ?? []),
    ...new URLSearchParams(url?.hash.replace(/^#.*\?|^#/, '')),
  ];
  return parameters.find(
    ([name, value]) =>
      (isSecretName(name) || signature.test(name)) &&
      value.length >= leastParameterCharacters &&
      !reference.test(value),
  )?.[0];
}

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

const userInformation: Obstacle = {
  code: 'usage',
  holdsSecret: true,
  reason: 'an address of the plan holds a user name or a password',
  next: 'Plan, records and report would show them. Give the address without them, and what opens it with --basic-auth or --login.',
};

function secretParameter(address: string): Obstacle[] {
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
  const obstacles = [...serversUnderTest(live), ...builds].map(async ({ command }): Promise<Obstacle[]> => {
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
  return (await Promise.all(obstacles)).flat();
});
