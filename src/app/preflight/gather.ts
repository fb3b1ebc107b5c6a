import { availableParallelism } from 'node:os';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { listClients } from '../../../harness/clients/list-clients.ts';
import { lookForClient, requireClientName, resolveClient } from '../../../harness/clients/resolve-client.ts';
import { networkProviders } from '../../../harness/network/registry.ts';
import { proxyNamed } from '../../../harness/proxies/registry.ts';
import { serverNamed } from '../../../harness/servers/registry.ts';
import { ensureFfmpeg } from '../../../harness/tools/ffmpeg.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { Plan, PlannedTrial } from '../../model/plan.ts';
import { closeCpuShares, openCpuShares } from '../run/cpu-shares.ts';
import { fetchedPlayer } from '../run/prepare-run.ts';
import type { Facts, Lacking, ServerPlaces } from './facts.ts';
import { oneLineProgress } from './one-line-progress.ts';

/** What a machine has of what a plan needs. */
export interface Gathered extends Pick<
  Facts,
  | 'setup'
  | 'cpuCount'
  | 'clients'
  | 'clientsHere'
  | 'servers'
  | 'serverPlaces'
  | 'proxies'
  | 'players'
  | 'networks'
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
  readonly gather: (plan: Plan, fetches: boolean) => Promise<Gathered>;
}

export function thisMachine(setup: SetupContext): Machine {
  const gather: Machine['gather'] = async (plan, fetches) => {
    const { trials } = plan;
    let clientsHere: Promise<readonly ClientIdentity[]> | undefined;
    const beside = oneLineProgress(setup.progress);
    const work = <Result>(look: (own: SetupContext) => Promise<Result>): Promise<Result> =>
      beside((progress) => look({ ...setup, progress }));
    // What is missing is fetched and built all at once: each waits for the network or for a CPU of its own.
    const [servers, proxies, players, networks, found, ffmpeg] = await Promise.all([
      work((own) => lackingOf(serverNamed, namesOf(trials, ofServer), fetches, own)),
      work((own) => lackingOf(proxyNamed, namesOf(trials, ofProxies), fetches, own)),
      work((own) => lackingOf(playerSoftware, namesOf(trials, ofPlayers), fetches, own)),
      work((own) => lackingNetworks(plan, fetches, own)),
      work((own) =>
        clientsNamed(
          namesOf(trials, ({ client }) => [client]),
          fetches,
          own,
        ),
      ),
      work((own) => ffmpegFor(plan, fetches, own)),
    ]);
    return {
      setup,
      servers,
      serverPlaces: await placesOf(namesOf(trials, ofServer), setup),
      proxies,
      players,
      networks,
      ...found,
      ffmpeg,
      cpuCount: availableParallelism(),
      clientsHere: () => (clientsHere ??= listedClients(setup)),
      cpuShares: await faultOf(async () =>
        closeCpuShares(await openCpuShares(trials, `try-${process.pid}`, setup)),
      ),
    };
  };
  return { setup, gather };
}

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

async function lackingOf(
  softwareOf: (name: string) => { readonly ensure: (setup: SetupContext) => Promise<unknown> } | undefined,
  named: ReadonlySet<string>,
  fetches: boolean,
  setup: SetupContext,
): Promise<Lacking> {
  const lacking = new Map<string, H2h3Error>();
  if (!fetches) return lacking;
  for (const name of named) {
    const fault = await faultOf(async () => softwareOf(name)?.ensure(setup));
    if (fault !== null) lacking.set(name, fault);
  }
  return lacking;
}

/** Looked at only where a version is named: plain names are programs of their own. */
async function placesOf(names: ReadonlySet<string>, setup: SetupContext): Promise<ServerPlaces> {
  const places = new Map<string, string>();
  if (![...names].some((name) => name.includes('@'))) return places;
  for (const name of names) {
    const found = await serverNamed(name)?.find(setup);
    if (found !== undefined) places.set(name, found.place);
  }
  return places;
}

async function lackingNetworks(plan: Plan, builds: boolean, setup: SetupContext): Promise<Lacking> {
  const named = namesOf(plan.trials, ({ network }) => network.split('/'));
  const setsOffloads = plan.trials.some(({ factors }) => factors.offloads !== undefined);
  const lacking = new Map<string, H2h3Error>();
  for (const provider of networkProviders(setup, plan.customNetworks)) {
    if (!named.has(provider.id)) continue;
    const fault = await faultOf(async () => provider.require?.({ setsOffloads, builds }));
    if (fault !== null) lacking.set(provider.id, fault);
  }
  return lacking;
}

/** Each client that was found, or why it cannot be had; `best` by the name of what it means here. */
async function clientsNamed(
  names: ReadonlySet<string>,
  fetches: boolean,
  setup: SetupContext,
): Promise<Pick<Gathered, 'clients' | 'best'>> {
  const clients = new Map<string, ClientIdentity | H2h3Error>();
  let best: string | undefined;
  for (const name of names) {
    const found = await clientNamed(name, fetches, setup);
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
  setup: SetupContext,
): Promise<string | H2h3Error | null> {
  if (!fetches || !workloads.some(({ kind }) => kind === 'video')) return null;
  let version: string | null = null;
  const fault = await faultOf(async () => {
    version = (await ensureFfmpeg(setup)).version;
  });
  return fault ?? version;
}
