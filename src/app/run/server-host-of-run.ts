import { FarHost } from '../../../harness/hosts/far-host.ts';
import type { FarLink } from '../../../harness/hosts/far-link.ts';
import { foreignText } from '../../../harness/hosts/foreign-text.ts';
import { nicTowards } from '../../../harness/hosts/nic.ts';
import type { Environment, RealLink } from '../../core/model/environment.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { RunScope } from '../../core/system/processes/run-scope.ts';
import type { AppContext } from '../app-context.ts';

/**
 * Connects to the machine on which servers of the plan run, and has their port there.
 *
 * @returns undefined where that is this machine
 * @throws H2h3Error as `FarHost.open`
 */
export async function openServerHost(
  { hosts }: Plan,
  { tempDir, environment, port }: Pick<RunScope, 'tempDir' | 'environment'> & { readonly port: number },
  context: AppContext,
): Promise<FarHost | undefined> {
  if (hosts === undefined) return undefined;
  context.progress.reporter({ title: `Connecting to ${hosts.server}` });
  return FarHost.open({
    host: hosts.server,
    port,
    folder: tempDir,
    environment: { ...context.environment, ...environment },
    say: (title) => context.progress.reporter({ title }),
    tell: (line) => context.progress.say(line),
    signal: context.signal,
  });
}

/** The same as it told of itself, with this machine's end of the link, for the environment of the run. */
export async function serverHostFacts({
  host,
  hello,
  clock,
}: FarHost): Promise<NonNullable<Environment['serverHost']>> {
  const { hostName, machine, node, nic, address } = hello;
  const clientNic = await nicTowards(address);
  return {
    host,
    hostName,
    machine,
    node,
    clockOffsetMs: clock.offsetMs,
    clockBoundMs: clock.boundMs,
    ...(nic === null ? {} : { nic }),
    ...(clientNic === undefined ? {} : { clientNic }),
  };
}

/** Looks at the machine for a second; what is wrong is said at once and returned for the run's warnings. */
export async function noiseOfServerHost(host: FarHost, { progress }: AppContext): Promise<string[]> {
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
export async function linkAfterTrials(link: FarLink, host: FarHost | undefined): Promise<RealLink> {
  await host?.requireConnected();
  return link.measure();
}
