import { commandClients } from './commands/registry.ts';

/** A client that can be named: where its programs usually lie. */
export interface KnownClient {
  readonly id: string;
  /** What drives it (`drivers.ts`). */
  readonly family: string;
  readonly name: string;
  /** Programs to look for on PATH, the preferred first. */
  readonly programs: readonly string[];
  /** Absolute paths by `process.platform`; `~`, `%NAME%` stand for the home folder and for variables of the environment. */
  readonly places: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>>;
  /** What installs it. */
  readonly installHint: string;
  /** Not what people browse with: no `best`. */
  readonly onlyByName?: true;
}

function windowsPlaces(relative: string): string[] {
  return ['%ProgramFiles%', '%ProgramFiles(x86)%', '%LOCALAPPDATA%'].map((base) => `${base}\\${relative}`);
}

/** Order is preference: `best` is the first of the Chromium family that is found. A new one is an entry here. */
export const knownBrowsers: readonly KnownClient[] = [
  {
    id: 'chrome',
    family: 'chromium',
    name: 'Google Chrome',
    programs: ['google-chrome-stable', 'google-chrome', 'chrome'],
    places: {
      linux: ['/opt/google/chrome/chrome'],
      darwin: ['/Applications', '~/Applications'].map(
        (base) => `${base}/Google Chrome.app/Contents/MacOS/Google Chrome`,
      ),
      win32: windowsPlaces('Google\\Chrome\\Application\\chrome.exe'),
    },
    installHint: 'https://www.google.com/chrome/',
  },
  {
    id: 'chromium',
    family: 'chromium',
    name: 'Chromium',
    programs: ['chromium', 'chromium-browser'],
    places: {
      linux: ['/usr/lib/chromium/chromium', '/usr/lib64/chromium-browser/chromium-browser'],
      darwin: ['/Applications', '~/Applications'].map(
        (base) => `${base}/Chromium.app/Contents/MacOS/Chromium`,
      ),
      win32: windowsPlaces('Chromium\\Application\\chrome.exe'),
    },
    installHint: 'Debian: npx h2h3 setup --system',
  },
  {
    id: 'edge',
    family: 'chromium',
    name: 'Microsoft Edge',
    programs: ['microsoft-edge-stable', 'microsoft-edge', 'msedge'],
    places: {
      linux: ['/opt/microsoft/msedge/msedge'],
      darwin: ['/Applications', '~/Applications'].map(
        (base) => `${base}/Microsoft Edge.app/Contents/MacOS/Microsoft Edge`,
      ),
      win32: windowsPlaces('Microsoft\\Edge\\Application\\msedge.exe'),
    },
    installHint: 'https://www.microsoft.com/edge/',
  },
  {
    id: 'opera',
    family: 'chromium',
    name: 'Opera',
    programs: ['opera', 'opera-stable'],
    places: {
      linux: ['/usr/lib/x86_64-linux-gnu/opera-stable/opera', '/usr/lib/x86_64-linux-gnu/opera/opera'],
      darwin: ['/Applications', '~/Applications'].map((base) => `${base}/Opera.app/Contents/MacOS/Opera`),
      win32: windowsPlaces('Programs\\Opera\\opera.exe').concat(windowsPlaces('Opera\\opera.exe')),
    },
    installHint: 'https://www.opera.com/',
  },
  {
    id: 'chromium-headless-shell',
    family: 'chromium',
    name: 'Chromium',
    programs: ['chromium-headless-shell'],
    places: {},
    installHint: 'Debian: apt-get install chromium-headless-shell',
    onlyByName: true,
  },
  {
    id: 'firefox',
    family: 'firefox',
    name: 'Firefox',
    programs: ['firefox', 'firefox-esr'],
    places: {
      linux: ['/usr/lib/firefox/firefox', '/usr/lib/firefox-esr/firefox-esr', '/opt/firefox/firefox'],
      darwin: ['/Applications', '~/Applications'].map((base) => `${base}/Firefox.app/Contents/MacOS/firefox`),
      win32: windowsPlaces('Mozilla Firefox\\firefox.exe'),
    },
    installHint: 'Debian: npx h2h3 setup --system',
  },
];

/** Everything that can be named: browsers, then command-line clients. */
export const knownClients: readonly KnownClient[] = [
  ...knownBrowsers,
  ...commandClients.map(({ id, title, programs, installHint }) => ({
    id,
    family: id,
    name: title,
    programs,
    installHint,
    places: {},
  })),
];
