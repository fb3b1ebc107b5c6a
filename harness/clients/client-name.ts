import { H2h3Error } from '../../src/core/model/errors.ts';
import { didYouMean } from '../../src/core/model/nearest-name.ts';
import { ownEntry } from '../../src/core/model/own-entry.ts';

/** Browsers of which versions can be named. */
export const versionedBrowsers = ['chromium', 'chrome', 'chrome-headless-shell', 'firefox', 'edge'] as const;
export type VersionedBrowser = (typeof versionedBrowsers)[number];

/** A client named as `browser@wanted`. */
export interface VersionedName {
  readonly browser: VersionedBrowser;
  /** A release channel (`stable`, `beta`, `nightly` …) or the beginning of a version (`153`, `123.0.1`). */
  readonly wanted: string;
}

/** Edge's channels as Playwright names them. */
const aliases: Readonly<Record<string, VersionedName>> = {
  msedge: { browser: 'edge', wanted: 'stable' },
  'msedge-beta': { browser: 'edge', wanted: 'beta' },
  'msedge-dev': { browser: 'edge', wanted: 'dev' },
};

export const isVersion = (wanted: string): boolean => /^\d+(\.\d+)*([ab]\d+|esr|-[\w.]+)?$/.test(wanted);

/**
 * The browser and version that `spec` names; undefined for a spec without `@`, or for a path.
 * @throws H2h3Error `usage` for a browser that has no versions here, or a malformed version.
 */
export function parseVersionedName(spec: string): VersionedName | undefined {
  const alias = ownEntry(aliases, spec);
  if (alias !== undefined) return alias;
  if (!spec.includes('@') || /[/\\]/.test(spec)) return undefined;
  const [name = '', wanted = '', ...rest] = spec.split('@');
  const browser = versionedBrowsers.find((known) => known === name);
  if (browser === undefined || rest.length > 0 || !(isVersion(wanted) || /^[a-z]+$/.test(wanted)))
    throw new H2h3Error('usage', `${JSON.stringify(spec)} names no browser version`, {
      context: {
        expected: `${versionedBrowsers.join(', ')} with @ and a version or channel, such as chromium@153, firefox@stable`,
        got: spec,
      },
      next: didYouMean(name, versionedBrowsers, '`npx h2h3 browsers list` lists versions.'),
    });
  return { browser, wanted };
}

export const nameOf = ({ browser, wanted }: VersionedName): string => `${browser}@${wanted}`;
