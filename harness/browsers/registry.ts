import type { ClientDescription } from '../../src/model/environment.ts';
import { H2h3Error } from '../../src/model/errors.ts';
import type { LaunchBrowser } from './browser.ts';
import { launchChromium } from './chromium/launch.ts';

/** How browsers of each family are started. */
export const launchers: Readonly<Record<ClientDescription['family'], LaunchBrowser>> = {
  chromium: launchChromium,
  firefox: () => Promise.reject(new H2h3Error('unsupported', 'Firefox cannot be driven yet')),
};
