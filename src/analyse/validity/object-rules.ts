import type { Har } from '../../model/har.ts';
import type { ArmProtocol } from '../../model/protocol.ts';
import type { NetworkObject } from '../derive/network-object.ts';
import { invalid } from './finding.ts';
import type { Finding } from './finding.ts';

/** Without a HAR nothing is proven. */
export function harFindings(har: Har | null, objects: readonly NetworkObject[]): readonly Finding[] {
  if (har === null) return [invalid('no HAR: the protocol of the objects is not proven')];
  return objects.length === 0 ? [invalid('the HAR holds no object: nothing is proven')] : [];
}

/**
 * Every object that got a response must have got it over the arm's protocol, `/favicon.ico` included.
 * Arm `auto` requires none: there the protocols are a result.
 */
export function protocolFindings(arm: ArmProtocol, objects: readonly NetworkObject[]): readonly Finding[] {
  if (arm === 'auto') return [];
  return objects
    .filter((object) => object.status > 0 && !object.fromCache && object.protocol !== arm)
    .map((object) =>
      invalid(`${object.url} came over ${object.protocol ?? object.protocolName}, expected ${arm}`),
    );
}

/**
 * One failed object, whatever the cause (an aborted prefetch as well), makes the load another load than the one
 * to be measured. What a browser asks for by itself (`/favicon.ico`) is no object of the page.
 */
export function failureFindings(objects: readonly NetworkObject[]): readonly Finding[] {
  return objects
    .filter((object) => object.error !== undefined && !object.browserMade)
    .map((object) => invalid(`${object.url} failed: ${object.error}`));
}

/** A cold load takes nothing from a cache that it did not fill itself. */
export function cacheFindings(objects: readonly NetworkObject[]): readonly Finding[] {
  return objects
    .filter((object) => object.fromCache)
    .map((object) => invalid(`${object.url} came from the browser's cache in a cold load`));
}
