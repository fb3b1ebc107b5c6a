import { protocolOf } from '../../core/model/protocol.ts';
import type { ServerLogEntry } from '../../core/model/raw-trial.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { withoutPort } from '../../core/model/wire-address.ts';

const notModified = 304;

/**
 * Objects with the protocol that they were asked for over. Where the server says that a cached answer still holds, Chromium
 * tells the cached one, and with it the protocol of the visit that brought it (seen in Chromium 156: a net log with QUIC
 * alone, `h2` in its events); the server's log knows better.
 */
export function asAskedFor(
  objects: readonly NetworkObject[],
  log: readonly ServerLogEntry[] | null,
): readonly NetworkObject[] {
  const held = new Map(
    (log ?? [])
      .filter(({ status }) => status === notModified)
      .map(({ host, path, protocol }) => [`${withoutPort(host)}${path}`, protocolOf(protocol)]),
  );
  return objects.map((object) => {
    const protocol = held.get(object.host + object.path);
    return protocol === undefined ? object : { ...object, protocol };
  });
}
