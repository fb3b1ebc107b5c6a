import { ClientClock } from '../../../harness/hosts/client-clock.ts';
import {
  linkFromClient,
  linkFromProxy,
  linkToFar,
  linkToHere,
  type LinkFromClient,
} from '../../../harness/hosts/client-link.ts';
import { ClientPlace, requireOwnAddress } from '../../../harness/hosts/client-place.ts';
import { FarHost, type FarHostOptions } from '../../../harness/hosts/far-host.ts';
import { FarLink, realLink } from '../../../harness/hosts/far-link.ts';
import { FarPlace } from '../../../harness/hosts/far-place.ts';
import type { FarRole } from '../../../harness/hosts/far-protocol.ts';
import { farResolvers } from '../../../harness/hosts/far-resolver.ts';
import { farServers } from '../../../harness/hosts/far-server.ts';
import { farWorkers } from '../../../harness/hosts/far-worker.ts';
import { foreignText } from '../../../harness/hosts/foreign-text.ts';
import { networkBefore } from '../../../harness/hosts/network-before.ts';
import { networkThere } from '../../../harness/hosts/network-there.ts';
import { nicAt, nicTowards } from '../../../harness/hosts/nic.ts';
import { serversByClock, serversHere } from '../../../harness/hosts/servers-here.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import type { NetworkProvider } from '../../../harness/network/network.ts';
import type { ServerProvider } from '../../../harness/servers/server.ts';
import {
  bothElsewhere,
  clientElsewhere,
  serverElsewhere,
  type Pinning,
} from '../../../harness/testbed/pinning.ts';
import type { ProxyWay, TestbedsOptions } from '../../../harness/testbed/testbed.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import type { RunnerOptions } from '../../../harness/trial/runner.ts';
import type { OtherHost, OtherMachineFacts } from '../../core/model/environment.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { RunScope } from '../../core/system/processes/run-scope.ts';
import type { AppContext } from '../app-context.ts';

/** A link between two machines. */
export type MeasuredLink = Pick<FarLink, 'measure'>;

/** The other machines of a run, and how parts of the run are made when one has the servers, one the clients, or each has its own. */
export interface OtherMachines {
  readonly hosts: readonly FarHost[];
  readonly pinning: Pinning;
  /** @param here those of this machine alone */
  readonly networks: (here: readonly NetworkProvider[]) => readonly NetworkProvider[];
  readonly servers: (role: FarRole, here: readonly ServerProvider[]) => readonly ServerProvider[];
  /** Of proxies on a machine of their own; absent: they are with the servers. */
  readonly proxyWay?: (here: readonly NetworkProvider[]) => ProxyWay;
  /** Absent: resolvers start here. */
  readonly startResolver?: NonNullable<TestbedsOptions['startResolver']>;
  /** Absent: clients start here. */
  readonly clientMachine?: NonNullable<RunnerOptions['clientMachine']>;
  /** The link by which clients reach what is behind a network; no server has the port while it is measured. */
  readonly linkBehind: (networkId: string) => MeasuredLink;
  readonly facts: () => Promise<OtherMachineFacts>;
}

export interface OtherMachinesOptions extends Pick<RunScope, 'tempDir' | 'environment'> {
  readonly port: number;
  readonly setup: SetupContext;
  readonly headed: boolean;
}

/**
 * Connects to the machines on which servers of the plan run, and has their port there, and on which clients do.
 *
 * @returns undefined where all are on this machine
 * @throws H2h3Error as `FarHost.open`; `unsupported` where clients of the machine do not reach this one
 */
export async function openOtherMachines(
  { hosts = {}, customNetworks = [] }: Plan,
  options: OtherMachinesOptions,
  context: AppContext,
): Promise<OtherMachines | undefined> {
  const { server, proxy, client } = hosts;
  const { port, setup } = options;
  requireUnseenThere(hosts, options.headed);
  const opened: FarHost[] = [];
  const open = async (name: string, starts: Starts): Promise<FarHost> => {
    const host = await connect(name, starts, options, context);
    opened.push(host);
    return host;
  };
  const shaped: Shaped = (network, link) => networkThere(network, customNetworks, link, setup);
  try {
    const serving = server === undefined ? undefined : await open(server, { port });
    const loading = client === undefined ? undefined : await open(client, { startsClients: true });
    const proxying = proxy === undefined ? undefined : await open(proxy, { port });
    requireApart(serving, proxying);
    if (loading === undefined) return serving && withServers({ serving, proxying }, port, setup);
    if (serving !== undefined) return withBoth(serving, loading, port, shaped);
    requireOwnAddress(loading.hello, loading.host);
    return withClients(loading, port, shaped);
  } catch (thrown) {
    for (const host of opened) await host.close();
    throw thrown;
  }
}

