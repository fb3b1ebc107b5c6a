import { textsTypedBy, variablesOfScript } from '../../../harness/clients/secrets-of-script.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { references, storedSecrets } from '../../core/model/live-access.ts';
import type { Plan } from '../../core/model/plan.ts';
import { secretVariables, noSecretReason, type NamedSecret } from '../../core/model/secrets.ts';
import { readStorageState, referredTo, type Environment } from '../plan/live-access.ts';

/** What must not be in any file of a run, as far as this machine knows it now. */
export interface SecretsOfRun {
  readonly secrets: readonly NamedSecret[];
  /** Names of what the plan gives to its pages and this machine does not know, such as a variable that is not set. */
  readonly unknown: readonly string[];
}

/**
 * The secrets that a plan refers to: of headers, cookies and basic authentication, of its storage state, and of its scripts what
 * they read from variables and type; besides, all variables of this shell whose names are of credentials.
 */
export function secretsOfRun({ live = {}, script, urls, app }: Plan, environment: Environment): SecretsOfRun {
  const { headers = [], cookies = [], basicAuth = '', storageState, login } = live;
  const written = [...headers, ...cookies, basicAuth].join('\n').match(references) ?? [];
  // What an address shows was no secret of the run.
  const shown = [...urls, ...(app?.addresses ?? [])].join('\n');
  const unknown: string[] = [];
  const known = (name: string, read: () => readonly NamedSecret[]): readonly NamedSecret[] => {
    try {
      return read();
    } catch (thrown) {
      if (!(thrown instanceof H2h3Error)) throw thrown;
      unknown.push(name);
      return [];
    }
  };
  const from = (file: string | undefined, read: (file: string) => readonly NamedSecret[]) =>
    file === undefined ? [] : known(file, () => read(file));
  const secrets = [
    ...secretVariables(environment, ''),
    ...[...new Set(written)].flatMap((name) =>
      known(name, () => [{ name, value: referredTo(name.slice(2, -1), environment, 'pack') }]),
    ),
    ...from(storageState, (file) => storedSecrets(readStorageState(file), shown)),
    ...from(script?.file, (file) => variablesOfScript(file, environment)),
    ...from(login, (file) => [...variablesOfScript(file, environment), ...textsTypedBy(file)]),
  ];
  return { secrets: secrets.filter(({ value }) => noSecretReason(value, shown) === undefined), unknown };
}
