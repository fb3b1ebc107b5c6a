import { FarHost } from '../../../harness/hosts/far-host.ts';
import { resolves, testbedRequestOf } from '../../../harness/testbed/testbed-request.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { liveNetwork, liveServer } from '../../core/model/live-names.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { guardedEnvironment } from '../../core/system/processes/process-guard.ts';
import { makeTemporary } from '../../core/system/temporary-folder.ts';
import { blockerOf, check, type Blocker } from './check.ts';
import type { ServerHostFacts } from './facts.ts';

/** What no server on another machine can do yet; each a sentence, said before anything is connected. */
export const serverHostAbilities = check('server-host-abilities', [], (plan) => {
  if (plan.hosts === undefined) return [];
  const { server: host } = plan.hosts;
  const reasons = [...new Set([...plan.trials.flatMap((trial) => refusalOf(trial, plan)), ...ofPlan(plan)])];
  return reasons.map((what): Blocker => ({
    code: 'usage',
    reason: `${what} cannot be measured with servers on ${host} (--server-host)`,
    next: 'Leave it out, or measure on one machine.',
  }));
});

function refusalOf(trial: PlannedTrial, { workloads, customSites = [] }: Plan): string[] {
  const { network, server, workload } = trial;
  if (server === liveServer) return ['a live address, which has a server of its own,'];
  if (network !== liveNetwork) return [`the emulated network ${network}`];
  const { proxies, senders = {} } = testbedRequestOf(trial);
  if (proxies !== undefined) return ['a proxy'];
  // It answers next to the server, and is started on this machine alone.
  if (resolves(senders)) return ['an arm that asks a resolver of ours (discovery, family)'];
  const kind = workloads.find(({ id }) => id === workload)?.kind;
  if (kind === 'upload') return ['an upload'];
  if (kind === 'messages') return ['a session of messages'];
  const isRecorded = customSites.some((site) => site.kind === 'archive' && site.id === workload);
  return isRecorded ? ['a recorded site'] : [];
}

function ofPlan({ app, probes, queue, shard }: Plan): string[] {
  return [
    ...(app === undefined ? [] : ['an app']),
    ...(probes.includes('qlog') ? ['the probe qlog'] : []),
    ...((queue ?? shard) === undefined ? [] : ['a run that several machines share']),
  ];
}

/** Whether the machine can be used, and what it lacks. */
export const serverHost = check('server-host', ['serverHost'], (plan, { serverHost: facts }) => {
  if (facts === null || plan.hosts === undefined) return [];
  if (facts.fault !== null) return [blockerOf(facts.fault)];
  return facts.lacking.map(({ server, reason, next }): Blocker => {
    const trialIds = plan.trials.filter((trial) => trial.server === server).map(({ trialId }) => trialId);
    return {
      code: 'unsupported',
      reason: `the server ${server} on ${plan.hosts?.server}: ${reason}`,
      ...(next === undefined ? {} : { next }),
      // What is only to be fetched yet keeps nothing from beginning.
      trialIds: facts.fetches ? trialIds : [],
    };
  });
});

/** Connects, sends h2h3 where it is not there yet, and asks for the programs of all servers of the plan. */
export async function lookAtServerHost(
  { hosts, trials }: Plan,
  fetches: boolean,
  setup: SetupContext,
): Promise<ServerHostFacts | null> {
  if (hosts === undefined) return null;
  const servers = [...new Set(trials.map(({ server }) => server))];
  try {
    const host = await FarHost.open({
      host: hosts.server,
      folder: makeTemporary('ssh'),
      environment: { ...setup.environment, ...guardedEnvironment() },
      say: (title) => setup.progress({ title }),
      tell: () => undefined,
      signal: setup.signal,
    });
    try {
      const { answered } = await host.ask('find', { servers, fetches });
      return { fault: null, lacking: answered.lacking, fetches };
    } finally {
      await host.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code === 'interrupted') throw thrown;
    return { fault: thrown, lacking: [], fetches };
  }
}
