import { requireClientName } from '../../../harness/clients/resolve-client.ts';
import { networkProviders } from '../../../harness/network/registry.ts';
import { proxyNamed, proxySoftware } from '../../../harness/proxies/registry.ts';
import { serverNamed, serverSoftware } from '../../../harness/servers/registry.ts';
import type { ServerSoftware } from '../../../harness/servers/server-software.ts';
import { tcpCongestionControls } from '../../../harness/servers/tcp-congestion.ts';
import { hopsOf, testbedRequestOf } from '../../../harness/testbed/testbed-request.ts';
import { parseProgramName } from '../../../harness/tools/versions/program-name.ts';
import { pageItself, urlWorkload } from '../../../sites/index.ts';
import { liveNetwork } from '../../core/model/live-names.ts';
import { valuesOf } from '../../core/factors/values.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { addressOfEachArm } from '../plan/arm-addresses.ts';
import { check, blockersIn, type Blocker } from './check.ts';

/**
 * Clients, networks, servers and congestion controls of a plan must exist by name; whether this machine has them is another
 * question. No chain names more of them than it has links.
 */
export const knownNames = check('known-names', ['setup'], async (plan, { setup }) => {
  const served = servedTrials(plan);
  const shaped = plan.trials.filter(({ network }) => network !== liveNetwork);
  const idsOf = (known: readonly { readonly id: string }[]): string[] => known.map(({ id }) => id);
  const clients = new Map(named(plan, 'client', plan.trials).map(({ name, arm }) => [name, arm]));
  const ofClients = await Promise.all(
    [...clients].map(([client, arm]) => blockersIn(() => requireClientName(client, setup, ofArm(arm)))),
  );
  return [
    ...unknown(
      'network',
      named(plan, 'network', shaped),
      idsOf(networkProviders(setup, plan.customNetworks)),
    ),
    ...(await unknownSoftware({
      what: 'server',
      many: 'servers',
      names: named(plan, 'server', served),
      softwareOf: serverNamed,
      all: serverSoftware,
    })),
    ...(await unknownSoftware({
      what: 'proxy',
      many: 'proxies',
      names: named(plan, 'proxy', served),
      softwareOf: proxyNamed,
      all: proxySoftware,
    })),
    ...unknownCongestion(plan),
    ...(await tooManyLinks(served)),
    ...ofClients.flat(),
  ];
});

/** A live address has no server of ours, and a network only where the plan shapes its path. */
function servedTrials(plan: Plan): PlannedTrial[] {
  const live = [addressOfEachArm, ...plan.urls.map((url) => urlWorkload(url).id)];
  return plan.trials.filter(({ workload }) => !live.includes(pageItself(workload)));
}

/** A name, and the arm that sets it; none: the condition does. */
interface Named {
  readonly name: string;
  readonly arm?: string | undefined;
}

/** Factors of which a chain has several, apart at `/`; in a client's name that is part of a path. */
const chained: readonly string[] = ['network', 'proxy'];

function named(
  { arms }: Plan,
  factor: 'client' | 'network' | 'server' | 'proxy',
  from: readonly PlannedTrial[],
): Named[] {
  const setting = new Set(
    arms.flatMap(({ label, factors }) => (factors[factor] === undefined ? [] : [label])),
  );
  return from.flatMap(({ arm, factors: { [factor]: value } }) => {
    const names = chained.includes(factor) ? value?.split('/') : value;
    return [names ?? []].flat().map((name) => ({ name, arm: setting.has(arm) ? arm : undefined }));
  });
}

const ofArm = (arm: string | undefined): string => (arm === undefined ? '' : `arm "${arm}": `);

/** Each unknown name once, with the first arm that sets it. */
function unknown(
  what: string,
  names: readonly Named[],
  known: readonly string[],
  many = `${what}s`,
): Blocker[] {
  const wrong = names.filter(({ name }) => !known.includes(name));
  const once = new Map(wrong.toReversed().map(({ name, arm }) => [name, arm]));
  return [...once].map(([name, arm]) => ({
    code: 'usage',
    reason: `${ofArm(arm)}unknown ${what} "${name}"`,
    context: { expected: known.join(', '), got: name },
    next: didYouMean(name, known, `\`npx h2h3 describe ${many}\` lists them.`),
  }));
}

interface SoftwareNames {
  readonly what: string;
  readonly many: string;
  readonly names: readonly Named[];
  readonly softwareOf: (name: string) => ServerSoftware | undefined;
  readonly all: readonly ServerSoftware[];
}

/** The same where versions can be named: a version that no registry can have is told by its form. */
async function unknownSoftware({ what, many, names, softwareOf, all }: SoftwareNames): Promise<Blocker[]> {
  const strange = names.filter(({ name }) => softwareOf(name) === undefined);
  const malformed = strange.filter(({ name }) => all.some(({ id }) => name.startsWith(`${id}@`)));
  const once = new Map(malformed.map(({ name, arm }) => [name, arm]));
  const ofForm = await Promise.all([...once].map(([name]) => blockersIn(() => parseProgramName(name))));
  const others = strange.filter((unknown) => !malformed.includes(unknown));
  const known = all.map(({ id }) => id);
  return [...ofForm.flat(), ...unknown(what, others, known, many)];
}

/** Algorithms that a sender here might run: the kernel's for TCP, and those of every server and proxy for QUIC. */
function knownCongestion({ trials }: Plan): string[] {
  const named = trials.flatMap(({ server, factors }) => [
    serverNamed(server),
    ...(valuesOf(factors).proxy ?? []).map(proxyNamed),
  ]);
  const senders = [...serverSoftware, ...proxySoftware, ...named];
  const quic = senders.flatMap((sender) => sender?.quicCongestionControls ?? []);
  return [...new Set([...tcpCongestionControls(), ...quic])].toSorted();
}

/** Which of them a server really runs shows when it is asked; a name that does not exist is a slip. */
function unknownCongestion(plan: Plan): Blocker[] {
  const { trials } = plan;
  const known = knownCongestion(plan);
  const once = new Map(
    trials
      .toReversed()
      .flatMap(({ arm, factors }) => (valuesOf(factors).congestion ?? []).map((name) => [name, arm])),
  );
  return [...once].flatMap(([name, arm]) =>
    known.includes(name)
      ? []
      : {
          code: 'usage',
          reason: `arm "${arm}": no congestion control is called "${name}" here`,
          context: { expected: known.join(', '), got: name },
          next: didYouMean(name, known),
        },
  );
}

/** Takes each chain apart. */
async function tooManyLinks(trials: readonly PlannedTrial[]): Promise<Blocker[]> {
  const found: Blocker[] = [];
  for (const trial of trials) found.push(...(await blockersIn(() => hopsOf(testbedRequestOf(trial)))));
  return [...new Map(found.map((blocker) => [blocker.reason, blocker])).values()];
}
