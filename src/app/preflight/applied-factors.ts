import { commandClients } from '../../../harness/clients/commands/registry.ts';
import { driverOf } from '../../../harness/clients/drivers.ts';
import type { Applier } from '../../core/factors/factor.ts';
import { factorsSetIn, type AnyFactor, type FactorName } from '../../core/factors/registry.ts';
import { appliersOf, valuesOf } from '../../core/factors/values.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { liveServer } from '../../core/model/live-address.ts';
import type { Clients } from './clients.ts';
import { armCheck } from './arm-check.ts';
import type { Blocker } from './check.ts';
import { familyOf } from './client-family.ts';

/** What an arm sets must be applied by whom it is for: nothing is dropped in silence. */
export const appliedFactors = armCheck('applied-factors', ['clients'], (trial, { clients }, plan) => {
  const abilities = abilitiesOf(trial, plan, clients);
  return factorsSetIn(trial.factors).flatMap((factor): Blocker[] => {
    const appliers = appliersOf(factor, valuesOf(trial.factors)[factor.id], trial.factors);
    const asked = appliers.flatMap((who) => abilities[who] ?? []);
    const lacking = asked.find(({ applied }) => !applied.includes(factor.id));
    return lacking === undefined ? [] : [notApplied(trial.arm, factor, lacking.who, lacking.applied)];
  });
});

/** What a link of ours can be told where a server beyond it is not ours; another check judges which values. */
const knownBeyond: readonly FactorName[] = ['family'];

/** Who must do what a factor says, and what it applies; null: another check judges it, or it is not known yet. */
type Abilities = { readonly who: string; readonly applied: readonly string[] } | null;

function abilitiesOf(
  { client, server, workload }: PlannedTrial,
  { workloads }: Plan,
  clients: Clients,
): Readonly<Record<Applier, Abilities>> {
  const family = familyOf(client, clients);
  const byWorkload = workloads.find(({ id }) => id === workload)?.applies ?? [];
  const isLive = server === liveServer;
  const who = 'a server that is not ours';
  const notOurs = isLive ? { who, applied: [] } : null;
  return {
    run: null,
    client: family === undefined ? null : { who: `the client ${client}`, applied: driverOf(family).applies },
    // What a server or a link of ours cannot have, other checks say.
    link: isLive ? { who, applied: knownBeyond } : null,
    sender: notOurs,
    server: notOurs,
    player: { who: `the workload ${workload}`, applied: byWorkload },
    workload: { who: `the workload ${workload}`, applied: byWorkload },
  };
}

/** @param applied what `who` applies instead */
function notApplied(arm: string, factor: AnyFactor, who: string, applied: readonly string[]): Blocker {
  const { id: name, unable } = factor;
  return {
    code: 'usage',
    reason:
      unable === undefined
        ? `arm "${arm}" sets ${name}, which ${who} does not know`
        : `arm "${arm}" sets ${name}: ${who} ${unable}`,
    context: { expected: applied.length === 0 ? 'none of these factors' : applied.join(', '), got: name },
    next: `${ableClients(name)}\`npx h2h3 describe factors\` says what each factor is.`,
  };
}

/** The command-line clients that know a factor, where only some do. */
function ableClients(name: FactorName): string {
  const able = commandClients.flatMap(({ id, applies = [] }) =>
    applies.some((applied) => applied === name) ? [id] : [],
  );
  return able.length === 0 ? '' : `Name the client ${able.join(' or ')}. `;
}
