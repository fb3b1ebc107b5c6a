import { liveServer } from '../../../../src/core/model/live-names.ts';
import type { ClientDriver } from '../../client-driver.ts';

/** What WebKit cannot load here, and why. */
export const webkitRefusal: NonNullable<ClientDriver['refusal']> = ({ name }, workload, protocol, way) => {
  if (protocol === 'h3') return `${name} speaks no HTTP/3: libsoup, its network library, has none`;
  if (protocol === 'h1') return `${name} has no switch that keeps it from HTTP/2`;
  if (way?.front !== liveServer)
    return `${name} cannot be told where made-up names lead: it loads addresses (--url), not ${workload.id}`;
  if (workload.kind !== 'page') return `${name} loads pages alone, not a ${workload.kind}`;
  if (workload.view === 'repeat') return `${name} keeps nothing when it is driven: it has no second visits`;
  return undefined;
};
