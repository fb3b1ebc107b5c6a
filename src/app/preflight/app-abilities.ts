import { H2h3Error } from '../../model/errors.ts';
import { othersLive } from '../../model/app-under-test.ts';
import { check, type Obstacle } from './check.ts';

/** Whatever a name, Firefox and WebKit are told one place for all of them. */
const findsNames = 'chromium';

/** What an app's run cannot be: other hosts asked by a browser that knows one place alone, and arms with addresses of their own. */
export const appAbilities = check('app-abilities', ['clients'], ({ app, arms }, { clients }) => {
  if (app === undefined) return [];
  const arm = arms.find(({ factors }) => factors.url !== undefined);
  const blind = [...clients].flatMap(([name, client]) =>
    app.thirdParties !== othersLive || client instanceof H2h3Error || client.family === findsNames
      ? []
      : [name],
  );
  return [
    ...(arm === undefined ? [] : [addressOfArm(arm.label)]),
    ...blind.map((name): Obstacle => ({
      code: 'usage',
      reason: `${name} cannot ask other hosts than the app’s: it is led to one place for all names`,
      next: 'Use a client of the Chromium family, or --third-parties blocked.',
    })),
  ];
});

const addressOfArm = (label: string): Obstacle => ({
  code: 'usage',
  reason: `arm "${label}" sets an address, and the app is one for all arms`,
  next: 'Compare two addresses with --url, or two servers before the app: --arm h3+server=nginx --arm h3+server=caddy.',
});
