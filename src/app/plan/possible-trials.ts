import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { driverOf } from '../../../harness/clients/drivers.ts';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { proxySoftware } from '../../../harness/proxies/registry.ts';
import { serverSoftware } from '../../../harness/servers/registry.ts';
import { noCipher, noOlderTls, noQuicPacing } from '../../../harness/servers/sender-settings.ts';
import { partsOf, wayOf } from '../../../harness/testbed/testbed-request.ts';
import { armPairs } from '../../analyse/comparison/arm-pairs.ts';
import { downloadWorkloadNamed } from '../../../sites/downloads/catalogue.ts';
import { stressOf } from '../../model/factor.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { Plan, PlannedTrial } from '../../model/plan.ts';
import { liveServer } from '../../model/live-address.ts';
import type { Clients } from '../run/prepare-run.ts';

/** Why a trial cannot work, and what could. */
interface Obstacle {
  readonly reason: string;
  /** @param here clients that this machine has */
  readonly next: (here: readonly ClientIdentity[]) => string;
  /** Of the error where nothing can work: what was asked for, or what this machine lacks. */
  readonly code: 'usage' | 'unsupported';
}

type Sender = Pick<(typeof serverSoftware)[number], 'id' | 'quicCongestionControls' | 'setsCipher'>;

function ofClient(trial: PlannedTrial, { workloads }: Plan, clients: Clients): Obstacle | undefined {
  const found = clients.get(trial.client);
  const workload = workloads.find(({ id }) => id === trial.workload);
  const { protocol } = trial.factors;
  if (found === undefined || workload === undefined || protocol === undefined) return undefined;
  if (found instanceof H2h3Error)
    return { reason: found.message, next: () => found.next ?? '', code: 'unsupported' };
  const refusalOf = (client: ClientIdentity): string | undefined =>
    driverOf(client.family).refusal?.(client, workload, protocol, wayOf(trial));
  const reason = refusalOf(found);
  if (reason === undefined) return undefined;
  const next = (here: readonly ClientIdentity[]): string =>
    `${here.flatMap((client) => (refusalOf(client) === undefined ? [client.id] : [])).join(', ')} can.`;
  return { reason, next, code: 'usage' };
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
  const own = sender.quicCongestionControls.join(', ');
  return {
    reason: `${sender.id} cannot run ${wanted} over QUIC: it has ${own}`,
    next: () => `${able.map(({ id }) => `${id} can. `).join('')}Or ask ${sender.id} for ${own}.`,
    code: 'usage',
  };
}

/** Whom the client speaks with must be able to keep to a cipher suite. */
function ofCipher({ factors, server }: PlannedTrial): Obstacle | undefined {
  const { cipher, proxy } = factors;
  if (cipher === undefined || server === liveServer) return undefined;
  const front = proxy?.split('/')[0];
  const alike: readonly Sender[] = front === undefined ? serverSoftware : proxySoftware;
  const sender = alike.find(({ id }) => id === (front ?? server));
  if (sender === undefined || sender.setsCipher === true) return undefined;
  const able = serverSoftware.filter(({ setsCipher }) => setsCipher === true).map(({ id }) => id);
  const next = `${able.join(', ')} can${front === undefined ? '' : ', without a proxy before them'}.`;
  return { reason: noCipher(sender), next: () => next, code: 'usage' };
}

/** Only the kernel's TCP has a switch. */
function ofPacing({ factors: { pacing, protocol } }: PlannedTrial): Obstacle | undefined {
  if (pacing === undefined || protocol === 'h2' || protocol === 'h1') return undefined;
  return { reason: noQuicPacing, next: () => 'Arms over h2 and h1 can be paced.', code: 'usage' };
}

/** An older TLS is one of TCP. */
function ofTls({ factors: { tls, cipher, protocol } }: PlannedTrial): Obstacle | undefined {
  if (tls === undefined) return undefined;
  if (cipher !== undefined)
    return {
      reason: 'cipher names a suite of TLS 1.3, and tls=1.2 has none of them',
      next: () => 'Set one of them.',
      code: 'usage',
    };
  if (protocol === 'h2' || protocol === 'h1') return undefined;
  return { reason: noOlderTls, next: () => 'Arms over h2 and h1 can have it.', code: 'usage' };
}

/** Not every client resumes sessions over every protocol, and only QUIC takes a request with its first packet here. */
function ofResumption({ factors, client }: PlannedTrial): Obstacle | undefined {
  const { resume, protocol } = factors;
  if (resume === undefined || protocol === undefined) return undefined;
  const known = commandClientNamed(client);
  if (known?.resumes !== undefined && protocol !== 'auto' && !known.resumes.over.includes(protocol))
    return {
      reason: `${known.title} takes up no session over ${protocol}`,
      next: () => `Over ${known.resumes?.over.join(', ') ?? ''} it does; quic-go and quiche do over h3.`,
      code: 'usage',
    };
  if (resume !== '0rtt') return undefined;
  if (known === undefined)
    return {
      reason: `${client} cannot be told to send early data (resume=0rtt): a browser does so or not by itself`,
      next: () => 'Take resume=session, or a client such as quic-go.',
      code: 'usage',
    };
  if (known.resumes?.earlyData === false)
    return {
      reason: `${known.title} resumes sessions here and sends no early data (resume=0rtt)`,
      next: () => 'Take resume=session, or another client, such as quic-go.',
      code: 'usage',
    };
  if (protocol === 'h3') return undefined;
  return {
    reason: 'early data (resume=0rtt) is sent over HTTP/3 alone: the client’s TLS over TCP has none',
    next: () => 'Take resume=session for the arm over TCP.',
    code: 'usage',
  };
}

