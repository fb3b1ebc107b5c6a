import type { LaunchBrowser } from './browser.ts';
import { launchChromium } from './chromium/launch.ts';
import { launchFirefox } from './firefox/launch-firefox.ts';

/** How browsers of each family are started. */
export const launchers = { chromium: launchChromium, firefox: launchFirefox } as const satisfies Readonly<
  Record<string, LaunchBrowser>
>;
