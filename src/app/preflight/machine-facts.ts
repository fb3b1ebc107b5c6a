import { availableParallelism } from 'node:os';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { listClients } from '../../../harness/clients/list-clients.ts';
import { lookForClient, requireClientName, resolveClient } from '../../../harness/clients/resolve-client.ts';
import type { LinkSettings } from '../../../harness/network/network.ts';
import { hasV6 } from '../../../harness/network/path-ends.ts';
import { ipv6Lack } from '../../../harness/network/shaped-network.ts';
import { networksOfPlan } from './networks-of-plan.ts';
import { proxyNamed } from '../../../harness/proxies/registry.ts';
import { serverNamed } from '../../../harness/servers/registry.ts';
import { ensureFfmpeg } from '../../../harness/tools/ffmpeg.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { productOf } from '../../../harness/tools/versions/program-name.ts';
import { valuesFor } from '../../core/factors/values.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { closeCpuShares, openCpuShares } from './open-cpu-shares.ts';
import { fetchedPlayer, playerHere } from '../versions/fetched-player.ts';
import { lookAtClientHost } from './client-host.ts';
import { lookAtServerHost } from './server-host.ts';
import type { Facts, Lacking, Places, ProgramPlaces } from './facts.ts';
import { oneLineProgress } from './one-line-progress.ts';

/** What a machine has of what a plan needs. */
export interface MachineFacts extends Pick<
  Facts,
  | 'setup'
  | 'cpuCount'
  | 'clients'
  | 'clientsHere'
  | 'servers'
  | 'serverHost'
  | 'clientHost'
  | 'programPlaces'
  | 'proxies'
  | 'players'
  | 'networks'
  | 'ipv6'
  | 'cpuShares'
  | 'ffmpeg'
> {
  /** The client that `best` means here; undefined where the plan does not name it, or there is none. */
  readonly best: string | undefined;
}

/** What is looked at. */
export interface Machine {
  readonly setup: SetupContext;
  /** @param fetches whether what is missing and can be fetched is fetched; otherwise it counts as here */
  readonly gather: (plan: Plan, fetches: boolean) => Promise<MachineFacts>;
}

/** Runs a work once for each key: who asks again gets the same answer. */
type Once = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

function rememberedWorks(): Once {
  const works = new Map<string, Promise<unknown>>();
  return <Result>(key: string, work: () => Promise<Result>) => {
    const known = works.get(key) ?? work();
    works.set(key, known);
    return known as Promise<Result>;
  };
}

/**
 * This machine, each of whose components is looked for once, and fetched once.
 *
 * @param ipv6 why no link here has addresses of IPv6; null where one can
 */
export function thisMachine(setup: SetupContext, ipv6 = ipv6Lack()): Machine {
  const once = rememberedWorks();
  const gather: Machine['gather'] = async (plan, fetches) => {
    const { trials } = plan;
    let clientsHere: Promise<readonly ClientIdentity[]> | undefined;
    const shared = oneLineProgress(setup.progress);
    const work: Lookup = (what, name, look) =>
      once(JSON.stringify([what, name, fetches]), () => shared((progress) => look({ ...setup, progress })));
    // Servers and proxies of another machine are looked for there.
    const servedHere = plan.hosts?.server === undefined ? trials : [];
    // What is missing is fetched and built all at once: each waits for the network or for a CPU of its own.
    const [servers, serverHost, proxies, players, found, ffmpeg] = await Promise.all([
      lackingOf(serverNamed, namesOf(servedHere, ofServer), fetches, work),
      work(
        'server host',
        JSON.stringify([plan.hosts, ...[ofServer, ofProxies].map((names) => [...namesOf(trials, names)])]),
        (own) => lookAtServerHost(plan, fetches, own),
      ),
      lackingOf(proxyNamed, namesOf(servedHere, ofProxies), fetches, work),
      lackingOf(playerSoftware, namesOf(trials, ofPlayers), fetches, work),
      clientSide(plan, { builds: fetches, ipv6 }, work),
      ffmpegFor(plan, fetches, work),
    ]);
    return {
      setup,
      servers,
      serverHost,
      programPlaces: await programPlaces(trials, setup),
      proxies,
      players,
      ipv6,
      ...found,
      ffmpeg,
      cpuCount: found.clientHost?.cpuCount ?? availableParallelism(),
      clientsHere: () => (clientsHere ??= plan.hosts?.client === undefined ? listedClients(setup) : none),
      cpuShares: await faultOf(async () =>
        closeCpuShares(await openCpuShares(trials, `try-${process.pid}`, setup)),
      ),
    };
  };
  return { setup, gather };
}

