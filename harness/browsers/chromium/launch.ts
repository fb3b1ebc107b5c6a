import puppeteer, { type Browser, type CDPSession } from 'puppeteer-core';
import { H2h3Error, messageOf } from '../../../src/model/errors.ts';
import type { BrowserLaunchOptions, LaunchBrowser } from '../browser.ts';
import { LaunchedProcess } from '../launched-process.ts';
import { killTree } from '../../processes/kill-tree.ts';
import { machineFacts } from './machine-facts.ts';
import { ChromiumSession } from './session.ts';
import { chromiumSwitches, viewport } from './switches.ts';

const launchLimitMs = 30_000;

/** Starts a browser of the Chromium family with its own profile and one empty tab. */
export const launchChromium: LaunchBrowser = async (options) => {
  const machine = machineFacts(options.client);
  const launched = new LaunchedProcess();
  try {
    const browser = await launched.during(() => start(options, chromiumSwitches(options, machine)));
    const rootPid = browser.process()?.pid;
    if (rootPid === undefined) throw new H2h3Error('internal', 'the browser has no process');
    const [page, product] = await Promise.all([sessionOfTab(browser), browser.version()]);
    const [name = options.client.name, version = options.client.version] = product.split('/');
    const { frames, networkEvents = true } = options;
    const { warnings } = machine;
    return new ChromiumSession({ name, version, rootPid, page, frames, networkEvents, launched, warnings });
  } catch (thrown) {
    if (launched.pid !== undefined) await killTree(launched.pid);
    throw didNotStart(options, launched.stderrTail(), thrown);
  }
};

function start(options: BrowserLaunchOptions, switches: readonly string[]): Promise<Browser> {
  return puppeteer.launch({
    executablePath: options.client.executablePath,
    // Puppeteer's own switches serve automation, not likeness to what users run; ours are all in `switches.ts`.
    ignoreDefaultArgs: true,
    args: [...switches],
    pipe: true,
    defaultViewport: null,
    env: { ...process.env, ...options.client.environment },
    timeout: launchLimitMs,
    protocolTimeout: 0,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

function didNotStart(options: BrowserLaunchOptions, stderrTail: string, cause: unknown): H2h3Error {
  const { id, name, executablePath } = options.client;
  return new H2h3Error('process-failed', `${name} did not start: ${messageOf(cause)}`, {
    context: { client: id, executable: executablePath, stderrTail },
    next: `run it by hand to see why: ${executablePath} --version`,
    cause,
  });
}

/** The tab without Puppeteer's page on top: that would ask the browser for many more events than are recorded. */
async function sessionOfTab(browser: Browser): Promise<CDPSession> {
  const tab = await browser.waitForTarget((target) => target.type() === 'page', { timeout: launchLimitMs });
  const session = await tab.createCDPSession();
  await session.send('Emulation.setDeviceMetricsOverride', {
    ...viewport,
    deviceScaleFactor: 1,
    mobile: false,
  });
  return session;
}
