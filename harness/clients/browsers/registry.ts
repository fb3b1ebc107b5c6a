import type { ClientDescription } from '../../../src/model/environment.ts';
import type { LaunchBrowser } from './browser.ts';
import { launchChromium } from './chromium/launch.ts';
import { launchFirefox } from './firefox/launch-firefox.ts';

/** How browsers of each family are started. */
export const launchers: Readonly<Record<ClientDescription['family'], LaunchBrowser>> = {
  chromium: launchChromium,
  firefox: launchFirefox,
};
