import type { Environment, Host } from '../../core/model/environment.ts';
import { requireHostsAlike, type NamedEnvironment } from './hosts-alike.ts';

/**
 * That of the first host, with every host; null without any.
 *
 * @throws H2h3Error `bad-input` where hosts differ beyond chance
 */
export function mergedEnvironment(
  known: readonly (NamedEnvironment & Pick<Host, 'shard'>)[],
): Environment | null {
  const [first, ...others] = known;
  if (first === undefined) return null;
  others.forEach((other) => requireHostsAlike(first, other));
  const hosts = known.map(({ name, shard, environment: { host = name, startedAt, machine, aa } }): Host => ({
    host,
    startedAt,
    machine,
    ...(shard === undefined ? {} : { shard }),
    ...(aa === undefined ? {} : { aa }),
  }));
  const shared = { ...first.environment, host: undefined, aa: undefined };
  const [startedAt = shared.startedAt] = hosts.map((host) => host.startedAt).toSorted();
  const warnings = [...new Set(known.flatMap(({ environment }) => [...environment.warnings]))];
  const disturbances = [...new Set(known.flatMap(({ environment }) => environment.disturbances ?? []))];
  return { ...shared, startedAt, hosts, disturbances, warnings };
}
