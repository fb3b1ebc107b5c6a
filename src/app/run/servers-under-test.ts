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
import { H2h3Error } from '../../model/errors.ts';
import { connectTarget, serversUnderTest, type ServerUnderTest } from '../../model/live-address.ts';
import type { Plan } from '../../model/plan.ts';
import { pinPrefix } from '../../system/processes/cpu-affinity.ts';
import { endAbandonedRuns } from '../../system/processes/marked-processes.ts';
import type { RunScope } from '../../system/processes/run-scope.ts';
import type { AppContext } from '../app-context.ts';

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
  if (servers.length > 0) await endAbandonedRuns();
  const engines = servers
    .flatMap(({ command }) => [engineOf(command) ?? []])
    .filter(({ length }) => length > 0);
  for (const engine of engines) {
    reaper.runAtEnd(removalOf(engine, runId));
    await endAbandonedContainers(engine);
  }
}

const protocolsOf = ({ protocol }: ServerUnderTest): ('h2' | 'h3')[] => [protocol].flat();

/** @throws H2h3Error `usage` where an arm needs what no server under test speaks */
export function requireSpokenProtocols({ arms, live = {} }: Pick<Plan, 'arms' | 'live'>): void {
  const servers = serversUnderTest(live);
  if (servers.length === 0) return;
  for (const { label, factors } of arms) {
    const { protocol } = factors;
    if (protocol !== 'h2' && protocol !== 'h3') continue;
    if (servers.some((one) => protocolsOf(one).includes(protocol))) continue;
    throw new H2h3Error(
      'usage',
      `arm "${label}" needs ${protocol}, which the server under test does not speak`,
      {
        context: { expected: servers.flatMap(protocolsOf).join(', '), got: protocol },
        next: 'Leave the arm out, or say that the server speaks it (protocol).',
      },
    );
  }
}

interface ServerPlace {
  readonly scope: RunScope;
  /** Null: any. */
  readonly cpus: Pinning['serverCpus'];
}

/** Starts them one after the other. @throws H2h3Error as `startServerUnderTest`; nothing is left running then */
export async function startServersUnderTest(
  { live = {}, urls }: Pick<Plan, 'live' | 'urls'>,
  { scope, cpus }: ServerPlace,
  { progress, signal, environment }: AppContext,
): Promise<ServersUnderTest> {
  const running: RunningServerUnderTest[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(running.map((one) => one.stop())));
  const inherited = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const servers = serversUnderTest(live);
  await clearPlace(servers, scope);
  try {
    for (const [index, server] of servers.entries()) {
      progress.show('waiting for the server under test');
      const at = placeOf(live.connectTo ?? []);
      const [address = ''] = urls;
      const ready = server.ready ?? address;
      running.push(
        await startServerUnderTest({
          command: [server.command].flat().join(' '),
          words: [...pinPrefix(cpus), ...wordsOf(server, scope.runId)],
          ...{ ready: at(ready), speaks: at(ready.startsWith('http:') ? address : ready) },
          protocols: protocolsOf(server),
          limitMs: server.readyWithinSeconds * 1000,
          environment: { ...Object.fromEntries(inherited), ...scope.environment },
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
    requireAlive: async () => void (await Promise.all(running.map((one) => one.requireAlive()))),
    stop,
  };
}

const placeOf =
  (connectTo: readonly string[]) =>
  (address: string): ServerUnderTestRequest['ready'] => {
    const url = new URL(address);
    return { url, ...connectTarget(url, connectTo) };
  };
