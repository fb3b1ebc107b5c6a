import { loopback } from '../../../harness/network/loopback.ts';
import type { NetworkSpec } from '../../core/model/network-spec.ts';
import type { NetworkProvider } from '../../../harness/network/network.ts';
import { networkProviders, networkSpecs } from '../../../harness/network/registry.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';

/** The name of no path at all: what a command does without one. */
export const noNetwork = 'none';

/** Name and title of every network that has a name. */
export const networkRows = (): string[][] => networkSpecs.map(({ id, title }) => [id, title]);

/**
 * @param own networks that have their figures from the user
 * @throws H2h3Error `usage` for an unknown name, with the nearest
 */
export function networkNamed(
  name: string,
  setup: SetupContext,
  own: readonly NetworkSpec[] = [],
): NetworkProvider {
  if (name === noNetwork) return loopback;
  const known = networkProviders(setup, own).filter(({ id }) => id !== loopback.id);
  const provider = known.find(({ id }) => id === name);
  if (provider !== undefined) return provider;
  const names = [noNetwork, ...known.map(({ id }) => id)];
  throw new H2h3Error('usage', `unknown network "${name}"`, {
    context: { expected: names.join(', '), got: name },
    next: didYouMean(name, names, '`npx h2h3 describe networks` lists them.'),
  });
}
