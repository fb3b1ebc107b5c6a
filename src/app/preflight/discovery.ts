import { liveServer } from '../../core/model/live-address.ts';
import { trialCheck } from './trial-check.ts';

/** Who is made to use HTTP/3 discovers nothing, and names that are to be discovered must be the testbed's own. */
export const discovery = trialCheck(
  'discovery',
  [],
  ({ factors, server, workload }, _, { customSites = [] }) => {
    const { discovery: way, protocol } = factors;
    if (way === undefined || (protocol !== 'h3' && protocol !== 'auto')) return undefined;
    if (way === 'forced' && protocol === 'auto')
      return {
        reason: 'discovery=forced makes a client use HTTP/3, and protocol=auto leaves it free',
        next: 'Say h3+discovery=forced.',
      };
    if (way !== 'forced' && protocol === 'h3')
      return {
        reason: `discovery=${way} lets a client find HTTP/3 by itself, and protocol=h3 makes it use HTTP/3`,
        next: `Say auto+discovery=${way}.`,
      };
    if (server === liveServer)
      return {
        reason: 'discovery has names resolved by the testbed, and those of a live address are not its own',
        next: 'Record the site, or take one of h2h3.',
      };
    if (way !== 'forced' && customSites.some(({ kind, id }) => kind === 'archive' && id === workload))
      return {
        reason: `discovery=${way} does not reach a recorded site: its names lead to ports that no record of DNS changes`,
        next: 'Take a page or a replica (`npx h2h3 describe sites`).',
      };
    return undefined;
  },
);
