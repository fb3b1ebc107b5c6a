import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linkPlace } from '../../../harness/network/host-setup.ts';
import { leadPortsAcross } from '../../../harness/network/local-ports.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import type {
  LinkSettings,
  NetworkProvider,
  PathCheckUse,
  RunningNetwork,
} from '../../../harness/network/network.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { openStartSignal } from '../../../harness/trial/start-signal.ts';
import type { NetworkDescription } from '../../core/model/environment.ts';
import type { PathCheckDepth } from '../../core/model/path-check-depth.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { overfullBy } from '../../core/model/path-room.ts';
import type { LinkFigures } from '../../core/model/schedule.ts';
import type { LinkFlow } from '../../core/model/raw-trial.ts';
import { parseInterfaces } from '../../core/system/interface-counters.ts';
import type { RunScope } from '../../core/system/processes/run-scope.ts';
import { startFarServer } from './far-server.ts';
import { noNetwork } from './network-named.ts';
import { ownNetworkName } from './own-network.ts';
import { lackOfWorld, type WorldUse } from './world.ts';

export interface PathRequest {
  readonly provider: NetworkProvider;
  readonly settings: LinkSettings;
  readonly check: PathCheckUse;
  /** Default: `full`. */
  readonly checkDepth?: PathCheckDepth;
  /** Ports of this machine's loopback that the near end reaches across the path. */
  readonly localPorts: readonly number[];
  /** Command line of a server at the far end. */
  readonly far: string | undefined;
  readonly world: WorldUse;
  /** What is to run behind it, where that is known. */
  readonly command?: readonly string[];
}

/** A path that is up, with what runs behind it. */
export interface OpenPath {
  readonly description: NetworkDescription;
  /** What it lacks of the world behind this machine, a sentence; null: nothing that was asked for. */
  readonly lack: string | null;
  /** Of a server at the far end. */
  readonly farAddress: string;
  /** Words before a command that is to run at the near end, as the user who asked. */
  readonly prefix: readonly string[];
  /** Variables of such a command, undefined where one is to be absent. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Begins what varies with time, at a place that depends on the seed. */
  begin(seed: number): Promise<void>;
  /** Sets figures of both directions from now on, over the network's own. @throws H2h3Error `unsupported` where that cannot be */
  change(figures: LinkFigures): Promise<void>;
  /** @throws H2h3Error `process-failed` where a process that it needs has ended */
  requireAlive(): void;
  /** Cumulative. */
  counters(): Promise<Record<string, number>>;
  /** Since `begin`; null where the link does not count them. */
  flows(): Promise<readonly LinkFlow[] | null>;
  stop(): Promise<void>;
}

/** What may be left of a path that was asked for while one is opened: it ends from the last to the first. */
type StopStep = () => Promise<void> | void;

/**
 * Opens a path, starts a server at its far end and leads ports of this machine across it, as they are asked for.
 *
 * @throws H2h3Error as the network, the server and the ports do, `unsupported` without a world that is required; nothing of it
 * is up then
 */
export async function openPath(
  request: PathRequest,
  scope: RunScope,
  setup: SetupContext,
): Promise<OpenPath> {
  const { provider, settings, check, checkDepth = 'full', localPorts, far, world, command = [] } = request;
  const { runId, environment, tempDir } = scope;
  const workDir = join(tempDir, 'path');
  await mkdir(workDir, { recursive: true });
  const network = await provider.start({
    runId,
    workDir,
    hosts: [],
    tcpCongestionControl: null,
    environment,
    cpus: null,
    settings,
    outside: world === 'none' ? 'names' : 'where-possible',
    check,
    checkDepth,
    // Who writes down times means them from the beginning of the command on.
    schedulesFromStart: provider.id === ownNetworkName,
  });
  const stops: StopStep[] = [() => network.stop()];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).toReversed()) await each();
  };
  try {
    await allowUsual(network);
    const lack = await lackOfWorld(network, { use: world, asks: check !== 'left-out', command }, setup);
    const marks = { ...environment, H2H3_FAR: network.serverAddress };
    if (far !== undefined) stops.push(await startFarServer(far, network, asCaller(network), marks));
    const ports = await leadPortsAcross(network, [...new Set(localPorts)], environment, setup);
    stops.push(ports.stop);
    const crossTraffic = await network.startCrossTraffic?.();
    if (crossTraffic !== undefined) stops.push(crossTraffic.stop);
    const requireAlive = (): void => {
      network.requireAlive?.();
      ports.requireAlive();
    };
    return opened(network, { lack, requireAlive, stop });
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

function opened(
  network: RunningNetwork,
  { lack, requireAlive, stop }: Pick<OpenPath, 'lack' | 'requireAlive' | 'stop'>,
): OpenPath {
  return {
    description: network.description,
    lack,
    farAddress: network.serverAddress,
    prefix: [...network.clientPrefix, ...asCaller(network)],
    environment: network.environment ?? {},
    begin: async (seed) => {
      const signal = await openStartSignal(network.startSignal(seed));
      signal.send();
      signal.close();
    },
    change: async (figures) => {
      if (network.change === undefined)
        throw new H2h3Error(
          'unsupported',
          `the network ${network.description.id === loopback.id ? noNetwork : network.description.id} cannot be changed while it is up`,
        );
      requirePossible(figures, network);
      await network.change(figures);
    },
    requireAlive,
    counters: () => countersOf(network),
    flows: async () => (await network.flows?.()) ?? null,
    stop,
  };
}

/** @throws H2h3Error `usage` where more packets would be under way than a path holds */
function requirePossible(
  { rateMbps, delayMs }: LinkFigures,
  { description: { id, spec } }: RunningNetwork,
): void {
  for (const own of spec === undefined ? [] : [spec.up, spec.down]) {
    const set = { rateMbps: rateMbps ?? own.rateMbps, delayMs: delayMs ?? own.delayMs };
    const overfull = overfullBy({ ...own, ...set });
    if (overfull !== undefined)
      throw new H2h3Error('usage', `the network ${id} cannot be set so: ${overfull.words}`, {
        next: 'Set a lower rate or a shorter delay.',
      });
  }
}

/** In a user namespace everybody is root, which browsers refuse to be; a second one within leads back to the user. */
function asCaller({ description: { privilege } }: RunningNetwork): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  if (privilege !== 'user-namespace' || uid === 0) return [];
  return ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'];
}

/** New namespaces let no ordinary user ping, nor serve at the usual ports. */
async function allowUsual({ ends }: RunningNetwork): Promise<void> {
  const settings = [
    ['ping_group_range', '0 0'],
    ['ip_unprivileged_port_start', '0'],
  ].map(([name, value]) => `echo ${value} > /proc/sys/net/ipv4/${name}`);
  for (const end of ends === undefined ? [] : [ends.near, ends.far])
    await end.script(`{ ${settings.join('; ')}; } 2>/dev/null || true`);
}

/** What the link counts, and what its near end received and sent. */
async function countersOf(network: RunningNetwork): Promise<Record<string, number>> {
  const { ends, description } = network;
  // Without a path all counters are the whole machine's.
  if (description.backend === 'none') return {};
  if (ends === undefined) return network.counters();
  const interfaces = parseInterfaces(await readFile(`/proc/${ends.near.pid}/net/dev`, 'utf8'));
  return { ...interfaces.get(linkPlace(0).deviceName), ...(await network.counters()) };
}
