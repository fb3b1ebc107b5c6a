import type { ArmProtocol } from '../../core/model/protocol.ts';
import { protocolOf } from '../../core/model/protocol.ts';
import type { ServerLogEntry } from '../../core/model/raw-trial.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { invalid } from './finding.ts';
import type { Finding } from './finding.ts';
import { isSocket } from './log-book.ts';
import { withoutPort } from '../../core/model/wire-address.ts';

/**
 * In a second visit the browser's word that an object came out of its cache takes that object out of the proof. So the
 * server's log of the visit is asked as well: what it served, it served over the arm's protocol, and none of it is an
 * object that the browser says it did not ask for. Where nothing at all came over the network nothing is compared.
 */
export function secondVisitFindings(
  arm: ArmProtocol,
  log: readonly ServerLogEntry[] | null,
  objects: readonly NetworkObject[],
): readonly Finding[] {
  const cached = new Set(objects.filter(({ fromCache }) => fromCache).map(({ host, path }) => host + path));
  const findings =
    objects.length > 0 && objects.every(({ fromCache }) => fromCache)
      ? [
          invalid(
            'from-cache',
            `all ${objects.length} objects of the second visit came from the browser's cache: no protocol was used`,
          ),
        ]
      : [];
  const asked = (log ?? []).filter((entry) => !isSocket(entry));
  return [...findings, ...asked.flatMap((entry) => entryFindings(arm, entry, cached))];
}

function entryFindings(arm: ArmProtocol, entry: ServerLogEntry, cached: ReadonlySet<string>): Finding[] {
  const object = withoutPort(entry.host) + entry.path;
  const findings: Finding[] = [];
  if (arm !== 'auto' && protocolOf(entry.protocol) !== arm)
    findings.push(
      invalid(
        'wrong-protocol',
        `https://${object}: the server's log of the second visit says ${entry.protocol}, expected ${arm}`,
      ),
    );
  if (cached.has(object))
    findings.push(
      invalid(
        'log-differs',
        `https://${object} is in the server's log, but the browser says it came from its cache`,
      ),
    );
  return findings;
}