type Starts = Pick<FarHostOptions, 'port' | 'startsClients'>;
/** An emulated network on the clients' machine. */
type Shaped = (network: NetworkProvider, link: LinkFromClient) => NetworkProvider;

function connect(
  name: string,
  starts: Starts,
  { tempDir, environment }: OtherMachinesOptions,
  context: AppContext,
): Promise<FarHost> {
  context.progress.reporter({ title: `Connecting to ${name}` });
  return FarHost.open({
    host: name,
    ...starts,
    folder: tempDir,
    environment: { ...context.environment, ...environment },
    say: (title) => context.progress.reporter({ title }),
    tell: (line) => context.progress.say(line),
    signal: context.signal,
  });
}

/** @throws H2h3Error `unsupported` where browsers are to be shown on another machine */
export function requireUnseenThere({ client }: NonNullable<Plan['hosts']>, headed: boolean): void {
  if (client === undefined || !headed) return;
  throw new H2h3Error('unsupported', `a browser on ${client} cannot be shown`, {
    next: 'Leave --headed out.',
  });
}

/** Both would want the port of the one machine. @throws H2h3Error `usage` */
function requireApart(serving: FarHost | undefined, proxying: FarHost | undefined): void {
  if (serving === undefined || proxying === undefined) return;
  if (serving.hello.address !== proxying.hello.address) return;
  throw new H2h3Error(
    'usage',
    `${proxying.host} and ${serving.host} are one machine, at ${serving.hello.address}`,
    {
      next: 'Leave out the machine of the proxies: they start with the servers.',
    },
  );
}

interface ServingHosts {
  readonly serving: FarHost;
  /** Undefined: proxies are with the servers. */
  readonly proxying: FarHost | undefined;
}

function withServers({ serving, proxying }: ServingHosts, port: number, setup: SetupContext): OtherMachines {
  const place = new FarPlace(serving, port);
  const link = new FarLink(place);
  const hosts = proxying === undefined ? [serving] : [serving, proxying];
  const own = linkAfterTrials(link, ...hosts);
  const proxies = proxying === undefined ? undefined : proxiesOn(proxying, { port, setup, link });
  return {
    hosts,
    pinning: serverElsewhere,
    networks: (here) => networksBefore(here, link, setup),
    servers: (role, here) => farServers(role, here, (role === 'proxy' ? proxies?.place : undefined) ?? place),
    ...(proxies === undefined ? {} : { proxyWay: proxies.way }),
    startResolver: farResolvers(place),
    linkBehind: (networkId) => (isOfProxies(networkId) ? proxies?.link : undefined) ?? own,
    facts: async () => {
      const clientNic = await nicTowards(serving.hello.address);
      return {
        serverHost: { ...(await toldBy(serving)), ...(clientNic === undefined ? {} : { clientNic }) },
        ...(proxying === undefined ? {} : { proxyHost: await toldBy(proxying) }),
      };
    },
  };
}

/** Where proxies and the server behind them are together they are joined by the loopback. */
const networksBefore = (
  here: readonly NetworkProvider[],
  link: FarLink,
  setup: SetupContext,
): readonly NetworkProvider[] => [
  ...here.map((network) => (network === loopback ? network : networkBefore(network, setup, link))),
  realLink(link),
];

interface ProxiesElsewhere {
  readonly place: FarPlace;
  readonly way: NonNullable<OtherMachines['proxyWay']>;
  readonly link: MeasuredLink;
}

/** Of several links one after the other, as only a way with a proxy has. */
const isOfProxies = (networkId: string): boolean => networkId.includes('/');

/** Where proxies are on a machine of their own, and how their ways begin and end. @param link to the servers */
function proxiesOn(
  host: FarHost,
  { port, setup, link }: { readonly port: number; readonly setup: SetupContext; readonly link: FarLink },
): ProxiesElsewhere {
  const place = new FarPlace(host, port);
  const toProxies = new FarLink(place);
  return {
    place,
    link: linkAfterTrials(toProxies, host),
    way: (here) => ({
      toProxy: new Map(networksBefore(here, toProxies, setup).map((network) => [network.id, network])),
      toServer: linkFromProxy(linkToFar(host, link)),
    }),
  };
}

