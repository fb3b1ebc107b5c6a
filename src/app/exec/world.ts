import { noNamesReason } from '../../../harness/network/name-servers.ts';
import type { RunningNetwork } from '../../../harness/network/network.ts';
import { findPrivilege } from '../../../harness/network/privilege.ts';
import { uplinkLack } from '../../../harness/network/uplink.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { ownPortsIn } from './own-ports.ts';

/**
 * What a command wants of the world behind this machine. `required`: it is not started without it. `where-possible`: it is told
 * what it lacks. `none`: no way leads there, so that it fails at once.
 */
export type WorldUse = 'required' | 'where-possible' | 'none';

/** The next step of somebody who does not want to do anything about it, by the servers that the command line names. */
export function withoutWorld(command: readonly string[]): string {
  const ports = ownPortsIn(command);
  const local =
    ports.length === 0
      ? '--local PORT where the command asks a server of this machine'
      : `${ports.map((port) => `--local ${port}`).join(' ')} for the server of this machine that the command names`;
  return `or add ${local}, or --no-outside where it asks none`;
}

const unreached = (why: string, next: string, command: readonly string[]): H2h3Error =>
  new H2h3Error('unsupported', `behind a network nothing beyond this machine is reached: ${why}`, {
    next: `${next}, ${withoutWorld(command)}.`,
  });

/** What can be known before a path is made. @throws H2h3Error `unsupported` with what to do about it */
export async function requireWorld(command: readonly string[], setup: SetupContext): Promise<void> {
  const lack = await uplinkLack(await findPrivilege(setup), setup);
  if (lack !== null) throw unreached(lack.why, lack.next, command);
}

export interface WorldAsked {
  readonly use: WorldUse;
  /** Whether name servers are asked. */
  readonly asks: boolean;
  /** What is to run; its words say what could be led across the path instead. */
  readonly command: readonly string[];
}

/**
 * What a path that is up lacks of the world.
 *
 * @returns a sentence, null where it lacks nothing
 * @throws H2h3Error `unsupported` where the world is required and not reached
 */
export async function lackOfWorld(
  { isolationReason, ends }: RunningNetwork,
  { use, asks, command }: WorldAsked,
  setup: SetupContext,
): Promise<string | null> {
  if (use === 'none' || ends === undefined) return null;
  if (isolationReason !== undefined) return `nothing beyond this machine is reached: ${isolationReason}`;
  const lack = asks ? await noNamesReason(ends.near, setup) : null;
  if (lack === null || lack.alsoHere || use === 'where-possible') return lack?.why ?? null;
  throw unreached(lack.why, 'Let this machine forward packets (firewall, name servers of its own)', command);
}
