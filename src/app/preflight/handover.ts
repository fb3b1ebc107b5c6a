import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { downloadWorkloadNamed } from '../../../sites/downloads/catalogue.ts';
import { handover as handoverFactor, type Handover } from '../../core/factors/handover.ts';
import { valuesOf } from '../../core/factors/values.ts';
import { trialCheck } from './trial-check.ts';

/** A client may know how to lose its address, and not in every way over every protocol. */
export const handoverWays = trialCheck('handover-ways', [], ({ factors, client }) => {
  const { protocol } = factors;
  const { handover } = valuesOf(factors);
  const known = commandClientNamed(client);
  if (handover === undefined || known?.handovers === undefined || protocol === undefined) return undefined;
  const ways = protocol === 'auto' ? [] : (known.handovers[protocol] ?? []);
  if (ways.includes(handover.then)) return undefined;
  const asked = ways.map((then) => `handover=${handoverFactor.form.write({ ...handover, then })}`).join(', ');
  const over = protocol === 'auto' ? 'its own choice of protocol' : protocol;
  return {
    reason: `${known.title} cannot ${handoverWords[handover.then]} over ${over} when it loses its address`,
    next:
      ways.length === 0
        ? 'Take another client, such as quic-go.'
        : `It knows ${asked}; quic-go knows every way.`,
  };
});

const handoverWords: Readonly<Record<Handover['then'], string>> = {
  move: 'move its connection',
  reconnect: 'connect again and ask for the rest',
  restart: 'connect again and ask for all',
  rebind: 'go on from another port',
};

/** A handover and rivals are of a single transfer, while it is under way. */
export const singleTransfer = trialCheck('single-transfer', [], ({ factors, workload }) => {
  const { handover, rivals } = valuesOf(factors);
  if (handover === undefined && rivals === undefined) return undefined;
  const { transfer, facts } = downloadWorkloadNamed(workload) ?? {};
  const next = 'Take one of a single body, such as download-5mb.';
  const what = handover === undefined ? 'has rivals' : 'loses its address';
  if (transfer === undefined || facts?.types?.other !== 1)
    return {
      reason: `a client ${what} in one transfer alone, and ${workload} has several`,
      next,
    };
  if (handover === undefined || handover.afterBytes < transfer.bytes) return undefined;
  const reason = `handover=${factors.handover ?? ''} would come after the end of ${workload}`;
  return { reason, next: 'Take a larger body, or an earlier moment.' };
});
