import { H2h3Error } from '../../model/errors.ts';
import type { LiveOptions } from '../../model/live-address.ts';
import type { Plan } from '../../model/plan.ts';
import type { Clients } from '../run/prepare-run.ts';

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

/** What browsers of a family cannot be told, because neither a switch nor their driver takes it. */
const lacking: Readonly<Record<string, readonly (keyof LiveOptions)[]>> = {
  firefox: ['connectTo'],
  webkit: ['connectTo', 'block', 'headers', 'cookies', 'basicAuth', 'storageState', 'login'],
};

/** @throws H2h3Error `usage` for what a live address or a client of the plan cannot take */
export function requireLiveAbilities({ urls, live, arms, probes }: Plan, clients: Clients): void {
  if (urls.length === 0) return;
  const { headers, cookies, basicAuth, storageState, login } = live ?? {};
  if (
    probes.includes('lighthouse') &&
    (headers ?? cookies ?? basicAuth ?? storageState ?? login) !== undefined
  )
    throw new H2h3Error('usage', 'the probe lighthouse cannot log in: it starts a browser of its own', {
      next: 'Leave the probe out.',
    });
  const given = arms.find(({ factors }) => factors.server !== undefined);
  if (given !== undefined)
    throw new H2h3Error('usage', `arm "${given.label}" sets the server, and a live address has its own`, {
      next: 'Record the site first (`npx h2h3 record URL`) and run the recording.',
    });
  for (const [name, client] of clients) {
    if (client instanceof H2h3Error) continue;
    const asked = (lacking[client.family] ?? []).filter((option) => live?.[option] !== undefined);
    if (asked.length === 0) continue;
    throw new H2h3Error(
      'usage',
      `${name} cannot be given ${asked.map((option) => flags[option]).join(', ')}`,
      {
        next: `Use a client of the Chromium family${asked.includes('connectTo') ? ', or an entry in /etc/hosts' : ''}.`,
      },
    );
  }
}
