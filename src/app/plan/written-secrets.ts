import { secretShapesIn } from '../../../sites/index.ts';
import { H2h3Error } from '../../model/errors.ts';
import { serversUnderTest, type LiveOptions } from '../../model/live-address.ts';
import type { Plan } from '../../model/plan.ts';

/** Names, without case and separators, that end so are of credentials. */
const secretName =
  /(?:passw(?:or)?d|passphrase|passcode|(?<!by)pass|pwd|secret|token|(?:api|access|secret|private|auth|signing|encryption)key|credentials?|authorization|jwt)$/i;
/** What names a secret instead of being one: a variable, a path, a file, an option that follows. */
const reference =
  /^["']?(?:[$/~@<-]|\.{1,2}\/|file:)|\.(?:pem|key|crt|p12|pfx|json|ya?ml|toml|ini|conf|env|txt)["']?$/i;
/** `NAME=VALUE`, `--name=VALUE`, `Name: VALUE`. */
const assigned = /(?:^|[\s"';,{(])-{0,2}([A-Za-z][\w.-]*)\s*[=:]\s*([^\s;,]+)/g;
/** `--name VALUE`. */
const followed = /(?:^|\s)-{1,2}([A-Za-z][\w.-]*)\s+([^\s]+)/g;
const inAddress = /:\/\/[^\s/:@]+:([^\s/@]+)@/g;

/** What in a command line is called a secret and written there, by its name; what has no name is told by its place. */
export function namedSecretsIn(command: string): string[] {
  const named = [assigned, followed].flatMap((pattern) =>
    [...command.matchAll(pattern)].flatMap(([, name = '', value = '']) =>
      secretName.test(name.replaceAll(/[-_.]/g, '')) && !reference.test(value) ? [name] : [],
    ),
  );
  const passwords = [...command.matchAll(inAddress)].filter(([, value = '']) => !reference.test(value));
  return [...new Set([...named, ...passwords.map(() => 'password of an address')])];
}

/** A shorter value opens nothing: `?token=1` is a switch. */
const leastSecretCharacters = 8;

/** The name of a parameter of an address that holds a credential. */
export function namedSecretInAddress(address: string): string | undefined {
  const parameters = [...(URL.parse(address)?.searchParams ?? [])];
  return parameters.find(
    ([name, value]) =>
      secretName.test(name.replaceAll(/[-_.]/g, '')) &&
      value.length >= leastSecretCharacters &&
      !reference.test(value),
  )?.[0];
}

/**
 * Addresses stand in the plan, in records and in the report.
 *
 * @throws H2h3Error `usage` where one holds what looks like a secret, without repeating it
 */
export function requireNoSecretAddresses({ urls, arms }: Pick<Plan, 'urls' | 'arms'>): void {
  const addresses = [...urls, ...arms.flatMap(({ factors }) => factors.url ?? [])];
  for (const address of addresses) {
    const name = namedSecretInAddress(address);
    if (name === undefined) continue;
    throw new H2h3Error(
      'usage',
      `an address of ${URL.parse(address)?.host ?? 'a page'} holds what looks like a secret (${name}), and would stand in plan, records and report`,
      {
        next: "Hand it over as --header 'NAME: $VARIABLE', --cookie, --basic-auth or --storage-state, or log in with --login.",
      },
    );
  }
}

/**
 * The command of a server under test stands in the plan and in what the report says to run again.
 *
 * @throws H2h3Error `usage` where it holds what looks like a secret, without repeating it
 */
export async function requireNoWrittenSecrets(live: LiveOptions = {}): Promise<void> {
  for (const { command } of serversUnderTest(live)) {
    const text = [command].flat().join(' ');
    const [found] = [...namedSecretsIn(text), ...(await secretShapesIn(text))];
    if (found === undefined) continue;
    throw new H2h3Error(
      'usage',
      `the command of the server under test holds what looks like a secret (${found}), and would stand in the plan`,
      {
        next: 'Put it into a variable and name that, as in \'serve --token "$TOKEN"\': the server inherits the environment.',
      },
    );
  }
}
