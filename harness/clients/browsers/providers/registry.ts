import { edgeChannels } from './edge-channels.ts';
import { machineBrowsers } from './machine.ts';
import { npmChromium } from './npm-chromium.ts';
import type { BrowserProvider } from './provider.ts';
import { puppeteerBrowsers } from './puppeteer-browsers.ts';

/** Every source of browser versions, asked in this order. A new one is a file next to this and a line here. */
export const browserProviders: readonly BrowserProvider[] = [
  machineBrowsers,
  npmChromium,
  puppeteerBrowsers,
  edgeChannels,
];
