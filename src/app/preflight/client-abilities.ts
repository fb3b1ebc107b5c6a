import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { driverOf } from '../../../harness/clients/drivers.ts';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { firstHopOf } from '../../../harness/testbed/testbed-request.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Clients } from './clients.ts';
import { familyOf } from './client-family.ts';
import { trialCheck } from './trial-check.ts';

/** A client must be here or be had, speak the protocol, and be able to load the workload. */
export const clientAbilities = trialCheck(
  'client-abilities',
  ['clients', 'clientsHere'],
  async (trial, { clients, clientsHere }, { workloads }) => {
    const found = clients.get(trial.client) ?? stillToFetch(trial.client, clients);
    const workload = workloads.find(({ id }) => id === trial.workload);
    const { protocol } = trial.factors;
    if (found === undefined || workload === undefined || protocol === undefined) return undefined;
    if (found instanceof H2h3Error)
      return { reason: found.message, next: found.next ?? '', code: 'unsupported' };
    const refusalOf = (client: ClientIdentity): string | undefined =>
      driverOf(client.family).refusal?.(client, workload, protocol, firstHopOf(trial));
    const reason = refusalOf(found);
    if (reason === undefined) return undefined;
    const able = (await clientsHere())
      .filter((client) => refusalOf(client) === undefined)
      .map(({ id }) => id);
    return { reason, next: able.length === 0 ? '' : `${able.join(', ')} can.` };
  },
);

const allProtocols = ['h1', 'h2', 'h3'] as const;

/** What a client that is to be fetched yet will speak is known of most; of another it is taken to be all. */
function stillToFetch(name: string, clients: Clients): ClientIdentity | undefined {
  const family = familyOf(name, clients);
  if (family === undefined) return undefined;
  return {
    id: name,
    family,
    name,
    version: name.split('@')[1] ?? '(to be fetched)',
    build: 'command-line',
    source: 'system',
    executablePath: name,
    headed: false,
    environment: {},
    protocols: [...(commandClientNamed(name)?.tool?.protocols ?? allProtocols)],
  };
}
