import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { productOf } from '../../../harness/tools/versions/program-name.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { check, type Blocker } from './check.ts';
import type { Places } from './facts.ts';
import type { Clients } from './clients.ts';

/**
 * Two names of which one names a version must not mean one program: the arms would be the same twice and be called a
 * difference. (An arm against itself is the same name twice.)
 */
export const oneNameEach = check(
  'one-name-each',
  ['clients', 'programPlaces'],
  (plan, { clients, programPlaces: { server, proxy, player } }) => {
    const ofClients = [placesOf(clients), versionsOf(clients)].flatMap((places) =>
      twice(plan, 'client', places, (trial) => [trial.client]),
    );
    return [
      ...twice(plan, 'server', server, (trial) => [trial.server]),
      ...twice(plan, 'proxy', proxy, ({ factors }) => factors.proxy?.split('/') ?? []),
      ...twice(plan, 'player', player, ({ factors }) => [factors.player ?? []].flat()),
      ...new Map(ofClients.map((blocker) => [blocker.reason, blocker])).values(),
    ];
  },
);

const found = (clients: Clients): (readonly [string, ClientIdentity])[] =>
  [...clients].flatMap(([name, client]) => (client instanceof H2h3Error ? [] : [[name, client] as const]));

const placesOf = (clients: Clients): Places =>
  new Map(found(clients).map(([name, { executablePath }]) => [name, executablePath]));

/** One that was fetched by name may lie next to the machine's own. */
const versionsOf = (clients: Clients): Places =>
  new Map(
    found(clients).map(([name, { version, build }]) => [name, `${productOf(name)} ${version} (${build})`]),
  );

function twice(
  { trials }: Plan,
  what: string,
  places: Places,
  namesIn: (trial: PlannedTrial) => readonly string[],
): Blocker[] {
  const named = [...new Set(trials.flatMap(namesIn))].toSorted();
  const byPlace = Map.groupBy(
    named.filter((name) => places.has(name)),
    (name) => places.get(name) ?? '',
  );
  return [...byPlace].flatMap(([place, names]): Blocker[] =>
    names.length < 2 || !names.some((name) => name.includes('@') && !/[/\\]/.test(name))
      ? []
      : [
          {
            code: 'usage',
            reason: `${names.join(' and ')} are one ${what}`,
            context: { expected: 'names of different programs', got: place },
            next: 'Name another version, or the same name twice to compare it with itself.',
          },
        ],
  );
}
