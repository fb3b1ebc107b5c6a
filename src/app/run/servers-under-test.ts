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
import { appPlaces } from '../../model/app-under-test.ts';
import type { LiveAccess } from '../../model/live-access.ts';
import { connectTarget, serversUnderTest, type ServerUnderTest } from '../../model/live-address.ts';
import type { Plan } from '../../model/plan.ts';
import { secretsOfEnvironment } from '../../model/secrets.ts';
import { pinPrefix } from '../../system/processes/cpu-affinity.ts';
import type { RunScope } from '../../system/processes/run-scope.ts';
import type { AppContext } from '../app-context.ts';
import { directEnvironment } from '../../system/processes/trial-environment.ts';

/** The servers that a run starts by command lines of the user, and ends. */
export interface ServersUnderTest {
  /** @throws H2h3Error `process-failed` naming the one that does not run any more */
  requireAlive(): Promise<void>;
  stop(): Promise<void>;
}

/** Program and arguments; containers among them are marked as this run's. */
function wordsOf({ command }: ServerUnderTest, runId: string): readonly string[] {
  const marked = withRunLabel(command, runId);
  return typeof marked === 'string' ? ['/bin/sh', '-c', marked] : marked;
}

/** A run that was killed may have left what would answer in the place of this one's servers. */
async function clearPlace(servers: readonly ServerUnderTest[], { runId, reaper }: RunScope): Promise<void> {
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

/** Starts them one after the other. @throws H2h3Error as `startServerUnderTest`; nothing is left running then */
export async function startServersUnderTest(
  { live = {}, urls, app }: Pick<Plan, 'live' | 'urls' | 'app'>,
  { scope, cpus, access }: ServerPlace,
  { progress, signal, environment }: AppContext,
): Promise<ServersUnderTest> {
  const running: RunningServerUnderTest[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(running.map((server) => server.stop())));
  const servers = serversUnderTest(live);
  await clearPlace(servers, scope);
  try {
    for (const [index, server] of servers.entries()) {
      progress.show('waiting for the server under test');
      const at = readyTarget(live.connectTo ?? []);
      const [address = ''] =
        app === undefined ? urls : appPlaces(app.addresses).pages.map(({ href }) => href);
      const ready = server.ready ?? address;
      const command = [server.command].flat().join(' ');
      running.push(
        await startServerUnderTest({
          command,
          secrets: [...(access?.secrets ?? []), ...secretsOfEnvironment(environment, command)],
          words: [...pinPrefix(cpus), ...wordsOf(server, scope.runId)],
          ready: at(ready),
          speaks: at(ready.startsWith('http:') ? address : ready),
          protocols: app === undefined ? protocolsOf(server) : [],
          limitMs: server.readyWithinSeconds * 1000,
          environment: { ...directEnvironment(environment), ...scope.environment },
          logFile: join(scope.tempDir, `server-under-test-${index}.log`),
          signal,
        }),
      );
    }
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return {
    requireAlive: async () => void (await Promise.all(running.map((server) => server.requireAlive()))),
    stop,
  };
}

const readyTarget =
  (connectTo: readonly string[]) =>
  (address: string): ServerUnderTestRequest['ready'] => {
    const url = new URL(address);
    return { url, ...connectTarget(url, connectTo) };
  };
