import type { PlannedTrial } from '../../src/model/plan.ts';
import type { WorkloadKind } from '../../src/model/workload.ts';
import { commandClientNamed } from '../clients/commands/registry.ts';
import { serverNamed } from './registry.ts';

/** Why a server cannot serve a trial whatever the machine; undefined where it can. */
export function whyNotServed(
  { server, client, factors }: Pick<PlannedTrial, 'server' | 'client' | 'factors'>,
  kind: WorkloadKind,
): string | undefined {
  const { id, scope } = serverNamed(server) ?? {};
  if (id === undefined || scope === undefined) return undefined;
  const { protocol = 'auto', proxy } = factors;
  if (protocol !== 'h3') return `the server ${id} speaks HTTP/3 alone, not ${protocol}`;
  if (proxy !== undefined) return `the server ${id} stands behind no proxy`;
  return kind === 'download' && commandClientNamed(client) !== undefined
    ? undefined
    : `the server ${id} sends downloads to command-line clients alone, as it has one certificate and no headers for browsers`;
}