const none: Promise<readonly ClientIdentity[]> = Promise.resolve([]);

async function listedClients(setup: SetupContext): Promise<readonly ClientIdentity[]> {
  return (await listClients(setup)).flatMap(({ found }) => found ?? []);
}

const ofServer = ({ server }: PlannedTrial): string[] => [server];
const ofProxies = ({ factors }: PlannedTrial): string[] => factors.proxy?.split('/') ?? [];
const ofPlayers = ({ factors }: PlannedTrial): string[] => [factors.player ?? []].flat();

/** What fetches a player. */
const playerSoftware = (name: string): { readonly ensure: (setup: SetupContext) => Promise<unknown> } => ({
  ensure: (setup) => fetchedPlayer(name, setup),
});

function namesOf(
  trials: readonly PlannedTrial[],
  names: (trial: PlannedTrial) => readonly string[],
): Set<string> {
  return new Set(trials.flatMap(names));
}

/** Null where it succeeds, or the machine's own fault. @throws anything else */
async function faultOf(work: () => Promise<unknown>): Promise<H2h3Error | null> {
  try {
    await work();
    return null;
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code !== 'interrupted') return thrown;
    throw thrown;
  }
}

/** Looks for one component, or fetches it, together with all others; its progress is in their line. */
type Lookup = <Result>(
  what: string,
  name: string,
  look: (own: SetupContext) => Promise<Result>,
) => Promise<Result>;

async function lackingOf(
  softwareOf: (name: string) => { readonly ensure: (setup: SetupContext) => Promise<unknown> } | undefined,
  named: ReadonlySet<string>,
  fetches: boolean,
  work: Lookup,
): Promise<Lacking> {
  if (!fetches) return new Map();
  return faultsOf([...named], (name) =>
    work('software', name, (own) => faultOf(async () => softwareOf(name)?.ensure(own))),
  );
}

/** Those that failed, by name; all are tried at once. */
async function faultsOf(
  names: readonly string[],
  attempt: (name: string) => Promise<H2h3Error | null>,
): Promise<Lacking> {
  const tried = await Promise.all(names.map(async (name) => [name, await attempt(name)] as const));
  return new Map(tried.flatMap(([name, fault]) => (fault === null ? [] : [[name, fault] as const])));
}

/** Servers and proxies by the version that answers: one that was fetched by name may lie next to the usual one. */
async function programPlaces(trials: readonly PlannedTrial[], setup: SetupContext): Promise<ProgramPlaces> {
  const answering =
    (named: typeof serverNamed) =>
    async (name: string): Promise<string | undefined> => {
      const found = await named(name)?.find(setup);
      return found === undefined ? undefined : `${productOf(name)} ${found.version}`;
    };
  return {
    server: await placesOf(namesOf(trials, ofServer), answering(serverNamed)),
    proxy: await placesOf(namesOf(trials, ofProxies), answering(proxyNamed)),
    player: await placesOf(
      namesOf(trials, ofPlayers),
      async (name) => (await playerHere(name, setup))?.directory,
    ),
  };
}

/** Looked at only where a version is named: plain names are programs of their own. */
async function placesOf(
  names: ReadonlySet<string>,
  placeOf: (name: string) => Promise<string | undefined>,
): Promise<Places> {
  const places = new Map<string, string>();
  if (![...names].some((name) => name.includes('@'))) return places;
  for (const name of names) {
    const place = await placeOf(name);
    if (place !== undefined) places.set(name, place);
  }
  return places;
}

interface NetworksLookedAt {
  readonly builds: boolean;
  readonly ipv6: H2h3Error | null;
}

