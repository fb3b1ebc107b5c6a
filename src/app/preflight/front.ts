import { proxyNamed } from '../../../harness/proxies/registry.ts';
import { serverNamed } from '../../../harness/servers/registry.ts';
import type { ServerSoftware } from '../../../harness/servers/server-software.ts';
import { valuesOf } from '../../core/factors/values.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';

/** What the client of a trial speaks to: the first proxy, or the server; of a name that is none, or not ours, the name alone. */
export function frontOf({
  factors,
  server,
}: Pick<PlannedTrial, 'factors' | 'server'>): Pick<ServerSoftware, 'name'> & Partial<ServerSoftware> {
  const [proxy] = valuesOf(factors).proxy ?? [];
  const software = proxy === undefined ? serverNamed(server) : proxyNamed(proxy);
  return software ?? { name: proxy ?? server };
}
