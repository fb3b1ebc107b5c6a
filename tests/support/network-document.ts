import { changingNetworks } from '../../harness/network/changing-networks.ts';

/** The networks that change with time, each with what is measured of it and what is assumed. */
export function changingNetworkList(): string {
  return changingNetworks.map(({ id, title, source }) => `- \`${id}\`: ${title}. ${source}.`).join('\n');
}
