import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { downloadWorkloadNamed } from '../../../sites/downloads/catalogue.ts';
import { type Migration, migration as migrationFactor } from '../../core/factors/connecting.ts';
import { valuesOf } from '../../core/factors/values.ts';
import { trialCheck } from './trial-check.ts';

/** A client may know how to lose its address, and not in every way over every protocol. */
export const migrationWays = trialCheck('migration-ways', [], ({ factors, client }) => {
  const { protocol } = factors;
  const { migration } = valuesOf(factors);
  const known = commandClientNamed(client);
  if (migration === undefined || known?.migrations === undefined || protocol === undefined) return undefined;
  const ways = protocol === 'auto' ? [] : (known.migrations[protocol] ?? []);
  if (ways.includes(migration.then)) return undefined;
  const asked = ways
    .map((then) => `migration=${migrationFactor.form.write({ ...migration, then })}`)
    .join(', ');
  const over = protocol === 'auto' ? 'its own choice of protocol' : protocol;
  return {
    reason: `${known.title} cannot ${migrationWords[migration.then]} over ${over} when it loses its address`,
    next:
      ways.length === 0
        ? 'Take another client, such as quic-go.'
        : `It knows ${asked}; quic-go knows every way.`,
  };
});

const migrationWords: Readonly<Record<Migration['then'], string>> = {
  move: 'move its connection',
  reconnect: 'connect again and ask for the rest',
  restart: 'connect again and ask for all',
  rebind: 'go on from another port',
};

/** A migration and competing flows are of a single transfer, while it is under way. */
export const singleTransfer = trialCheck('single-transfer', [], ({ factors, workload }) => {
  const { migration, competingflows } = valuesOf(factors);
  if (migration === undefined && competingflows === undefined) return undefined;
  const { transfer, facts } = downloadWorkloadNamed(workload) ?? {};
  const next = 'Take one of a single body, such as download-5mb.';
  const what = migration === undefined ? 'has competing flows' : 'loses its address';
  if (transfer === undefined || facts?.types?.other !== 1)
    return {
      reason: `a client ${what} in one transfer alone, and ${workload} has several`,
      next,
    };
  if (migration === undefined || migration.afterBytes < transfer.bytes) return undefined;
  const reason = `migration=${factors.migration ?? ''} would come after the end of ${workload}`;
  return { reason, next: 'Take a larger body, or an earlier moment.' };
});
