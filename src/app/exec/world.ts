import { noNamesReason } from '../../../harness/network/name-servers.ts';
import type { RunningNetwork } from '../../../harness/network/network.ts';
import { findPrivilege } from '../../../harness/network/privilege.ts';
import { uplinkLack } from '../../../harness/network/uplink.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../core/model/errors.ts';

/**
 * What a command wants of the world behind this machine. `required`: it is not started without it. `where-possible`: it is told
 * what it lacks. `none`: no way leads there, so that it fails at once.
 */
export type WorldUse = 'required' | 'where-possible' | 'none';

/** The next step of somebody who does not want to do anything about it. */
const without = 'or add --no-outside where the command needs nothing beyond this machine';

const unreached = (why: string, next: string): H2h3Error =>
  new H2h3Error('unsupported', `behind a network nothing beyond this machine is reached: ${why}`, {
    next: `${next}, ${without}.`,
  });

/** What can be known before a path is made. @throws H2h3Error `unsupported` with what to do about it */
export async function requireWorld(setup: SetupContext): Promise<void> {
  const lack = await uplinkLack(await findPrivilege(setup), setup);
  if (lack !== null) throw unreached(lack.why, lack.next);
}

/**
 * What a path that is up lacks of the world.
 *
 * @param asks whether name servers are asked
 * @returns a sentence, null where it lacks nothing
 * @throws H2h3Error `unsupported` where the world is required and not reached
 */
export async function lackOfWorld(
  { isolationReason, ends }: RunningNetwork,
  use: WorldUse,
  asks: boolean,
  setup: SetupContext,
): Promise<string | null> {
  if (use === 'none' || ends === undefined) return null;
  if (isolationReason !== undefined) return `nothing beyond this machine is reached: ${isolationReason}`;
  const lack = asks ? await noNamesReason(ends.near, setup) : null;
  if (lack === null || lack.alsoHere || use === 'where-possible') return lack?.why ?? null;
  throw unreached(lack.why, 'Let this machine forward packets (firewall, name servers of its own)');
}
