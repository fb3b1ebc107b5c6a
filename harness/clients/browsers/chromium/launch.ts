import { setTimeout as sleep } from 'node:timers/promises';
import { desktop, type Device } from '../../../../src/model/device.ts';
import { H2h3Error, messageOf } from '../../../../src/model/errors.ts';
import { killTree } from '../../../../src/system/processes/kill-tree.ts';
import type { ClientLaunchOptions } from '../../client-driver.ts';
import type { LaunchBrowser } from '../browser.ts';
import { within } from '../deadline.ts';
import { temporaryFolderIn } from '../../../../src/system/temporary-folder.ts';
import { CdpConnection, type CdpSession } from './cdp-connection.ts';
import { ChromiumProcess } from './chromium-process.ts';
import { giveAccess } from './give-access.ts';
import { machineFacts } from './machine-facts.ts';
import { ChromiumSession } from './session.ts';
import { writeProfile } from './profile.ts';
import { chromiumSwitches } from './switches.ts';
import { Targets } from './targets.ts';

const launchLimitMs = 30_000;
const endLimitMs = 2000;

/** Starts a browser of the Chromium family with its own profile and one empty tab. */
export const launchChromium: LaunchBrowser = async (options) => {
  const machine = machineFacts(options.client);
  await writeProfile(options.profileDir);
  const temporary = await temporaryFolderIn(options.profileDir);
  const browser = new ChromiumProcess(options.client, chromiumSwitches(options, machine), temporary);
  try {
    const gone = browser.ended.then(() => Promise.reject(new Error('it ended at once')));
    const opened = Promise.race([openTab(options, browser, machine.warnings), gone]);
    return await within(opened, launchLimitMs, 'its start');
  } catch (thrown) {
    if (browser.pid !== undefined) await killTree(browser.pid);
    const how = await Promise.race([browser.ended, sleep(endLimitMs, 'still running')]);
    throw didNotStart(options, browser.stderrTail(), `${messageOf(thrown)} (${how})`, thrown);
  }
};

async function openTab(
  options: ClientLaunchOptions,
  browser: ChromiumProcess,
  warnings: readonly string[],
): Promise<ChromiumSession> {
  const connection = new CdpConnection(browser.write, browser.read);
  const targets = new Targets(connection);
  const [page, { product, userAgent }] = await Promise.all([
    targets.firstPage(),
    connection.root.send('Browser.getVersion'),
    targets.start(),
  ]);
  await showOn(page, options.device ?? desktop);
  if (options.mediaFeatures !== undefined)
    await page.send('Emulation.setEmulatedMedia', { features: [...options.mediaFeatures] });
  if (typeof options.replay?.firstScript === 'string')
    await runFirst(page, targets, options.replay.firstScript);
  await block(page, targets, options.live?.block ?? []);
  const { access, live } = options;
  if (access !== undefined && live !== undefined) await giveAccess(page, targets, access, live.remote.url);
  const [name = options.client.name, version = options.client.version] = ownProduct(product, userAgent).split(
    '/',
  );
  const { frames, networkEvents = true, logs = {} } = options;
  return new ChromiumSession({
    name,
    version,
    browser,
    page,
    targets,
    connection,
    frames,
    networkEvents,
    logs,
    // Real sites poll, and leave answers unread.
    waitsForAll: options.server !== null && options.replay === undefined,
    warnings,
  });
}

/** What a browser calls itself: those made of Chromium may tell its version as their product, and their own behind it. */
function ownProduct(product: string, userAgent: string): string {
  return /\b(?:Edg|OPR)\/[\d.]+/.exec(userAgent)?.[0] ?? product;
}

async function showOn(page: CdpSession, { width, height, scale, mobile, touch }: Device): Promise<void> {
  await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile });
  if (touch) await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
}

/** Before any script of a document, in every frame. */
async function runFirst(page: CdpSession, targets: Targets, source: string): Promise<void> {
  const add = async (session: CdpSession): Promise<void> => {
    await session.send('Page.enable');
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source });
  };
  targets.observe(
    // Workers have no documents.
    (session) => void add(session).catch(() => undefined),
    () => undefined,
  );
  await add(page);
}

/** The browser takes patterns of the form that `isBlocked` knows. */
async function block(page: CdpSession, targets: Targets, patterns: readonly string[]): Promise<void> {
  if (patterns.length === 0) return;
  const add = async (session: CdpSession): Promise<void> => {
    await session.send('Network.setBlockedURLs', { urls: [...patterns] });
  };
  targets.observe(
    // Not every target has a network of its own.
    (session) => void add(session).catch(() => undefined),
    () => undefined,
  );
  await add(page);
}

function didNotStart(
  options: ClientLaunchOptions,
  stderrTail: string,
  reason: string,
  cause: unknown,
): H2h3Error {
  const { id, name, executablePath } = options.client;
  return new H2h3Error('process-failed', `${name} did not start: ${reason}`, {
    context: { client: id, executable: executablePath, stderrTail },
    next: `run it by hand to see why: ${executablePath} --version`,
    cause,
  });
}