/** A browser connects again when the server has ended its connection, which the page of a download waits for. */
function ofBrowserSession({ factors, client, server, workload }: PlannedTrial): Obstacle | undefined {
  if (factors.resume === undefined || commandClientNamed(client) !== undefined) return undefined;
  if (server === endsIdle && factors.proxy === undefined && downloadWorkloadNamed(workload) !== undefined)
    return undefined;
  return {
    reason: `a browser resumes a session in downloads from ${endsIdle} alone, which can be told to end idle connections`,
    next: () => `Take a workload such as download-10kb, --server ${endsIdle} and no proxy.`,
    code: 'usage',
  };
}

const endsIdle = 'caddy';

/** A client may know how to lose its address, and not in every way over every protocol. */
function ofHandover({ factors, client }: PlannedTrial): Obstacle | undefined {
  const { protocol } = factors;
  const { handover } = stressOf(factors);
  const known = commandClientNamed(client);
  if (handover === undefined || known?.handovers === undefined || protocol === undefined) return undefined;
  const ways = protocol === 'auto' ? [] : (known.handovers[protocol] ?? []);
  if (ways.includes(handover.then)) return undefined;
  const [size = ''] = (factors.handover ?? '').split('-');
  const asked = ways.map((way) => `handover=${size}${way === 'move' ? '' : `-${way}`}`).join(', ');
  const over = protocol === 'auto' ? 'its own choice of protocol' : protocol;
  return {
    reason: `${known.title} cannot ${handoverWords[handover.then]} over ${over} when it loses its address`,
    next: () =>
      ways.length === 0
        ? 'Take another client, such as quic-go.'
        : `It knows ${asked}; quic-go knows every way.`,
    code: 'usage',
  };
}

const handoverWords = {
  move: 'move its connection',
  reconnect: 'connect again and ask for the rest',
  restart: 'connect again and ask for all',
  rebind: 'go on from another port',
} as const;

/** What befalls a transfer befalls a single one, and while it is under way. */
function ofStress({ factors, workload }: PlannedTrial): Obstacle | undefined {
  const { handover, rivals } = stressOf(factors);
  if (handover === undefined && rivals === undefined) return undefined;
  const { transfer, facts } = downloadWorkloadNamed(workload) ?? {};
  const next = (): string => 'Take one of a single body, such as download-5mb.';
  const what = handover === undefined ? 'has rivals' : 'loses its address';
  if (transfer === undefined || facts?.types?.other !== 1)
    return {
      reason: `a client ${what} in one transfer alone, and ${workload} has several`,
      next,
      code: 'usage',
    };
  if (handover === undefined || handover.afterBytes < transfer.bytes) return undefined;
  const reason = `handover=${factors.handover ?? ''} would come after the end of ${workload}`;
  return { reason, next: () => 'Take a larger body, or an earlier moment.', code: 'usage' };
}

/**
 * What of a plan cannot work is known before anything is made: a client that does not speak the protocol, a sender
 * without the congestion control, the cipher or the pacing. A run none of whose pairs of arms can work is not begun.
 *
 * @param listed asked for the clients that this machine has, only where something cannot work
 * @returns a sentence for each reason why some of the trials will be unsupported
 * @throws H2h3Error `usage` with what can, `unsupported` where a client is missing
 */
export async function requirePossibleTrials(
  plan: Plan,
  clients: Clients,
  listed: () => Promise<readonly ClientIdentity[]>,
): Promise<string[]> {
  const obstacles = new Map<string, { readonly obstacle: Obstacle; count: number }>();
  const possible = new Map<string, Set<string>>();
  for (const trial of plan.trials) {
    const obstacle =
      ofClient(trial, plan, clients) ??
      ofCongestion(trial) ??
      ofCipher(trial) ??
      ofPacing(trial) ??
      ofTls(trial) ??
      ofResumption(trial) ??
      ofBrowserSession(trial) ??
      ofHandover(trial) ??
      ofStress(trial);
    if (obstacle === undefined) {
      const arms = possible.get(trial.conditionId) ?? new Set();
      possible.set(trial.conditionId, arms.add(trial.arm));
    } else {
      const known = obstacles.get(obstacle.reason) ?? { obstacle, count: 0 };
      known.count++;
      obstacles.set(obstacle.reason, known);
    }
  }
  const met = [...obstacles.values()];
  const [first] = met;
  if (first === undefined) return [];
  const here = await listed();
  if (!canCompare(plan, [...possible.values()]))
    throw new H2h3Error(first.obstacle.code, `not one pair of this run can work: ${first.obstacle.reason}`, {
      context:
        met.length > 1
          ? {
              also: met
                .slice(1)
                .map(({ obstacle }) => obstacle.reason)
                .join('; '),
            }
          : {},
      next: first.obstacle.next(here),
    });
  return met.map(
    ({ obstacle, count }) => `${obstacle.reason}: ${count} trials are unsupported. ${obstacle.next(here)}`,
  );
}

function canCompare(plan: Plan, conditions: readonly ReadonlySet<string>[]): boolean {
  const pairs = armPairs(plan);
  if (pairs.length === 0) return conditions.length > 0;
  return conditions.some((arms) =>
    pairs.some(({ baseline, candidate }) => arms.has(baseline.label) && arms.has(candidate.label)),
  );
}
