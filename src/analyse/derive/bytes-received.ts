import { fetchedChunks } from '../../core/model/session.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { wireBytesOf } from '../../core/metrics/evidence/wire-bytes.ts';
import { finiteOrNull, sum } from '../../core/metrics/evidence/numbers.ts';

/**
 * Bytes that the client received in a trial: what the page's script counted or what the HAR says, whichever is more
 * (an object under way at the deadline is in neither); for objects that the HAR does not know, what the server's log
 * says it sent.
 */
export function bytesReceived(raw: RawTrial, objects: readonly NetworkObject[]): number {
  const known = new Set(
    objects.filter(({ wireBytes }) => (wireBytes ?? 0) > 0).map(({ host, path }) => host + path),
  );
  const unfinished = (raw.serverLog ?? []).filter(
    ({ host, path }) => !known.has(host.replace(/:\d+$/, '') + path),
  );
  const byHarAndLog = wireBytesOf(objects) + sum(unfinished.map(({ bytes }) => finiteOrNull(bytes) ?? 0));
  return Math.max(sessionBytes(raw), byHarAndLog);
}

function sessionBytes({ session }: RawTrial): number {
  if (session === null) return 0;
  if (session.kind === 'messages')
    return session.messageBytes * session.backMs.filter((back) => back !== null).length;
  if (session.kind === 'upload')
    return sum(session.uploads.map(({ answerBytes }) => finiteOrNull(answerBytes) ?? 0));
  const requests: readonly { readonly bytes: number }[] =
    session.kind === 'video' ? fetchedChunks(session) : (session.streams ?? []);
  return sum(requests.map(({ bytes }) => finiteOrNull(bytes) ?? 0));
}
