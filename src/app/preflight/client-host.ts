import { isPhoneName } from '../../../harness/clients/browsers/android/find-phone.ts';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { knownClients } from '../../../harness/clients/client-catalogue.ts';
import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { clientDrivers } from '../../../harness/clients/drivers.ts';
import { requireOwnAddress } from '../../../harness/hosts/client-place.ts';
import type { Answered } from '../../../harness/hosts/far-protocol.ts';
import { foreignText } from '../../../harness/hosts/foreign-text.ts';
import { asSent } from '../../../harness/hosts/sent-settings.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { productOf } from '../../../harness/tools/versions/program-name.ts';
import { valuesOf } from '../../core/factors/values.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { serversUnderTest } from '../../core/model/live-address.ts';
import { liveNetwork, liveServer } from '../../core/model/live-names.ts';
import type { NetworkSpec } from '../../core/model/network-spec.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { withFarHost } from '../machine/far-host.ts';
import { blockerOf, check, type Blocker } from './check.ts';
import type { Clients } from './clients.ts';
import type { ClientHostFacts, Lacking } from './facts.ts';
import { moqPlayer } from './moq-abilities.ts';

/** What no client on another machine can do yet; each a sentence, said before anything is connected. */
export const clientHostAbilities = check('client-host-abilities', [], (plan) => {
  const { client, server } = plan.hosts ?? {};
  if (client === undefined) return [];
  if (server === client)
    return [
      {
        code: 'unsupported',
        reason: `${client} cannot have both the servers and the clients`,
        next: 'Name two machines, or run h2h3 on that one.',
      },
    ];
  const uploads = plan.workloads.filter(({ kind }) => kind === 'upload').map(({ id }) => id);
  const ofTrials = plan.trials.flatMap((trial) => [
    ...refusalOf(trial),
    // What they send is a file of this machine.
    ...(uploads.includes(trial.workload) && commandClientNamed(trial.client) !== undefined
      ? [`an upload by ${trial.client}`]
      : []),
  ]);
  const reasons = [...new Set([...ofTrials, ...ofPlan(plan)])];
  return reasons.map((what): Blocker => ({
    code: 'unsupported',
    reason: `${what} cannot be measured with clients on ${client} (--client-host) yet`,
    next: `Leave it out, or run h2h3 on ${client}, with --server-host for the server.`,
  }));
});

function refusalOf({ client, network, server, factors }: PlannedTrial): string[] {
  if (server === liveServer) return ['a live address'];
  const [first, ...between] = network.split('/');
  const { family = '4', discovery, cpu, player } = valuesOf(factors);
  return [
    ...(first === loopback.id || between.length > 0 ? [`the network ${network}`] : []),
    ...(family === '4' && discovery === undefined ? [] : ['an arm that asks a resolver']),
    ...(cpu === undefined ? [] : ['a share of a CPU']),
    ...(factors['crosstraffic'] === undefined ? [] : ['background traffic']),
    ...(player !== undefined && productOf(player) === moqPlayer ? ['a player of MoQ'] : []),
    ...(isPhoneName(client) ? ['a phone'] : []),
  ];
}

/** Probes that need what is on this machine, or a package that is not sent. */
const refusedProbes = ['qlog', 'lighthouse'];

function ofPlan({ app, live = {}, script, probes, standIns = [], customNetworks = [] }: Plan): string[] {
  const readsFile = customNetworks.some((network) =>
    [network.up, network.down].some(
      ({ trace, scheduleFile }) => scheduleFile !== undefined || (trace !== undefined && 'file' in trace),
    ),
  );
  return [
    ...(app === undefined ? [] : ['an app']),
    ...(script === undefined ? [] : ['a journey']),
    ...(serversUnderTest(live).length === 0 ? [] : ['a server that a command starts']),
    ...(readsFile ? ['a network that a file of this machine describes'] : []),
    ...(standIns.length === 0 ? [] : ['an injected fault']),
    ...refusedProbes.filter((probe) => probes.includes(probe)).map((probe) => `the probe ${probe}`),
  ];
}

