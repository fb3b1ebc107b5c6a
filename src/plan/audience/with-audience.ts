import type { Audience, AudienceCondition } from '../../core/model/audience.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Factors } from '../../core/model/factor.ts';
import { parseArms } from '../arms.ts';
import type { PlanFile } from '../plan-file.ts';
import { networkOfCondition } from './audience-network.ts';

/** What a condition sets besides its network, as factors. */
export function factorsOfCondition({ cpuSharePercent, family }: AudienceCondition): Factors {
  return {
    ...(cpuSharePercent === undefined ? {} : { cpu: `${Math.round(cpuSharePercent)}%` }),
    ...(family === undefined ? {} : { family }),
  };
}

/** Values that only some conditions have, or that arms have too, would be dropped. @throws H2h3Error `usage` */
function requireUncontradicted(file: PlanFile, { conditions, source }: Audience): void {
  const named = (field: 'client' | 'view'): number =>
    conditions.filter((one) => one[field] !== undefined).length;
  for (const field of ['client', 'view'] as const)
    if (named(field) > 0 && named(field) < conditions.length)
      throw new H2h3Error('usage', `${source} names a ${field} in some of its lines only`, {
        next: `Give every line a ${field}, or leave the column out.`,
      });
  const set = conditions.map((condition) => ({
    ...factorsOfCondition(condition),
    network: condition.network,
    ...(condition.client === undefined ? {} : { client: condition.client }),
  }));
  for (const { label, factors } of parseArms(file.arms)) {
    const twice = [...new Set(set.flatMap(Object.keys))].find((name) => factors[name] !== undefined);
    if (twice !== undefined)
      throw new H2h3Error('usage', `arm "${label}" sets ${twice}, which the audience sets too`, {
        next: `Leave ${twice} out of the arms and of --set, or out of ${source}.`,
      });
  }
  if (file.grid !== undefined) throw new H2h3Error('usage', 'a plan has a grid or an audience, not both');
}

/**
 * The plan over the conditions of its audience, in the place of its networks.
 *
 * @throws H2h3Error `usage` where arms or a grid set what the audience sets
 */
export function withAudience(file: PlanFile, audience: Audience): PlanFile {
  requireUncontradicted(file, audience);
  const { conditions } = audience;
  const clients = new Set(conditions.flatMap(({ client }) => client ?? []));
  const views = new Set(conditions.flatMap(({ view }) => view ?? []));
  const networks = conditions.flatMap((condition) => networkOfCondition(condition).spec ?? []);
  return {
    ...file,
    audience,
    networks: networks.map(({ id }) => id),
    customNetworks: {
      ...file.customNetworks,
      ...Object.fromEntries(networks.map(({ id, ...network }) => [id, network])),
    },
    ...(clients.size === 0 ? {} : { clients: [...clients] }),
    ...(views.size === 0 ? {} : { views: [...views] }),
  };
}
