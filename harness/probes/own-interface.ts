import { H2h3Error } from '../../src/core/model/errors.ts';
import { ownLink } from '../../src/core/system/interface-counters.ts';
import type { ProbeContext } from './probe.ts';

/**
 * The interface on which the client alone has traffic.
 *
 * @throws H2h3Error `unsupported` on loopback, which both ends and all programs of the machine share, and for live addresses.
 */
export function ownInterface({ launch }: ProbeContext): string {
  const address = launch.server?.address;
  const name = ownLink();
  if (address === undefined || address.startsWith('127.') || name === null)
    throw new H2h3Error('unsupported', 'the client shares its network interface with other programs', {
      next: 'Measure over an emulated network, such as --network fiber-300: there the client has an interface of its own.',
    });
  return name;
}
