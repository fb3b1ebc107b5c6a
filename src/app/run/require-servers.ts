import { serverProviders } from '../../../harness/servers/registry.ts';
import type { ServerProvider } from '../../../harness/servers/server.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error, messageOf } from '../../model/errors.ts';
import type { PlannedTrial } from '../../model/plan.ts';

/**
 * Finds or fetches the programs of every server that the trials name, before anything is made for them, so that what is
 * lacking is said once and not by each trial.
 *
 * @returns a sentence for each server that cannot be had while others can
 * @throws H2h3Error what the first of them said when not one can be had
 */
export async function requireServers(
  trials: readonly Pick<PlannedTrial, 'server'>[],
  setup: SetupContext,
  providers: readonly ServerProvider[] = serverProviders(setup),
): Promise<string[]> {
  const named = new Set(trials.map(({ server }) => server));
  const used = providers.filter(({ id }) => named.has(id));
  const faults = new Map<string, H2h3Error>();
  for (const provider of used) {
    try {
      await provider.require?.();
    } catch (thrown) {
      if (!(thrown instanceof H2h3Error) || thrown.code === 'interrupted') throw thrown;
      faults.set(provider.id, thrown);
    }
  }
  const [first] = faults.values();
  if (first !== undefined && faults.size === named.size) throw first;
  return [...faults].map(([id, fault]) => {
    const count = trials.filter(({ server }) => server === id).length;
    return `the server ${id} cannot be had (${messageOf(fault)}): its ${count} trials are unsupported`;
  });
}
