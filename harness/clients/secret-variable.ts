import { noSecretReason } from '../../src/core/model/secrets.ts';

/** A script of the user's asked for a variable that this command was not given. */
export class UnsetVariable extends Error {
  readonly variable: string;

  constructor(variable: string) {
    super(`the variable ${variable} is not set`);
    this.variable = variable;
  }
}

/**
 * What a variable holds that a script asks for as a secret.
 *
 * @param shown address that reports show, in which a secret could not be left out
 * @throws UnsetVariable; Error where it cannot be kept secret
 */
export function secretVariable(name: string, shown?: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new UnsetVariable(name);
  const why = noSecretReason(value, shown);
  if (why !== undefined) throw new Error(`the variable ${name} cannot be kept secret: it ${why}`);
  return value;
}

/** The field of a script's failure that names the variable it lacks; none of others. */
export function unsetVariableOf(thrown: unknown): { readonly unsetVariable?: string } {
  return thrown instanceof UnsetVariable ? { unsetVariable: thrown.variable } : {};
}
