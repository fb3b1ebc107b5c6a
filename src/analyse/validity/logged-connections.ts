import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import type { ServerLogEntry } from '../../core/model/raw-trial.ts';
import { LogBook } from './log-book.ts';

/**
 * Objects with the connection that the server logged, where the browser names none: Chromium names none of a worker's
 * script. The browser has numbers for connections and the log has ports, so an object that both know says which is which.
 */
export function withLoggedConnections(
  objects: readonly NetworkObject[],
  log: readonly ServerLogEntry[],
): readonly NetworkObject[] {
  if (objects.every(({ connection }) => connection !== undefined)) return objects;
  const hosts = [...new Set(objects.map(({ host }) => host))];
  const book = new LogBook(log, hosts);
  const logged = objects.map((object) => {
    const entry = book.take(object, ({ protocol }) => protocol === object.protocol);
    return entry?.connection === undefined ? undefined : `${entry.protocol}:${entry.connection}`;
  });
  const nameByLogged = new Map<string, string>();
  objects.forEach(({ connection }, i) => {
    const key = logged[i];
    if (key !== undefined && connection !== undefined) nameByLogged.set(key, connection);
  });
  return objects.map((object, i) => {
    const key = logged[i];
    if (object.connection !== undefined || key === undefined) return object;
    return { ...object, connection: nameByLogged.get(key) ?? key };
  });
}
