import type { LaunchBrowser } from './browser.ts';

/** How browsers of each family are started. Loaded by whoever starts one: what a driver says of itself needs none of it. */
export const launchers = {
  chromium: async () => (await import('./chromium/launch.ts')).launchChromium,
  firefox: async () => (await import('./firefox/launch-firefox.ts')).launchFirefox,
} as const satisfies Readonly<Record<string, () => Promise<LaunchBrowser>>>;
