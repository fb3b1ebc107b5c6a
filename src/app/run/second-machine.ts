import { LinkFromClient, linkFromClient } from '../../../harness/hosts/client-link.ts';
import { ClientPlace, requireOwnAddress } from '../../../harness/hosts/client-place.ts';
import { FarHost } from '../../../harness/hosts/far-host.ts';
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
import { serversHere } from '../../../harness/hosts/servers-here.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import type { NetworkProvider } from '../../../harness/network/network.ts';
import type { ServerProvider } from '../../../harness/servers/server.ts';
import { clientElsewhere, serverElsewhere, type Pinning } from '../../../harness/testbed/pinning.ts';
import type { TestbedsOptions } from '../../../harness/testbed/testbed.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import type { RunnerOptions } from '../../../harness/trial/runner.ts';
import type { Environment, OtherHost, RealLink } from '../../core/model/environment.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { RunScope } from '../../core/system/processes/run-scope.ts';
import type { AppContext } from '../app-context.ts';

/** The other machine of a run, and how parts of the run are made when it has the servers, or the clients. */
export interface SecondMachine {
  readonly host: FarHost;
  readonly pinning: Pinning;
  /** @param here those of this machine alone */
  readonly networks: (here: readonly NetworkProvider[]) => readonly NetworkProvider[];
  readonly servers: (role: FarRole, here: readonly ServerProvider[]) => readonly ServerProvider[];
  /** Absent: resolvers start here. */
  readonly startResolver?: NonNullable<TestbedsOptions['startResolver']>;
  /** Absent: clients start here. */
  readonly clientMachine?: NonNullable<RunnerOptions['clientMachine']>;
  /** What the link does now; no server has the port meanwhile. @throws H2h3Error */
  readonly measureLink: () => Promise<RealLink>;
  readonly facts: () => Promise<Pick<Environment, 'serverHost' | 'clientHost'>>;
}

export interface SecondMachineOptions extends Pick<RunScope, 'tempDir' | 'environment'> {
  readonly port: number;
  readonly setup: SetupContext;
  readonly headed: boolean;
}

/**
 * Connects to the machine on which servers of the plan run, and has their port there, or on which clients do.
 *
 * @returns undefined where both are on this machine
 * @throws H2h3Error as `FarHost.open`; `unsupported` where clients of the machine do not reach this one
 */
export async function openSecondMachine(
  { hosts = {}, customNetworks = [] }: Plan,
  { tempDir, environment, port, setup, headed }: SecondMachineOptions,
  context: AppContext,
): Promise<SecondMachine | undefined> {
  const { server, client } = hosts;
  const name = server ?? client;
  if (name === undefined) return undefined;
  requireUnseenThere(hosts, headed);
  context.progress.reporter({ title: `Connecting to ${name}` });
  const host = await FarHost.open({
    host: name,
    ...(server === undefined ? { startsClients: true } : { port }),
    folder: tempDir,
    environment: { ...context.environment, ...environment },
    say: (title) => context.progress.reporter({ title }),
    tell: (line) => context.progress.say(line),
    signal: context.signal,
  });
  if (server !== undefined) return withServers(host, port, setup);
  try {
    requireOwnAddress(host.hello, name);
  } catch (thrown) {
    await host.close();
    throw thrown;
  }
  return withClients(host, port, (network, link) => networkThere(network, customNetworks, link, setup));
}

/** @throws H2h3Error `unsupported` where browsers are to be shown on another machine */
export function requireUnseenThere({ client }: NonNullable<Plan['hosts']>, headed: boolean): void {
  if (client === undefined || !headed) return;
  throw new H2h3Error('unsupported', `a browser on ${client} cannot be shown`, {
    next: 'Leave --headed out.',
  });
}

function withServers(host: FarHost, port: number, setup: SetupContext): SecondMachine {
  const place = new FarPlace(host, port);
  const link = new FarLink(place);
  return {
    host,
    pinning: serverElsewhere,
    // Over there a proxy and the server behind it are joined by the loopback.
    networks: (here) => [
      ...here.map((network) => (network === loopback ? network : networkBefore(network, setup, link))),
      realLink(link),
    ],
    servers: (role, here) => farServers(role, here, place),
    startResolver: farResolvers(place),
    measureLink: () => linkAfterTrials(link, host),
    facts: async () => {
      const clientNic = await nicTowards(host.hello.address);
      return { serverHost: { ...(await toldBy(host)), ...(clientNic === undefined ? {} : { clientNic }) } };
    },
  };
}

function withClients(
  host: FarHost,
  port: number,
  shaped: (network: NetworkProvider, link: LinkFromClient) => NetworkProvider,
): SecondMachine {
  const place = new ClientPlace(host, port);
  const link = new LinkFromClient(place);
  return {
    host,
    pinning: clientElsewhere,
    // Here a proxy and the server behind it are joined by the loopback.
    networks: (here) => [
      ...here.map((network) => (network === loopback ? network : shaped(network, link))),
      linkFromClient(link),
    ],
    servers: (_role, here) => serversHere(here, place),
    clientMachine: { startWorker: farWorkers(place), cpuCount: host.hello.machine.cpuCount },
    measureLink: () => linkAfterTrials(link, host),
    facts: async () => {
      const serverNic = await nicAt(place.address, host.hello.address);
      return { clientHost: { ...(await toldBy(host)), ...(serverNic === undefined ? {} : { serverNic }) } };
    },
  };
}

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

/** Looks at the machine for a second; what is wrong is said at once and returned for the run's warnings. */
export async function noiseOfSecondMachine(host: FarHost, { progress }: AppContext): Promise<string[]> {
  const { answered } = await host.ask('noise', {});
  const warnings = answered.disturbances.map((line) => `${foreignText(line)} (on ${host.host})`);
  warnings.forEach((line) => progress.say(`warning: ${line}`));
  return warnings;
}

/**
 * What the link to it does when all trials are over. It connects again where that was lost: only a new connection clears what a
 * machine has left whose every process was killed.
 *
 * @throws H2h3Error as `FarHost.requireConnected` and `FarLink.measure`
 */
export async function linkAfterTrials(link: Pick<FarLink, 'measure'>, host: FarHost): Promise<RealLink> {
  await host.requireConnected();
  return link.measure();
}
