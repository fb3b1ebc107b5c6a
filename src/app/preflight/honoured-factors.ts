import { commandClients } from '../../../harness/clients/commands/registry.ts';
import { driverOf } from '../../../harness/clients/drivers.ts';
import type { Honourer } from '../../core/factors/factor.ts';
import { factorsSetIn, type AnyFactor, type FactorName } from '../../core/factors/registry.ts';
import { appliersOf, valuesOf } from '../../core/factors/values.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { liveServer } from '../../core/model/live-address.ts';
import type { Clients } from './clients.ts';
import { armCheck } from './arm-check.ts';
import type { Obstacle } from './check.ts';
import { familyOf } from './client-family.ts';

/** What an arm sets must be honoured by whom it is for: nothing is dropped in silence. */
export const honouredFactors = armCheck('honoured-factors', ['clients'], (trial, { clients }, plan) => {
  const honouring = abilitiesOf(trial, plan, clients);
  return factorsSetIn(trial.factors).flatMap((factor): Obstacle[] => {
    const honourers = appliersOf(factor, valuesOf(trial.factors)[factor.id], trial.factors);
    const asked = honourers.flatMap((who) => honouring[who] ?? []);
    const lacking = asked.find(({ honoured }) => !honoured.includes(factor.id));
    return lacking === undefined ? [] : [notApplied(trial.arm, factor, lacking.who, lacking.honoured)];
  });
});

/** Who must do what a factor says, and what it honours; null: another check judges it, or it is not known yet. */
type Abilities = { readonly who: string; readonly honoured: readonly string[] } | null;

function abilitiesOf(
  { client, server, workload }: PlannedTrial,
  { workloads }: Plan,
  clients: Clients,
): Readonly<Record<Honourer, Abilities>> {
  const family = familyOf(client, clients);
  const byWorkload = workloads.find(({ id }) => id === workload)?.honours ?? [];
  const notOurs = server === liveServer ? { who: 'a server that is not ours', honoured: [] } : null;
  return {
    run: null,
    client: family === undefined ? null : { who: `the client ${client}`, honoured: driverOf(family).honours },
    // What a server or a link of ours cannot have, other checks say.
    link: notOurs,
    sender: notOurs,
    server: notOurs,
    player: { who: `the workload ${workload}`, honoured: byWorkload },
    workload: { who: `the workload ${workload}`, honoured: byWorkload },
  };
}

/** @param honoured what `who` honours instead */
function notApplied(arm: string, factor: AnyFactor, who: string, honoured: readonly string[]): Obstacle {
  const { id: name, unable } = factor;
  return {
    code: 'usage',
    reason:
      unable === undefined
        ? `arm "${arm}" sets ${name}, which ${who} does not know`
        : `arm "${arm}" sets ${name}: ${who} ${unable}`,
    context: { expected: honoured.length === 0 ? 'none of these factors' : honoured.join(', '), got: name },
    next: `${whoKnows(name)}\`npx h2h3 describe factors\` says what each factor is.`,
  };
}

/** The command-line clients that know a factor, where only some do. */
function whoKnows(name: FactorName): string {
  const able = commandClients.flatMap(({ id, honours = [] }) =>
    honours.some((honoured) => honoured === name) ? [id] : [],
  );
  return able.length === 0 ? '' : `Name the client ${able.join(' or ')}. `;
}