/** Whether the machine can be used. What clients it lacks is said as on one machine. */
export const clientHost = check('client-host', ['clientHost'], (_plan, { clientHost: facts }) =>
  facts === null || facts.fault === null ? [] : [blockerOf(facts.fault)],
);

/** What the machine has of what a plan needs. */
export interface FarClients {
  readonly clients: Clients;
  /** The client that `best` means there; undefined where it is not named, or there is none. */
  readonly best: string | undefined;
  /** Networks that cannot be had there. */
  readonly networks: Lacking;
  readonly clientHost: ClientHostFacts;
}

/** What a plan needs of it. */
export interface WantedThere {
  readonly clients: readonly string[];
  /** By name, and what trials set them to. */
  readonly networks: readonly string[];
  readonly settings: readonly object[];
  readonly custom: readonly NetworkSpec[];
  /** Whether what lacks is fetched there, and built. */
  readonly fetches: boolean;
  /** Whether its clients load from servers of this machine. */
  readonly isServedHere: boolean;
}

/** Connects, sends h2h3 where it is not there yet, and asks for clients and networks by name. */
export async function lookAtClientHost(
  host: string,
  { clients: names, networks, settings, custom, fetches, isServedHere }: WantedThere,
  setup: SetupContext,
): Promise<FarClients> {
  try {
    return await withFarHost(host, setup, async (far) => {
      if (isServedHere) requireOwnAddress(far.hello, host);
      const shaped = networks.filter((name) => name !== liveNetwork);
      const asked = {
        names: shaped,
        settings: settings.map(asSent),
        custom: [...custom],
        builds: fetches,
      };
      const { lacking } =
        shaped.length === 0 ? { lacking: [] } : (await far.ask('lackingNetworks', asked)).answered;
      const { answered } = await far.ask('clients', { names: [...names], fetches });
      return {
        ...clientsOf(answered, names, host),
        networks: new Map(lacking.map(({ name, ...fault }) => [name, errorOf(fault, host)])),
        clientHost: { fault: null, cpuCount: far.hello.machine.cpuCount },
      };
    });
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code === 'interrupted') throw thrown;
    const clientHost = { fault: thrown, cpuCount: null };
    return { clients: new Map(), best: undefined, networks: new Map(), clientHost };
  }
}

type Fault = NonNullable<Answered<'clients'>['clients'][number]['fault']>;

const errorOf = ({ code, reason, next }: Fault, host: string): H2h3Error =>
  new H2h3Error(
    code,
    `on ${host}: ${foreignText(reason)}`,
    next === undefined ? {} : { next: `There: ${foreignText(next)}` },
  );

/** What was found, and why the others cannot be had. @throws H2h3Error `bad-input` where it is an answer to something else */
export function clientsOf(
  { clients }: Answered<'clients'>,
  names: readonly string[],
  host: string,
): Pick<FarClients, 'clients' | 'best'> {
  const found = new Map<string, ClientIdentity | H2h3Error>();
  let best: string | undefined;
  for (const name of names) {
    const answer = clients.find((client) => client.name === name);
    if (answer?.fault !== undefined) found.set(name, errorOf(answer.fault, host));
    else if (answer?.found) {
      const client = identityOf(answer.found, name, host);
      if (name === 'best') best = client.id;
      found.set(client.id, client);
    }
  }
  return { clients: found, best };
}

type FoundClient = NonNullable<Answered<'clients'>['clients'][number]['found']>;

function identityOf(found: FoundClient, name: string, host: string): ClientIdentity {
  const known = name === 'best' ? ['embedded', ...knownClients.map(({ id }) => id)] : [name];
  if (known.includes(found.id) && clientDrivers.has(found.family)) return found;
  throw new H2h3Error('bad-input', `${host} gave another client than ${name}: ${found.id} (${found.family})`);
}
