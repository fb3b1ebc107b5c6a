import { driverOf } from '../../../harness/clients/drivers.ts';
import { proxySoftware } from '../../../harness/proxies/registry.ts';
import { serverSoftware } from '../../../harness/servers/registry.ts';
import { partsOf } from '../../../harness/testbed/testbed-request.ts';
import { armPairs } from '../../analyse/comparison/arm-pairs.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { Plan, PlannedTrial } from '../../model/plan.ts';
import { liveServer } from '../../plan/expand-plan.ts';
import type { Clients } from '../run/prepare-run.ts';

/** Why a trial cannot work, and what could. */
interface Obstacle {
  readonly reason: string;
  readonly next: string;
  /** Of the error where nothing can work: what was asked for, or what this machine lacks. */
  readonly code: 'usage' | 'unsupported';
}

type Sender = Pick<(typeof serverSoftware)[number], 'id' | 'quicCongestionControls'>;

function ofClient(trial: PlannedTrial, { workloads }: Plan, clients: Clients): Obstacle | undefined {
  const found = clients.get(trial.client);
  const workload = workloads.find(({ id }) => id === trial.workload);
  const { protocol } = trial.factors;
  if (found === undefined || workload === undefined || protocol === undefined) return undefined;
  if (found instanceof H2h3Error)
    return { reason: found.message, next: found.next ?? '', code: 'unsupported' };
  const reason = driverOf(found.family).refusal?.(found, workload, protocol);
  if (reason === undefined) return undefined;
  const able = [...clients].flatMap(([name, other]) =>
    other instanceof H2h3Error || driverOf(other.family).refusal?.(other, workload, protocol) !== undefined
      ? []
      : [name],
  );
  return { reason, next: `${able.length === 0 ? 'A browser' : able.join(' or ')} can.`, code: 'usage' };
}

/** Which algorithms a server's QUIC has is known beforehand; what the kernel's TCP has shows when it is asked. */
function ofCongestion({ factors, server, network }: PlannedTrial): Obstacle | undefined {
  const { congestion, proxy, protocol } = factors;
  if (congestion === undefined || protocol !== 'h3' || server === liveServer) return undefined;
  const request = { server, network, congestion, ...(proxy === undefined ? {} : { proxy }) };
  const { congestions, proxies } = partsOf(request);
  const [wanted] = congestions;
  const [first] = proxies;
  const alike: readonly Sender[] = first === undefined ? serverSoftware : proxySoftware;
  const sender = alike.find(({ id }) => id === (first ?? server));
  if (wanted === undefined || sender === undefined || sender.quicCongestionControls.includes(wanted))
    return undefined;
  const able = alike.filter(({ quicCongestionControls }) => quicCongestionControls.includes(wanted));
  const reason = `${sender.id} cannot run ${wanted} over QUIC: it has ${sender.quicCongestionControls.join(', ')}`;
  return {
    reason,
    next: able.length === 0 ? '' : `${able.map(({ id }) => id).join(' or ')} can.`,
    code: 'usage',
  };
}

/**
 * What of a plan cannot work is known before anything is made: a client that does not speak the protocol, a sender
 * without the congestion control. A run none of whose pairs of arms can work is not begun.
 *
 * @returns a sentence for each reason why some of the trials will be unsupported
 * @throws H2h3Error `usage` with what can, `unsupported` where a client is missing
 */
export function requirePossibleTrials(plan: Plan, clients: Clients): string[] {
  const obstacles = new Map<string, { readonly obstacle: Obstacle; count: number }>();
  const possible = new Map<string, Set<string>>();
  for (const trial of plan.trials) {
    const obstacle = ofClient(trial, plan, clients) ?? ofCongestion(trial);
    if (obstacle === undefined) {
      const arms = possible.get(trial.conditionId) ?? new Set();
      possible.set(trial.conditionId, arms.add(trial.arm));
    } else {
      const known = obstacles.get(obstacle.reason) ?? { obstacle, count: 0 };
      known.count++;
      obstacles.set(obstacle.reason, known);
    }
  }
  const all = [...obstacles.values()];
  const [first] = all;
  if (first !== undefined && !canCompare(plan, [...possible.values()]))
    throw new H2h3Error(first.obstacle.code, `not one pair of this run can work: ${first.obstacle.reason}`, {
      context:
        all.length > 1
          ? {
              also: all
                .slice(1)
                .map(({ obstacle }) => obstacle.reason)
                .join('; '),
            }
          : {},
      next: first.obstacle.next,
    });
  return all.map(
    ({ obstacle, count }) => `${obstacle.reason}: ${count} trials are unsupported. ${obstacle.next}`,
  );
}

function canCompare(plan: Plan, conditions: readonly ReadonlySet<string>[]): boolean {
  const pairs = armPairs(plan);
  if (pairs.length === 0) return conditions.length > 0;
  return conditions.some((arms) =>
    pairs.some(({ baseline, candidate }) => arms.has(baseline.label) && arms.has(candidate.label)),
  );
}