/** What a plan asks of networks: their names, and what trials set them to. */
function networksWanted(
  { trials }: Plan,
  ipv6: H2h3Error | null,
): { readonly named: ReadonlySet<string>; readonly settings: readonly LinkSettings[] } {
  const set = new Map(
    trials.map(({ factors }) => {
      const settings = valuesFor(['link'], factors);
      return [JSON.stringify(settings), settings];
    }),
  );
  return {
    named: namesOf(trials, ({ network }) => network.split('/')),
    // Without IPv6 a network is there all the same, for arms that do not ask for it.
    settings: [...set.values()].filter((link) => ipv6 === null || !hasV6(link)),
  };
}

async function lackingNetworks(
  plan: Plan,
  { builds, ipv6 }: NetworksLookedAt,
  work: Lookup,
): Promise<Lacking> {
  const { named, settings } = networksWanted(plan, ipv6);
  return work(
    'networks',
    JSON.stringify([[...named], settings, plan.customNetworks, plan.hosts]),
    async (own) => {
      const lacking = new Map<string, H2h3Error>();
      // One after the other: they share what is built for them.
      for (const provider of networksOfPlan(plan, own)) {
        if (!named.has(provider.id)) continue;
        const fault = await faultOf(async () => provider.require?.({ settings, builds }));
        if (fault !== null) lacking.set(provider.id, fault);
      }
      return lacking;
    },
  );
}

/** Clients, and the networks that they go over, where the plan's clients are. */
async function clientSide(
  plan: Plan,
  { builds: fetches, ipv6 }: NetworksLookedAt,
  work: Lookup,
): Promise<Pick<MachineFacts, 'clients' | 'best' | 'networks' | 'clientHost'>> {
  const { hosts, trials, customNetworks: custom = [] } = plan;
  const names = namesOf(trials, ({ client }) => [client]);
  const host = hosts?.client;
  if (host === undefined) {
    const [networks, found] = await Promise.all([
      lackingNetworks(plan, { builds: fetches, ipv6 }, work),
      clientsNamed(names, fetches, work),
    ]);
    return { networks, ...found, clientHost: null };
  }
  const { named, settings } = networksWanted(plan, ipv6);
  const wanted = {
    clients: [...names],
    networks: [...named],
    settings,
    custom,
    fetches,
    isServedHere: hosts?.server === undefined,
  };
  return work('client host', JSON.stringify([host, wanted]), (own) => lookAtClientHost(host, wanted, own));
}

async function clientsNamed(
  names: ReadonlySet<string>,
  fetches: boolean,
  work: Lookup,
): Promise<Pick<MachineFacts, 'clients' | 'best'>> {
  const clients = new Map<string, ClientIdentity | H2h3Error>();
  let best: string | undefined;
  const looked = await Promise.all(
    [...names].map(
      async (name) => [name, await work('client', name, (own) => clientNamed(name, fetches, own))] as const,
    ),
  );
  for (const [name, found] of looked) {
    if (name === 'best' && !(found instanceof H2h3Error)) best = found?.id ?? 'embedded';
    if (found !== undefined) clients.set(name === 'best' ? (best ?? name) : name, found);
  }
  return { clients, best };
}

/** Undefined for one that is to be fetched yet, and for a name that is none. */
async function clientNamed(
  name: string,
  fetches: boolean,
  setup: SetupContext,
): Promise<ClientIdentity | H2h3Error | undefined> {
  if ((await faultOf(() => requireClientName(name, setup))) !== null) return undefined;
  let found: ClientIdentity | undefined;
  const fault = await faultOf(async () => {
    found = fetches ? await resolveClient(name, setup) : await lookForClient(name, setup);
  });
  return fault ?? found;
}

/** The version of ffmpeg where videos are to be made; null where none is needed, or it is to be fetched yet. */
async function ffmpegFor(
  { workloads }: Plan,
  fetches: boolean,
  work: Lookup,
): Promise<string | H2h3Error | null> {
  if (!fetches || !workloads.some(({ kind }) => kind === 'video')) return null;
  return work('ffmpeg', '', async (own) => {
    let version: string | null = null;
    const fault = await faultOf(async () => {
      version = (await ensureFfmpeg(own)).version;
    });
    return fault ?? version;
  });
}
