import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { check, type Blocker } from './check.ts';

/** A warning of clients whose HTTP/3 is made by a library of which a reader must know something. */
export const doubtedLibraries = check('doubted-libraries', ['clients'], (plan, { clients }) => {
  const used = new Set(
    plan.trials.filter(({ factors }) => factors.protocol === 'h3').map(({ client }) => client),
  );
  return [...used].flatMap((name): Blocker[] => {
    const client = clients.get(name);
    if (client === undefined || client instanceof H2h3Error || client.quicLibrary === undefined) return [];
    const doubt = commandClientNamed(client.family)?.doubtedLibrary?.(client.quicLibrary);
    if (doubt === undefined) return [];
    return [{ code: 'unsupported', reason: `${client.name} ${client.version} has ${doubt}`, trialIds: [] }];
  });
});
