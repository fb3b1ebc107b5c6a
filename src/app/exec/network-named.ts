import { backendVariable } from '../../../harness/network/choose-backend.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import type { NetworkSpec } from '../../core/model/network-spec.ts';
import type { NetworkProvider } from '../../../harness/network/network.ts';
import { networkProviders, networkSpecs } from '../../../harness/network/registry.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';

/** The name of no path at all: what a command does without one. */
export const noNetwork = 'none';

/** How one does without a path. */
const withoutPath = `use the network ${noNetwork}`;
/** The same where a proxy can be had instead. */
export const orByProxy = `add --proxy, which shapes TCP alone, or ${withoutPath}`;

/**
 * Context of set-up for what is behind a path. That is shaped by the emulator wherever nothing else is asked for: netem follows no
 * schedule, cannot be changed while it is up, passes IPv4 alone and counts no connections.
 *
 * @param withoutNetwork what sentences say of doing without a path
 * @throws H2h3Error `storage`
 */
export async function pathSetupOf(context: AppContext, withoutNetwork = withoutPath): Promise<SetupContext> {
  const setup = await setupContextOf(context);
  return {
    ...setup,
    environment: { [backendVariable]: 'emulator', ...setup.environment },
    program: { ...setup.program, withoutNetwork },
  };
}

/** Name and title of every network that has a name. */
export const networkRows = (): string[][] => networkSpecs.map(({ id, title }) => [id, title]);

/**
 * @param own networks that have their figures from the user
 * @param shape what carries out figures. Default: a path between two namespaces
 * @throws H2h3Error `usage` for an unknown name, with the nearest
 */
export function networkNamed(
  name: string,
  setup: SetupContext,
  own: readonly NetworkSpec[] = [],
  shape?: (spec: NetworkSpec) => NetworkProvider,
): NetworkProvider {
  if (name === noNetwork) return loopback;
  const known = networkProviders(setup, own, shape).filter(({ id }) => id !== loopback.id);
  const provider = known.find(({ id }) => id === name);
  if (provider !== undefined) return provider;
  const names = [noNetwork, ...known.map(({ id }) => id)];
  throw new H2h3Error('usage', `unknown network "${name}"`, {
    context: { expected: names.join(', '), got: name },
    next: didYouMean(name, names, `\`${setup.program.networkList}\` lists them.`),
  });
}
