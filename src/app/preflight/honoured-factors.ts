import { availableParallelism } from 'node:os';
import { commandClients } from '../../../harness/clients/commands/registry.ts';
import { driverOf } from '../../../harness/clients/drivers.ts';
import { networkProviders } from '../../../harness/network/registry.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import type { Honourer } from '../../factors/factor.ts';
import { factorsSetIn, type AnyFactor, type FactorName } from '../../factors/registry.ts';
import { isHonouredBy, valuesFor, valuesOf } from '../../factors/values.ts';
import type { Plan, PlannedTrial } from '../../model/plan.ts';
import { liveServer } from '../../model/live-address.ts';
import type { Clients } from '../run/prepare-run.ts';
import { check, type Obstacle } from './check.ts';
import { familyOf } from './client-family.ts';

/** What an arm sets must be honoured by its client or its server: nothing is dropped in silence. */
export const honouredFactors = check('honoured-factors', ['setup', 'clients'], (plan, { setup, clients }) =>
  eachOnce(plan, (trial) => [
    ...ofFlags(trial, clients),
    ...ofCpuShare(trial),
    ...ofHonourers(trial, plan, clients),
    ...ofLinks(trial, plan, setup),
  ]),
);

/** Arms are in many trials: each reason once. */
function eachOnce({ trials }: Plan, judge: (trial: PlannedTrial) => readonly Obstacle[]): Obstacle[] {
  const alike = new Map(
    trials.map((trial) => {
      const { arm, workload, client, network, server } = trial;
      return [[arm, workload, client, network, server].join('\u0000'), trial];
    }),
  );
  const obstacles = [...alike.values()].flatMap(judge);
  return [...new Map(obstacles.map((obstacle) => [obstacle.reason, obstacle])).values()];
}

/** Who must do what a factor says, and what it honours; null: another check judges it, or it is not known yet. */
type Honouring = { readonly who: string; readonly honoured: readonly string[] } | null;

function honourings(
  { client, server, workload }: PlannedTrial,
  { workloads }: Plan,
  clients: Clients,
): Readonly<Record<Honourer, Honouring>> {
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

function ofHonourers(trial: PlannedTrial, plan: Plan, clients: Clients): Obstacle[] {
  const honouring = honourings(trial, plan, clients);
  return factorsSetIn(trial.factors).flatMap((factor): Obstacle[] => {
    const asked = factor.honouredBy.flatMap((who) => honouring[who] ?? []);
    const lacking = asked.find(({ honoured }) => !honoured.includes(factor.id));
    return lacking === undefined ? [] : [unhonoured(trial.arm, factor, lacking.who, lacking.honoured)];
  });
}

/** @param honoured what `who` honours instead */
function unhonoured(arm: string, factor: AnyFactor, who: string, honoured: readonly string[]): Obstacle {
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

/** A link that a trial names must be one whose ends are ours, and able to be as the trial sets it. */
function ofLinks(
  { arm, network, server, factors }: PlannedTrial,
  { customNetworks }: Plan,
  setup: SetupContext,
): Obstacle[] {
  if (server === liveServer) return [];
  const networks = networkProviders(setup, customNetworks);
  return factorsSetIn(factors).flatMap((factor): Obstacle[] => {
    const isOfLink = isHonouredBy(factor, ['link']);
    if (!isOfLink && factor.needsOwnLink !== true) return [];
    const text = factors[factor.id] ?? '';
    const settings = isOfLink ? valuesFor(['link'], { [factor.id]: text }) : {};
    const reasonOf = (id: string): string | undefined => {
      const whyNot = networks.find((network) => network.id === id)?.whyNot;
      return whyNot === undefined ? 'its ends are the machine’s own' : whyNot(settings);
    };
    const unable = network.split('/').find((id) => reasonOf(id) !== undefined);
    if (unable === undefined) return [];
    const able = networks.filter(({ id }) => reasonOf(id) === undefined);
    return [
      {
        code: 'usage',
        reason: `arm "${arm}" sets ${factor.id}=${text}, which the network ${unable} cannot have: ${reasonOf(unable)}`,
        context: { expected: able.map(({ id }) => id).join(', ') },
        next: 'Name one of these networks.',
      },
    ];
  });
}

function ofFlags({ arm, client, factors }: PlannedTrial, clients: Clients): Obstacle[] {
  const family = familyOf(client, clients);
  const { flags = [] } = valuesOf(factors);
  if (family === undefined) return [];
  const { pattern, example } = driverOf(family).flagForm;
  const wrong = flags.filter((flag) => !pattern.test(flag));
  return wrong.map((flag) => ({
    code: 'usage',
    reason: `arm "${arm}": "${flag}" is no flag of ${client}`,
    context: { expected: `words such as ${example}`, got: flag },
  }));
}

/** More than the machine has would be no limit. */
function ofCpuShare({ arm, factors }: PlannedTrial): Obstacle[] {
  const mostPercent = 100 * availableParallelism();
  const { percent = 0 } = valuesOf(factors).cpu ?? {};
  if (percent <= mostPercent) return [];
  return [
    {
      code: 'usage',
      reason: `arm "${arm}": cpu=${percent}% is more than this machine has`,
      context: { expected: `at most ${mostPercent}% (100% is one CPU)`, got: `${percent}%` },
    },
  ];
}
