import { secretsOfEnvironment } from '../../src/model/secrets.ts';
import { textOfScript } from './text-of-script.ts';

/** Addresses and names of hosts, by which a script says where it goes. */
const isPlace = (value: string): boolean => /^(?:https?:\/\/|[\w-]+(?:\.[\w-]+)+(?::\d+)?$)/.test(value);

/** Values of variables that a user's script, or a module of its own that it imports, names, as `process.env.PIN`, without asking for them by `secret`. */
export function secretsOfScript(
  scriptFile: string,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return secretsOfEnvironment(environment, textOfScript(scriptFile)).filter((value) => !isPlace(value));
}
