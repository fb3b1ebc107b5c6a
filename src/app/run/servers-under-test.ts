import { join } from 'node:path';
import {
  startServerUnderTest,
  type RunningServerUnderTest,
  type ServerUnderTestRequest,
} from '../../../harness/servers/server-under-test.ts';
import {
  endAbandonedContainers,
  engineOf,
  removalOf,
  withRunLabel,
} from '../../../harness/servers/containers.ts';
import type { Pinning } from '../../../harness/testbed/pinning.ts';
import {
  appPlaces,
  buildNames,
  type AppOptions,
  type BuildName,
  type RunningBuild,
} from '../../core/model/app-under-test.ts';
import type { LiveAccess } from '../../core/model/live-access.ts';
import { connectTarget, serversUnderTest, type ServerUnderTest } from '../../core/model/live-address.ts';
import type { Plan } from '../../core/model/plan.ts';
import { secretsOfEnvironment } from '../../core/model/secrets.ts';
import { chooseAnyPort } from '../../core/system/free-port.ts';
import { pinPrefix } from '../../core/system/processes/cpu-affinity.ts';
import type { RunScope } from '../../core/system/processes/run-scope.ts';
import type { AppContext } from '../app-context.ts';
import { directEnvironment } from '../../core/system/processes/trial-environment.ts';

/** The servers that a run starts by command lines of the user, and ends. */
export interface ServersUnderTest {
  /** The builds of an app among them, where they listen. */
  readonly builds: readonly Pick<RunningBuild, 'name' | 'origin'>[];
  /** @throws H2h3Error `process-failed` naming the one that does not run any more */
  requireAlive(): Promise<void>;
  stop(): Promise<void>;
}

type Started = Pick<ServerUnderTest, 'command'>;

/** Program and arguments; containers among them are marked as this run's. */
function wordsOf({ command }: Started, runId: string): readonly string[] {
  const marked = withRunLabel(command, runId);
  return typeof marked === 'string' ? ['/bin/sh', '-c', marked] : marked;
}

/** A run that was killed may have left what would answer in the place of this one's servers. */
async function clearPlace(servers: readonly Started[], { runId, reaper }: RunScope): Promise<void> {
  const engines = servers
    .flatMap(({ command }) => [engineOf(command) ?? []])
    .filter(({ length }) => length > 0);
  for (const engine of engines) {
    reaper.runAtEnd(removalOf(engine, runId));
    await endAbandonedContainers(engine);
  }
}

const protocolsOf = ({ protocol }: ServerUnderTest): ('h2' | 'h3')[] => [protocol].flat();

interface ServerPlace {
  readonly scope: RunScope;
  /** What opens its pages, and is in no message. */
  readonly access: LiveAccess | undefined;
  /** Null: any. */
  readonly cpus: Pinning['serverCpus'];
}

/** A server of the plan, and how it is started. */
interface PlannedServer {
  readonly server: Pick<ServerUnderTest, 'command' | 'readyWithinSeconds'>;
  /** For people: `the server under test`. */
  readonly name: string;
  readonly ready: ServerUnderTestRequest['ready'];
  readonly speaks: ServerUnderTestRequest['speaks'];
  readonly protocols: ServerUnderTestRequest['protocols'];
  readonly environment: Readonly<Record<string, string>>;
  /** What helps where it is never ready. */
  readonly next?: string;
}

type PlanOfServers = Pick<Plan, 'live' | 'urls' | 'app'>;

function plannedServers({ live = {}, urls, app }: PlanOfServers): PlannedServer[] {
  const at = readyTarget(live.connectTo ?? []);
  const pages = app === undefined || app.builds !== undefined ? urls : appPages(app);
  const [address = ''] = pages;
  return serversUnderTest(live).map((server) => {
    const ready = server.ready ?? address;
    return {
      server,
      name: 'the server under test',
      ready: at(ready),
      speaks: at(ready.startsWith('http:') ? address || ready : ready),
      protocols: app === undefined ? protocolsOf(server) : [],
      environment: {},
    };
  });
}

const appPages = ({ addresses }: AppOptions): string[] => appPlaces(addresses).pages.map(({ href }) => href);

/** Where a build listens, by its own word or at a port that it is given. */
interface PlacedBuild extends PlannedServer {
  readonly build: BuildName;
  readonly origin: string;
}

async function placedBuilds({ app }: PlanOfServers): Promise<PlacedBuild[]> {
  if (app?.builds === undefined) return [];
  const { builds } = app;
  const at = readyTarget([]);
  const [path = '/'] = app.addresses;
  const placed: PlacedBuild[] = [];
  for (const build of buildNames) {
    const server = builds[build];
    const port = server.origin === undefined ? String(await chooseAnyPort()) : undefined;
    const origin = server.origin?.replace(/\/$/, '') ?? `http://localhost:${port}`;
    const ready = at(new URL(path, origin).href);
    placed.push({
      server,
      build,
      origin,
      name: `the ${build} build`,
      ready,
      speaks: ready,
      protocols: [],
      environment: port === undefined ? {} : { PORT: port },
      next:
        port === undefined
          ? `--${build} says where it listens. Correct it, or leave it out and have the command listen at the port in its variable PORT.`
          : `Have the command listen at the port in its variable PORT, or say where it listens: --${build} http://localhost:3000.`,
    });
  }
  return placed;
}

/** Starts them one after the other. @throws H2h3Error as `startServerUnderTest`; nothing is left running then */
export async function startServersUnderTest(
  plan: PlanOfServers,
  place: ServerPlace,
  context: AppContext,
): Promise<ServersUnderTest> {
  const running: RunningServerUnderTest[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(running.map((server) => server.stop())));
  const builds = await placedBuilds(plan);
  const servers = [...plannedServers(plan), ...builds];
  await clearPlace(
    servers.map(({ server }) => server),
    place.scope,
  );
  try {
    for (const [index, planned] of servers.entries())
      running.push(await started(planned, index, place, context));
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return {
    builds: builds.map(({ build, origin }) => ({ name: build, origin })),
    requireAlive: async () => void (await Promise.all(running.map((server) => server.requireAlive()))),
    stop,
  };
}

function started(
  { server, ...planned }: PlannedServer,
  index: number,
  { scope, cpus, access }: ServerPlace,
  { progress, signal, environment }: AppContext,
): Promise<RunningServerUnderTest> {
  progress.reporter({ title: `Waiting for ${planned.name}` });
  const command = [server.command].flat().join(' ');
  return startServerUnderTest({
    ...planned,
    command,
    secrets: [...(access?.secrets ?? []), ...secretsOfEnvironment(environment, command)],
    words: [...pinPrefix(cpus), ...wordsOf(server, scope.runId)],
    limitMs: server.readyWithinSeconds * 1000,
    environment: { ...directEnvironment(environment), ...scope.environment, ...planned.environment },
    logFile: join(scope.tempDir, `server-under-test-${index}.log`),
    signal,
  });
}

const readyTarget =
  (connectTo: readonly string[]) =>
  (address: string): ServerUnderTestRequest['ready'] => {
    const url = new URL(address);
    return { url, ...connectTarget(url, connectTo) };
  };
