import type { Device } from '../../../../src/core/model/device.ts';
import { isBlocked } from '../../../../src/core/model/live-address.ts';
import { leftOutOf } from '../../../../src/core/model/workload.ts';
import type { ClientLaunchOptions } from '../../client-driver.ts';
import { CdpConnection, type CdpSession } from './cdp-connection.ts';
import { giveAccess } from './give-access.ts';
import type { RunningChromium } from './running-chromium.ts';
import { ChromiumSession } from './session.ts';
import { Targets } from './targets.ts';

/** The one tab of a started browser, as the trial wants it; without a device it shows pages as the browser does. */
export async function openTab(
  options: ClientLaunchOptions,
  browser: RunningChromium,
  warnings: readonly string[],
): Promise<ChromiumSession> {
  const connection = new CdpConnection(browser.write, browser.read);
  const targets = new Targets(connection);
  const [page, { product, userAgent }] = await Promise.all([
    attachesToAll(options) ? targets.start().then(() => targets.firstPage()) : targets.firstPageAlone(),
    connection.root.send('Browser.getVersion'),
  ]);
  if (options.device !== undefined) await showOn(page, options.device);
  if (options.factors?.prefers !== undefined)
    await page.send('Emulation.setEmulatedMedia', { features: [...options.factors.prefers] });
  if (typeof options.replay?.firstScript === 'string')
    await runFirst(page, targets, options.replay.firstScript);
  await block(page, targets, leftOutOf(options));
  const opened = options.live?.remote.url ?? options.app?.url;
  const { access } = options;
  if (access !== undefined && opened !== undefined)
    await giveAccess(page, targets, access, { url: opened, leftOut: leftOutOf(options) });
  const [name = options.client.name, version = options.client.version] = ownProduct(product, userAgent).split(
    '/',
  );
  const { frames, instrumentation, driven = false, logs = {} } = options;
  return new ChromiumSession({
    name,
    version,
    browser,
    page,
    targets,
    connection,
    frames,
    instrumentation,
    driven,
    logs,
    serverAddress: options.server?.address,
    // Real sites poll, and leave answers unread.
    waitsForAll: options.server !== null && options.replay === undefined && options.app === undefined,
    warnings,
  });
}

/**
 * Whether frames and workers are stopped until they have been seen: where they are recorded, where the plan asks something of
 * each of them, and where a user's script drives the page, whose library stops them itself.
 */
function attachesToAll(options: ClientLaunchOptions): boolean {
  const { instrumentation, replay, access, driven = false } = options;
  const asksOfEach =
    typeof replay?.firstScript === 'string' || leftOutOf(options).length > 0 || access !== undefined;
  return instrumentation === 'instrumented' || driven || asksOfEach;
}

/** What a browser calls itself: those made of Chromium may tell its version as their product, and their own behind it. */
function ownProduct(product: string, userAgent: string): string {
  return /\b(?:Edg|OPR)\/[\d.]+/.exec(userAgent)?.[0] ?? product;
}

async function showOn(page: CdpSession, { width, height, scale, mobile, touch }: Device): Promise<void> {
  await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile });
  if (touch) await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
}

/** Of the page, and of each further target that can have it: workers have no documents, and not every target has a network. */
async function toEach(
  page: CdpSession,
  targets: Targets,
  add: (session: CdpSession) => Promise<void>,
): Promise<void> {
  targets.observe(
    (session) => void add(session).catch(() => undefined),
    () => undefined,
  );
  await add(page);
}

/** Before any script of a document, in every frame. */
async function runFirst(page: CdpSession, targets: Targets, source: string): Promise<void> {
  const add = async (session: CdpSession): Promise<void> => {
    await session.send('Page.enable');
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source });
  };
  await toEach(page, targets, add);
}

/**
 * Requests for addresses that the plan leaves out fail before they are sent. `Network.setBlockedURLs` does so only while the
 * network's events are recorded, which a timed trial's are not.
 */
async function block(page: CdpSession, targets: Targets, patterns: readonly string[]): Promise<void> {
  if (patterns.length === 0) return;
  const add = async (session: CdpSession): Promise<void> => {
    session.on('Fetch.requestPaused', ({ requestId, request }) => {
      if (!isBlocked(request.url, patterns)) return;
      session
        .send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
        // The page may have given it up meanwhile.
        .catch(() => undefined);
    });
    await session.send('Fetch.enable', { patterns: patterns.map((part) => ({ urlPattern: `*${part}*` })) });
  };
  await toEach(page, targets, add);
}
