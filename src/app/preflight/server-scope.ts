import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { serverNamed } from '../../../harness/servers/registry.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { trialCheck } from './trial-check.ts';

/** What a server cannot serve at all is said before anything is fetched. */
export const serverScope = trialCheck('server-scope', [], (trial, _facts, { workloads }) => {
  const kind = workloads.find(({ id }) => id === trial.workload)?.kind;
  const reason = kind === undefined ? undefined : notServedReason(trial, kind);
  return reason === undefined
    ? undefined
    : { reason, next: 'Any other server can (`npx h2h3 describe servers`).' };
});

/** Why a server cannot serve a trial whatever the machine; undefined where it can. */
export function notServedReason(
  { server, client, factors }: Pick<PlannedTrial, 'server' | 'client' | 'factors'>,
  kind: WorkloadKind,
): string | undefined {
  const { id, scope } = serverNamed(server) ?? {};
  if (id === undefined || scope === undefined) return undefined;
  const { protocol = 'auto', proxy } = factors;
  if (protocol !== 'h3') return `the server ${id} speaks HTTP/3 alone, not ${protocol}`;
  if (proxy !== undefined) return `the server ${id} stands behind no proxy`;
  const unread = (['certificate', 'keytype', 'coalescing'] as const).find(
    (name) => factors[name] !== undefined,
  );
  if (unread !== undefined)
    return `the server ${id} answers no handshake over TCP, by which ${unread} would be read back`;
  return kind === 'download' && commandClientNamed(client) !== undefined
    ? undefined
    : `the server ${id} sends downloads to command-line clients alone, as it has one certificate and no headers for browsers`;
}
