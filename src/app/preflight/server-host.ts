import { testbedRequestOf } from '../../../harness/testbed/testbed-request.ts';
import type { FarRole } from '../../../harness/hosts/far-protocol.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { valuesOf } from '../../core/factors/values.ts';
import {
  appPlaces,
  isOfAskingMachine,
  othersLive,
  type AppOptions,
} from '../../core/model/app-under-test.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { serversUnderTest } from '../../core/model/live-address.ts';
import { liveServer } from '../../core/model/live-names.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { withFarHost } from '../machine/far-host.ts';
import { blockerOf, check, type Blocker } from './check.ts';
import type { ServerHostFacts } from './facts.ts';
import { isMoqPlayer } from './moq-abilities.ts';

/** What no server on another machine can do yet; each a sentence, said before anything is connected. */
export const serverHostAbilities = check('server-host-abilities', [], (plan) => {
  const host = plan.hosts?.server;
  // Clients elsewhere can do less still, which is said of them.
  if (host === undefined || plan.hosts?.client !== undefined) return proxyHostRefusal(plan);
  const reasons = [...new Set([...plan.trials.flatMap((trial) => refusalOf(trial)), ...ofPlan(plan)])];
  return [
    ...reasons.map((what): Blocker => ({
      code: 'usage',
      reason: `${what} cannot be measured with servers on ${host} (--server-host)`,
      next: 'Leave it out, or measure on one machine.',
    })),
    ...relayRefusal(plan, host),
    ...proxyHostRefusal(plan),
  ];
});

/** Of proxies on a machine of their own. */
function proxyHostRefusal({ hosts = {}, trials }: Plan): Blocker[] {
  const { proxy, server, client } = hosts;
  if (proxy === undefined) return [];
  if (proxy === server)
    return [
      {
        code: 'usage',
        reason: `${proxy} is the machine of the servers: proxies start there by themselves`,
        next: 'Leave it out of hosts as proxy, or name another machine.',
      },
    ];
  if (client !== undefined)
    return [
      {
        code: 'unsupported',
        reason: `proxies on ${proxy} cannot be measured with clients on ${client} (--client-host) yet`,
        next: 'Leave out either, or run h2h3 on the machine of the clients.',
      },
    ];
  if (trials.some((trial) => proxiesOf(trial).length > 0)) return [];
  return [
    {
      code: 'usage',
      reason: `no arm has a proxy that could start on ${proxy}`,
      next: 'Add an arm such as h3+proxy=envoy-h3, or leave the machine out.',
    },
  ];
}

/** The broadcast of all arms stands behind the server with the relay of one, so that none of them could begin. */
function relayRefusal({ trials }: Plan, host: string): Blocker[] {
  const played = trials.find(({ factors: { player } }) => player !== undefined && isMoqPlayer(player));
  if (played === undefined) return [];
  return [
    {
      code: 'unsupported',
      reason: `player=${played.factors.player} cannot be played with servers on ${host} (--server-host): the relay of MoQ runs on this machine alone`,
      next: 'Leave that arm out, which plays the broadcast over DASH, or measure on one machine.',
    },
  ];
}

function refusalOf(trial: PlannedTrial): string[] {
  const { network, server } = trial;
  if (server === liveServer) return ['a live address, which has a server of its own,'];
  const [first, ...between] = network.split('/');
  if (first === 'loopback') return ['the network loopback, which ends at this machine,'];
  if (between.length > 0) return ['a network between a proxy and the server'];
  const { family = '4' } = valuesOf(trial.factors);
  return family === '4' ? [] : [`family=${family}, whose addresses a link of our own has,`];
}

function ofPlan({ app, live = {} }: Plan): string[] {
  return [
    ...(app === undefined ? [] : ofApp(app)),
    ...(serversUnderTest(live).length === 0 ? [] : ['a server that a command starts on this machine']),
  ];
}

/** Its addresses are asked from both machines: to make the run ready from this one, and by browsers from the other. */
function ofApp({ addresses, builds, thirdParties }: AppOptions): string[] {
  if (builds !== undefined) return ['an app of two builds, which start on this machine,'];
  const local = appPlaces(addresses).hosts.find(({ origin }) => isOfAskingMachine(new URL(origin).hostname));
  return [
    ...(local === undefined ? [] : [`an app at ${local.origin}, which is another place on each machine,`]),
    ...(thirdParties === othersLive ? ['an app whose other hosts are live'] : []),
  ];
}

const proxiesOf = (trial: PlannedTrial): readonly string[] => testbedRequestOf(trial).proxies ?? [];

/** Whether the machine can be used, and what it lacks. */
export const serverHost = check('server-host', ['serverHost'], (plan, { serverHost: facts }) => {
  if (facts === null) return [];
  if (facts.fault !== null) return [blockerOf(facts.fault)];
  return facts.lacking.map(({ role, name, reason, next }): Blocker => {
    const needs = (trial: PlannedTrial): boolean =>
      role === 'server' ? trial.server === name : proxiesOf(trial).includes(name);
    const trialIds = plan.trials.filter(needs).map(({ trialId }) => trialId);
    return {
      code: 'unsupported',
      reason: `the ${role} ${name} on ${hostOf(role, plan.hosts)}: ${reason}`,
      ...(next === undefined ? {} : { next }),
      // What is only to be fetched yet keeps nothing from beginning.
      trialIds: facts.fetches ? trialIds : [],
    };
  });
});

/** Proxies are with the servers unless they have a machine of their own. */
const hostOf = (
  role: FarRole,
  { server, proxy = server }: NonNullable<Plan['hosts']> = {},
): string | undefined => (role === 'proxy' ? proxy : server);

/** Connects, sends h2h3 where it is not there yet, and asks for the programs of all servers and proxies of the plan. */
export async function lookAtServerHost(
  { hosts, trials }: Plan,
  fetches: boolean,
  setup: SetupContext,
): Promise<ServerHostFacts | null> {
  if (hosts?.server === undefined) return null;
  const wanted = [
    ...[...new Set(trials.map(({ server }) => server))].map((name) => ({ role: 'server' as const, name })),
    ...[...new Set(trials.flatMap(proxiesOf))].map((name) => ({ role: 'proxy' as const, name })),
  ];
  const facts: ServerHostFacts[] = [];
  for (const [host = '', those] of Map.groupBy(wanted, ({ role }) => hostOf(role, hosts)))
    facts.push(await lookAt(host, those, fetches, setup));
  return {
    fault: facts.find(({ fault }) => fault !== null)?.fault ?? null,
    lacking: facts.flatMap(({ lacking }) => lacking),
    fetches,
  };
}

async function lookAt(
  machine: string,
  wanted: readonly { readonly role: FarRole; readonly name: string }[],
  fetches: boolean,
  setup: SetupContext,
): Promise<ServerHostFacts> {
  const namesOf = (which: FarRole): string[] =>
    wanted.filter(({ role }) => role === which).map(({ name }) => name);
  const asked = { servers: namesOf('server'), proxies: namesOf('proxy'), fetches };
  try {
    return await withFarHost(machine, setup, async (host) => {
      const { answered } = await host.ask('find', asked);
      return { fault: null, lacking: answered.lacking, fetches };
    });
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code === 'interrupted') throw thrown;
    return { fault: thrown, lacking: [], fetches };
  }
}
