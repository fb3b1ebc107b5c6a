import { evaluate } from '../../core/metrics/evaluate.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import type { DiscoveryInput } from '../../core/metrics/metric-inputs.ts';
import type { DerivedPart } from './derived-part.ts';

/** Counts over the objects of one page load. */
export function objectMetrics(objects: readonly NetworkObject[], discovery?: DiscoveryInput): DerivedPart {
  const counted = objects.filter((object) => !object.browserMade);
  if (counted.length === 0) return { metrics: {}, warnings: [] };
  const warnings: string[] = [];
  const unsized = counted.filter((object) => object.wireBytes === null);
  if (unsized.length > 0) {
    warnings.push(
      `wireBytes: ${unsized.length} of ${counted.length} objects have no size in the HAR, for example ${unsized[0]?.url}`,
    );
  }
  const connections = counted.flatMap(({ connection }) => (connection === undefined ? [] : [connection]));
  if (connections.length < counted.length) {
    warnings.push(
      `connectionCount: ${counted.length - connections.length} of ${counted.length} objects name no connection, and neither does the server's log`,
    );
  }
  return { metrics: evaluate('objects', { objects: counted, unsized, connections, discovery }), warnings };
}

/** Share of objects by negotiated protocol (`h1`, `h2`, `h3`, or the HAR's own word for anything else); shares add up to 1. */
export function protocolShare(objects: readonly NetworkObject[]): Record<string, number> | undefined {
  if (objects.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const object of objects) {
    const name = object.protocol ?? object.protocolName;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort().map(([name, count]) => [name, count / objects.length]));
}
