import type { NetworkObject } from './network-object.ts';
import { sum } from './part.ts';
import type { DerivedPart } from './part.ts';

/** Counts over the objects of one page load: `objectCount`, `wireBytes`, `hostCount`, `connectionCount`. */
export function objectMetrics(objects: readonly NetworkObject[]): DerivedPart {
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
      `connectionCount: ${counted.length - connections.length} of ${counted.length} objects name no connection in the HAR`,
    );
  }
  return {
    metrics: {
      objectCount: counted.length,
      wireBytes: unsized.length === 0 ? wireBytesOf(counted) : null,
      hostCount: new Set(counted.map((object) => object.host)).size,
      connectionCount: connections.length === counted.length ? new Set(connections).size : null,
    },
    warnings,
  };
}

/** Bytes of all objects whose size is known. */
export function wireBytesOf(objects: readonly NetworkObject[]): number {
  return sum(objects.map((object) => object.wireBytes ?? 0));
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
