import type { NetworkObject } from './network-object.ts';
import { sum } from './numbers.ts';

/** Bytes of all objects whose size is known. */
export function wireBytesOf(objects: readonly NetworkObject[]): number {
  return sum(objects.map((object) => object.wireBytes ?? 0));
}
