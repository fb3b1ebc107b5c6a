import type { BrowserFamily } from './browser-driver.ts';
import { phoneRefusal } from './android/phone-refusal.ts';
import {
  androidProcessRole,
  chromiumProcessRole,
  firefoxProcessRole,
  webkitProcessRole,
} from './process-role.ts';
import { webkitRefusal } from './webkit/webkit-refusal.ts';

/** The families of browsers. What starts one is loaded by its caller: what is said of a family needs none of it. */
export const browserFamilies = {
  chromium: {
    launcher: async () => (await import('./chromium/launch.ts')).launchChromium,
    processRole: chromiumProcessRole,
    flagForm: { pattern: /^--[a-z]/, example: '--enable-features=A,B' },
    appliesToo: ['transport'],
    stack: { reportsEcn: true, certificateCompressions: ['brotli'] },
  },
  firefox: {
    launcher: async () => (await import('./firefox/launch-firefox.ts')).launchFirefox,
    processRole: firefoxProcessRole,
    flagForm: { pattern: /^[^-=][^=]*=/, example: 'network.http.http3.enable_0rtt=false' },
    appliesToo: ['priorities', 'transport'],
    stack: {
      reportsEcn: true,
      certificateCompressions: ['zlib', 'brotli', 'zstd'],
      refusesCompression: true,
    },
    lacksOfLive: ['connectTo'],
  },
  android: {
    launcher: async () => (await import('./android/launch-android.ts')).launchAndroid,
    processRole: androidProcessRole,
    flagForm: { pattern: /^--[a-z]/, example: '--enable-features=A,B' },
    applies: ['flags', 'prefers'],
    refusal: phoneRefusal,
  },
  webkit: {
    launcher: async () => (await import('./webkit/launch-webkit.ts')).launchWebKit,
    processRole: webkitProcessRole,
    flagForm: { pattern: /^$/, example: 'none: WebKit has no switches' },
    applies: ['cpu'],
    lacksOfLive: ['connectTo', 'block', 'headers', 'cookies', 'basicAuth', 'storageState', 'login'],
    refusal: webkitRefusal,
  },
} as const satisfies Readonly<Record<string, BrowserFamily>>;
