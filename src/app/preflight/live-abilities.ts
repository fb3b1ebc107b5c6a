import { driverOf } from '../../../harness/clients/drivers.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { LiveOptions } from '../../core/model/live-address.ts';
import { check, type Blocker } from './check.ts';

/** The flags of what live addresses can be told. */
const flags: Readonly<Partial<Record<keyof LiveOptions, string>>> = {
  connectTo: '--connect-to',
  block: '--block',
  headers: '--header',
  cookies: '--cookie',
  basicAuth: '--basic-auth',
  storageState: '--storage-state',
  login: '--login',
};

/** What a live address itself cannot take. */
export const liveRequest = check('live-request', [], ({ urls, app, live, arms, probes }) => {
  if (urls.length === 0 && app === undefined) return [];
  const blockers: Blocker[] = [];
  const { headers, cookies, basicAuth, storageState, login } = live ?? {};
  if (
    probes.includes('lighthouse') &&
    (headers ?? cookies ?? basicAuth ?? storageState ?? login) !== undefined
  )
    blockers.push({
      code: 'usage',
      reason: 'the probe lighthouse cannot log in: it starts a browser of its own',
      next: 'Leave the probe out.',
    });
  for (const { label, factors } of arms)
    if (factors.server !== undefined && app === undefined)
      blockers.push({
        code: 'usage',
        reason: `arm "${label}" sets the server, and a live address has its own`,
        next: 'Record the site first (`npx h2h3 record URL`) and run the recording.',
      });
  return blockers;
});

/** What a client of the plan cannot be told of a live address. */
export const liveAbilities = check('live-abilities', ['clients'], ({ urls, app, live }, { clients }) =>
  [...clients].flatMap(([name, client]): Blocker[] => {
    if ((urls.length === 0 && app === undefined) || client instanceof H2h3Error) return [];
    const { lacksOfLive = [] } = driverOf(client.family);
    const asked = lacksOfLive.filter((option) => live?.[option] !== undefined);
    if (asked.length === 0) return [];
    return [
      {
        code: 'usage',
        reason: `${name} cannot be given ${asked.map((option) => flags[option]).join(', ')}`,
        next: `Use a client of the Chromium family${asked.includes('connectTo') ? ', or an entry in /etc/hosts' : ''}.`,
      },
    ];
  }),
);
