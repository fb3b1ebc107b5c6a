import path from 'node:path';
import type { Browser, BrowserPlatform } from '@puppeteer/browsers';
import { H2h3Error, foreignWords, messageOf } from '../../../../src/core/model/errors.ts';
import type { SetupContext } from '../../../tools/setup-context.ts';
import { isVersion, nameOf, type VersionedBrowser, type VersionedName } from '../../client-name.ts';
import { firefoxSha256 } from './firefox-digest.ts';
import type { BrowserDownload, BrowserProvider, FilledBrowser } from './provider.ts';

type Browsers = typeof import('@puppeteer/browsers');

const channels = ['stable', 'beta', 'dev', 'canary', 'nightly', 'devedition', 'esr'];

const titles: Readonly<Partial<Record<VersionedBrowser, string>>> = {
  chrome: 'Chrome for Testing',
  'chrome-headless-shell': 'Chrome for Testing headless shell',
  firefox: 'Firefox',
};

/** Loaded only when something is to be fetched: it is large. */
async function load(): Promise<{ browsers: Browsers; platform: BrowserPlatform }> {
  const browsers = await import('@puppeteer/browsers');
  const platform = browsers.detectBrowserPlatform();
  if (platform === undefined)
    throw new H2h3Error('unsupported', `There are no browsers to download for this system`, {
      context: { got: `${process.platform} ${process.arch}` },
    });
  return { browsers, platform };
}

/** Mozilla keeps versions by channel; a plain number is a release. */
function firefoxBuild(wanted: string): string {
  const version = /^\d+$/.test(wanted) ? `${wanted}.0` : wanted;
  const channel = wanted.endsWith('esr')
    ? 'esr'
    : /a\d+$/.test(wanted)
      ? 'nightly'
      : /b\d+$/.test(wanted)
        ? 'beta'
        : 'stable';
  return `${channel}_${version}`;
}

async function resolve(name: VersionedName): Promise<string> {
  const { browser, wanted } = name;
  if (!isVersion(wanted) && !channels.includes(wanted)) throw unknown(name);
  if (browser === 'firefox' && isVersion(wanted)) return firefoxBuild(wanted);
  const { browsers, platform } = await load();
  let build: string;
  try {
    build = await browsers.resolveBuildId(browser as Browser, platform, wanted);
  } catch (thrown) {
    if (/not available|not found/i.test(foreignWords(thrown))) throw unknown(name, thrown);
    throw unreachable(name, thrown);
  }
  // Where a milestone or build is not known, the number that was asked for comes back.
  if (browser !== 'firefox' && !/^\d+\.\d+\.\d+\.\d+$/.test(build)) throw unknown(name);
  return build;
}

interface FillOptions {
  readonly browser: VersionedBrowser;
  readonly release: string;
  readonly directory: string;
  readonly context: SetupContext;
  readonly base?: string | undefined;
}

/** @param base address of another server than the makers', with the same folders below it */
async function fill({ browser, release, directory, context, base }: FillOptions): Promise<FilledBrowser> {
  const { browsers, platform } = await load();
  const name = { browser, wanted: release };
  const title = `Downloading ${titles[browser] ?? browser} ${release}`;
  context.progress({ title });
  const archive = browsers.getDownloadUrl(browser as Browser, platform, release, base);
  const options = {
    ...(base === undefined ? {} : { baseUrl: base }),
    browser: browser as Browser,
    buildId: release,
    platform,
    cacheDir: directory,
    downloadProgressCallback: (done: number, total: number) =>
      context.progress({ title, ...(total > 0 ? { fraction: done / total } : {}) }),
  };
  try {
    // Chrome for Testing publishes no digests: there, HTTPS alone vouches for what comes.
    const sha256 = browser === 'firefox' ? await firefoxSha256(archive, context) : null;
    const { executablePath } = await browsers.install({
      ...options,
      ...(sha256 === null ? {} : { expectedHash: sha256 }),
    });
    return {
      executable: path.relative(directory, executablePath),
      family: browser === 'firefox' ? 'firefox' : 'chromium',
      name: titles[browser] ?? browser,
      build: browser === 'chrome-headless-shell' ? 'headless-shell' : 'full',
      origin: archive.href,
      integrity: sha256 === null ? null : `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`,
    };
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code !== 'unsupported') throw thrown;
    if (foreignWords(thrown).includes('Integrity check failed')) throw notAsPublished(name, archive, thrown);
    const isNotFound =
      thrown instanceof H2h3Error
        ? thrown.context['httpStatus'] === 404
        : /(?:code|status) 404/.test(foreignWords(thrown));
    throw isNotFound ? unknown(name, thrown) : unreachable(name, thrown);
  }
}

function unknown(name: VersionedName, cause?: unknown): H2h3Error {
  const expected =
    name.browser === 'firefox'
      ? 'a version such as firefox@150.0, or firefox@ with stable, beta, nightly, devedition, esr'
      : `a milestone such as ${name.browser}@148, a whole version, or ${name.browser}@ with stable, beta, dev, canary`;
  return new H2h3Error('usage', `There is no ${nameOf(name)} for this system`, {
    context: { expected, got: nameOf(name) },
    cause,
  });
}

function notAsPublished(name: VersionedName, archive: URL, cause: unknown): H2h3Error {
  const [, expected] = /Expected: (\S+)/.exec(foreignWords(cause)) ?? [];
  const [, got] = /Actual: +(\S+)/.exec(foreignWords(cause)) ?? [];
  return new H2h3Error(
    'bad-input',
    `The archive of ${nameOf(name)} that came is not the one that was published`,
    {
      context: { file: archive.href, ...(expected ? { expected } : {}), ...(got ? { got } : {}) },
      next: 'Try again; if it stays so, a proxy or the server gives a broken archive.',
      cause,
    },
  );
}

function unreachable(name: VersionedName, cause: unknown): H2h3Error {
  const servers = name.browser === 'firefox' ? "Mozilla's" : "Chrome for Testing's";
  const inner = cause instanceof Error && cause.cause !== undefined ? ` (${messageOf(cause.cause)})` : '';
  return new H2h3Error(
    'unsupported',
    `${nameOf(name)} cannot be had: ${servers} download servers did not answer: ${messageOf(cause)}${inner}`,
    {
      next: 'Check the connection or HTTPS_PROXY. Where only an npm registry can be reached, chromium@VERSION works on Linux (x64).',
      cause,
    },
  );
}

/**
 * Chrome for Testing and Firefox from their makers, fetched and unpacked by `@puppeteer/browsers`; Firefox is checked by
 * what Mozilla publishes.
 *
 * @param base as of `fill`
 */
export const puppeteerBrowsersFrom = (
  base?: string,
): BrowserProvider & { readonly download: BrowserDownload } => ({
  id: 'puppeteer',
  title: 'Chrome for Testing and Firefox from their download servers (@puppeteer/browsers)',
  browsers: ['chrome', 'chrome-headless-shell', 'firefox'],
  channels,
  download: {
    unsupported: () => null,
    resolve,
    fill: (browser, release, directory, context) => fill({ browser, release, directory, context, base }),
  },
});

export const puppeteerBrowsers = puppeteerBrowsersFrom();
