import { differingFactors } from '../../core/factors/registry.ts';
import { protocolNames } from '../../core/factors/participants.ts';
import type { Environment, ServerDescription } from '../../core/model/environment.ts';
import type { Arm, Plan } from '../../core/model/plan.ts';
import type { Protocol } from '../../core/model/protocol.ts';
import type { Comparison } from '../../core/model/summary.ts';

/** One side of a comparison: whose server sends first what is urgent, or not, over what. */
interface Side {
  readonly server: ServerDescription;
  readonly protocol: Protocol;
  readonly obeys: boolean;
}

/**
 * Comparisons of pages in which one side's server sends first what the browser calls urgent and the other's does not, a
 * sentence for each pair of servers and protocols. Where priorities are what is compared, that is no news.
 */
export function unlikePriorities(
  { arms, workloads }: Pick<Plan, 'arms' | 'workloads'>,
  comparisons: readonly Comparison[],
  environment: Environment | null,
): string[] {
  if (environment === null) return [];
  // Only where several objects are under way at once is there an order.
  if (!workloads.some(({ kind }) => kind === 'page' || kind === 'journey')) return [];
  const sentences = comparisons.flatMap((comparison) => {
    const [baseline, candidate] = [comparison.baseline, comparison.candidate].map(({ arm }) =>
      arms.find(({ label }) => label === arm),
    );
    if (baseline === undefined || candidate === undefined) return [];
    if (differingFactors(baseline.factors, candidate.factors).includes('priorities')) return [];
    const sides = [baseline, candidate].map((arm) => sideOf(arm, comparison, environment));
    const [one, other] = sides;
    if (one === undefined || other === undefined || one.obeys === other.obeys) return [];
    return [sentenceOf(...(one.obeys ? ([one, other] as const) : ([other, one] as const)))];
  });
  return [...new Set(sentences)];
}

/** Undefined where the protocol is the browser's choice, or the server does not say. */
function sideOf({ factors }: Arm, { server }: Comparison, { servers }: Environment): Side | undefined {
  const { protocol, priorities } = factors;
  if (protocol !== 'h2' && protocol !== 'h3') return undefined;
  const [front] = factors.proxy?.split('/') ?? [];
  const id = front ?? factors.server ?? server;
  // A server that was told to obey none in another arm has a description of its own.
  const [description] = servers
    .filter((one) => one.id === id && one.obeysPriorities !== undefined)
    .toSorted((a, b) => (b.obeysPriorities?.length ?? 0) - (a.obeysPriorities?.length ?? 0));
  if (description === undefined) return undefined;
  const obeys =
    priorities === undefined || priorities === 'on'
      ? description.obeysPriorities?.includes(protocol) === true
      : false;
  return { server: description, protocol, obeys };
}

function sentenceOf(obeying: Side, other: Side): string {
  const [over, notOver] = [obeying, other].map(({ protocol }) => protocolNames[protocol]);
  const not = obeying.server.id === other.server.id ? '' : `${other.server.name} `;
  return `${obeying.server.name} sends urgent objects first over ${over}, ${not}not over ${notOver}: priorities are part of this difference`;
}