function withClients(host: FarHost, port: number, shaped: Shaped): OtherMachines {
  const place = new ClientPlace(host, port);
  const link = linkToHere(place);
  const after = linkAfterTrials(link, host);
  return {
    hosts: [host],
    pinning: clientElsewhere,
    networks: (here) => networksFrom(link, here, shaped),
    servers: (_role, here) => serversHere(here, place),
    clientMachine: { startWorker: farWorkers(place), cpuCount: host.hello.machine.cpuCount },
    linkBehind: () => after,
    facts: async () => {
      const serverNic = await nicAt(place.address, host.hello.address);
      return { clientHost: { ...(await toldBy(host)), ...(serverNic === undefined ? {} : { serverNic }) } };
    },
  };
}

/** Clients of one machine reach the servers of another by their own link; this machine sees nothing of it. */
function withBoth(serving: FarHost, loading: FarHost, port: number, shaped: Shaped): OtherMachines {
  const clock = new ClientClock(loading);
  const place = new FarPlace(serving, port, clock);
  const link = linkToFar(loading, new FarLink(place));
  const after = linkAfterTrials(link, serving, loading);
  return {
    hosts: [serving, loading],
    pinning: bothElsewhere,
    networks: (here) => networksFrom(link, here, shaped),
    servers: (role, here) => serversByClock(farServers(role, here, place), clock),
    clientMachine: {
      startWorker: farWorkers({ host: loading, clock }),
      cpuCount: loading.hello.machine.cpuCount,
    },
    linkBehind: () => after,
    facts: async () => ({ serverHost: await toldBy(serving), clientHost: await toldBy(loading) }),
  };
}

/** Where servers are, a proxy and the server behind it are joined by the loopback. */
const networksFrom = (
  link: LinkFromClient,
  here: readonly NetworkProvider[],
  shaped: Shaped,
): readonly NetworkProvider[] => [
  ...here.map((network) => (network === loopback ? network : shaped(network, link))),
  linkFromClient(link),
];

/** What the machine told of itself, for the environment of the run. */
async function toldBy(far: FarHost): Promise<OtherHost> {
  const { hostName, machine, node, nic } = far.hello;
  // What it said first waited for the program to start.
  const { clock } = await far.ask('ping', {});
  return {
    host: far.host,
    hostName,
    machine,
    node,
    clockOffsetMs: clock.offsetMs,
    clockBoundMs: clock.boundMs,
    ...(nic === null ? {} : { nic }),
  };
}

/** Looks at each machine for a second; what is wrong is said at once and returned for the run's warnings. */
export async function noiseOfOtherMachines(
  hosts: readonly FarHost[],
  { progress }: AppContext,
): Promise<string[]> {
  const noise = async (host: FarHost): Promise<string[]> =>
    (await host.ask('noise', {})).answered.disturbances.map(
      (line) => `${foreignText(line)} (on ${host.host})`,
    );
  const warnings = (await Promise.all(hosts.map(noise))).flat();
  warnings.forEach((line) => progress.say(`warning: ${line}`));
  return warnings;
}

/** Why one of them is not reached any more; undefined while all are. */
export const anyLost = (hosts: readonly FarHost[]): H2h3Error | undefined =>
  hosts.map((host) => host.lost()).find((lost) => lost !== undefined);

/** Whether what could not be started is tried again: another machine was not reached, or gave an answer that is none. */
export const isOfMoment = (hosts: readonly FarHost[], cause: H2h3Error): boolean =>
  anyLost(hosts) !== undefined || (hosts.length > 0 && cause.code === 'bad-input');

/**
 * Where the connection to one of them was lost: connects again.
 *
 * @throws H2h3Error as `FarHost.requireConnected`
 */
export async function requireAllConnected(hosts: readonly FarHost[]): Promise<void> {
  for (const host of hosts) await host.requireConnected();
}

/**
 * What the link does when all trials are over. It connects again where that was lost: only a new connection clears what a
 * machine has left whose every process was killed. Measuring throws an H2h3Error as `FarHost.requireConnected` and `FarLink.measure`.
 */
export function linkAfterTrials(link: MeasuredLink, ...hosts: readonly FarHost[]): MeasuredLink {
  return {
    measure: async () => {
      await requireAllConnected(hosts);
      return link.measure();
    },
  };
}
