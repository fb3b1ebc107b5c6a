import { FarHost } from '../../../harness/hosts/far-host.ts';
import type { Environment } from '../../core/model/environment.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { RunScope } from '../../core/system/processes/run-scope.ts';
import type { AppContext } from '../app-context.ts';

/** Connects to the machine on which servers of the plan run; undefined where that is this one. @throws H2h3Error as `FarHost.open` */
export async function openServerHost(
  { hosts }: Plan,
  { tempDir, environment }: Pick<RunScope, 'tempDir' | 'environment'>,
  context: AppContext,
): Promise<FarHost | undefined> {
  if (hosts === undefined) return undefined;
  context.progress.reporter({ title: `Connecting to ${hosts.server}` });
  return FarHost.open({
    host: hosts.server,
    folder: tempDir,
    environment: { ...context.environment, ...environment },
    say: (title) => context.progress.reporter({ title }),
    tell: (line) => context.progress.say(line),
    signal: context.signal,
  });
}

/** The same as it told of itself, for the environment of the run. */
export function serverHostFacts({ host, hello, clock }: FarHost): NonNullable<Environment['serverHost']> {
  const { hostName, machine, node } = hello;
  return { host, hostName, machine, node, clockOffsetMs: clock.offsetMs, clockBoundMs: clock.boundMs };
}
