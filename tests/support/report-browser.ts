import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, type TestContext } from 'node:test';
import puppeteer from 'puppeteer-core';
import type { Browser } from 'puppeteer-core';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { inBrowser } from './left-to-wide.ts';
import { startLimitMs } from './processes.ts';
import { removeWithTest, testEnvironment } from './test-scope.ts';

/** The families that a report must work in. */
export const reportBrowsers = ['best', 'firefox'] as const;
export type ReportBrowser = (typeof reportBrowsers)[number];

/** A browser of this machine for reading reports, or the reason why there is none. */
export async function openReportBrowser(name: ReportBrowser): Promise<Browser | string> {
  const setup = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
  try {
    const client = await resolveClient(name, setup);
    const firefox = client.family === 'firefox';
    const profileDir = mkdtempSync(path.join(tmpdir(), 'h2h3-test-browser-'));
    removeWithTest(profileDir);
    return await puppeteer.launch({
      browser: firefox ? 'firefox' : 'chrome',
      executablePath: client.executablePath,
      headless: client.build === 'headless-shell' ? 'shell' : true,
      args: firefox ? [] : ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
      env: { ...process.env, ...client.environment, ...testEnvironment() },
      userDataDir: profileDir,
      timeout: startLimitMs,
      // A port would be open to every program of this machine; Firefox has nothing else.
      pipe: !firefox,
    });
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return thrown.message;
    throw thrown;
  }
}

/** The browser that a test reads in, or undefined after the test was skipped with the reason why there is none. */
export type Available = (t: TestContext) => Browser | undefined;

/** Describes `what` in a browser of each family, opened before the tests and closed after them. */
export function describeInReportBrowsers(
  what: string,
  tests: (available: Available, name: ReportBrowser) => void,
): void {
  for (const name of reportBrowsers)
    describe(`${what} in ${name === 'best' ? 'a Chromium browser' : 'Firefox'}`, inBrowser(name), () => {
      let browser: Browser | string;
      before(async () => {
        browser = await openReportBrowser(name);
      });
      after(async () => {
        if (typeof browser !== 'string') await browser.close();
      });
      tests((t) => {
        if (typeof browser !== 'string') return browser;
        t.skip(browser);
        return undefined;
      }, name);
    });
}
