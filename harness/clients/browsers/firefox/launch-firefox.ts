import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { desktop } from '../../../../src/core/model/device.ts';
import { H2h3Error, messageOf } from '../../../../src/core/model/errors.ts';
import { untilIdle } from '../../../../src/core/system/processes/idle.ts';
import { treeCpuReader } from '../../../../src/core/system/processes/tree-cpu.ts';
import { killTree } from '../../../../src/core/system/processes/kill-tree.ts';
import { leftOutOf } from '../../../../src/core/model/workload.ts';
import { nameServiceOf, type ClientLaunchOptions } from '../../client-driver.ts';
import type { LaunchBrowser } from '../browser.ts';
import { within } from '../deadline.ts';
import { pageExpression } from '../page-script.ts';
import { temporaryFolderIn } from '../../../../src/core/system/temporary-folder.ts';
import { BidiSession } from './bidi-connection.ts';
import { FirefoxProcess, type FirefoxProcessOptions } from './firefox-process.ts';
import { FirefoxSession } from './firefox-session.ts';
import { giveAccess } from './give-access.ts';
import { firefoxPreferences, type Preferences } from './preferences.ts';
import { preferencesFile, writeProfile } from './profile.ts';
import { profileSeed, sowProfile } from './profile-seed.ts';

const launchLimitMs = 60_000;
/** Firefox says that it is ready while it still works for some 0.4 s on its start, which would fall into the page's load. */
const settled = { intervalMs: 60, intervals: 6, limitMs: 3000 } as const;
/**
 * A second after its start Firefox starts a content process beforehand. A user's Firefox has it when a page is opened; a page
 * that is loaded before it is there, or meanwhile, took a third longer. So it is started at once here, and the delay is as
 * ever when the page loads.
 */
const prelaunchDelay = 'dom.ipc.processPrelaunch.delayMs';
const prelaunchDelayMs = 50;

/** For this start only: a profile that kept it would never come to its size when it is started again. */
const layOutAsForPhones =
  "Services.prefs.getDefaultBranch('').setBoolPref('dom.meta-viewport.enabled', true), true";

function containExpression(options: ClientLaunchOptions): string {
  const nameService = nameServiceOf(options);
  const place = nameService === undefined ? null : new URL(nameService).host;
  return pageExpression('../firefox/page/contain-page.ts', 'containPage', options.hosts, place);
}

/** Starts stock Firefox with its own profile and one empty tab, driven over WebDriver BiDi. */
export const launchFirefox: LaunchBrowser = async (options) => {
  const preferences = { ...firefoxPreferences(options), [prelaunchDelay]: prelaunchDelayMs };
  const warnings = [...(await makeProfile(options, preferences)), ...certificateWarnings(options)];
  const temporary = await temporaryFolderIn(options.profileDir);
  const start = processOptions(options, options.profileDir);
  const browser = new FirefoxProcess({ ...start, environment: { ...temporary, ...start.environment } });
  try {
    const bidi = await within(open(browser, options), launchLimitMs, 'the start of Firefox');
    await block(bidi, leftOutOf(options));
    const { access, authority } = options;
    if (authority !== undefined) await trust(bidi, authority);
    const opened = options.live?.remote.url ?? options.app?.url;
    if (access !== undefined && opened !== undefined)
      await within(giveAccess(bidi, access, opened), launchLimitMs, 'opening the page to Firefox');
    const { firstScript } = options.replay ?? {};
    if (typeof firstScript === 'string') await bidi.addPreloadScript(firstScript);
    const rootPid = browser.pid;
    if (rootPid === undefined) throw new H2h3Error('internal', 'Firefox has no process');
    if (!(await untilIdle(treeCpuReader(rootPid), settled)))
      warnings.push(`Firefox was still busy with its start after ${settled.limitMs} ms`);
    await bidi.evaluate('browser', `Services.prefs.clearUserPref('${prelaunchDelay}')`);
    return new FirefoxSession({ bidi, process: browser, rootPid, warnings, options });
  } catch (thrown) {
    if (browser.pid !== undefined) await killTree(browser.pid);
    throw didNotStart(options, browser.stderrTail(), thrown);
  }
};

/** Whether Firefox must take unsigned certificates: it can be told so for all hosts or for none. */
function acceptsAnyCertificate({ server, live, authority }: ClientLaunchOptions): boolean {
  return (server !== null && authority === undefined) || (live?.acceptedKeys.length ?? 0) > 0;
}

/** What a reader of the results must know of that. */
function certificateWarnings(options: ClientLaunchOptions): string[] {
  if (options.server !== null || !acceptsAnyCertificate(options)) return [];
  return ['Firefox accepted the certificates of all hosts: it cannot be told of one (--ca, --insecure)'];
}

/** It shares no connection between hosts whose certificates it was merely told to accept. @throws H2h3Error `process-failed` */
async function trust(bidi: BidiSession, authority: string): Promise<void> {
  const trusted = pageExpression('../firefox/page/trust-authority.ts', 'trustAuthority', authority);
  if ((await bidi.evaluate('browser', trusted)) !== true)
    throw new H2h3Error('process-failed', 'Firefox does not take the authority of the certificates');
}

async function block(bidi: BidiSession, patterns: readonly string[]): Promise<void> {
  if (patterns.length === 0) return;
  const expressions = patterns.map((pattern) => pattern.split('*').map(RegExp.escape).join('.*'));
  await bidi.evaluate(
    'browser',
    pageExpression('../firefox/page/block-requests.ts', 'blockRequests', expressions),
  );
}

/** Without the seed a start only takes longer, so its absence is no reason not to start. A profile that was started before stays as it is. */
async function makeProfile(options: ClientLaunchOptions, preferences: Preferences): Promise<string[]> {
  if (existsSync(join(options.profileDir, preferencesFile))) return [];
  await writeProfile(options.profileDir, preferences);
  const { cacheDir } = options;
  try {
    const seedDir = await profileSeed({
      executablePath: options.client.executablePath,
      preferences,
      start: (profileDir) => processOptions(options, profileDir),
      ...(cacheDir === undefined ? {} : { cacheDir }),
    });
    await sowProfile(seedDir, options.profileDir);
    return [];
  } catch (thrown) {
    return [`Firefox starts slowly: the seed of its profiles could not be made (${messageOf(thrown)})`];
  }
}

async function open(browser: FirefoxProcess, options: ClientLaunchOptions): Promise<BidiSession> {
  const { device = desktop, replay } = options;
  const bidi = await BidiSession.open(await browser.endpoint, acceptsAnyCertificate(options));
  const { width, height, scale } = device;
  const prepareWindow = pageExpression('../firefox/page/prepare-window.ts', 'prepareWindow', width, height);
  const fits = scale === 1 && (await bidi.evaluate('browser', prepareWindow));
  if (fits !== true) await bidi.setViewport({ width, height }, scale);
  // Not before: setting the size waits for a page to have it, and one laid out as for phones is wider until it says not.
  if (device.mobile) await bidi.evaluate('browser', layOutAsForPhones);
  if (replay !== undefined) await bidi.evaluate('browser', containExpression(options));
  return bidi;
}

function processOptions(options: ClientLaunchOptions, profileDir: string): FirefoxProcessOptions {
  return {
    executablePath: options.client.executablePath,
    arguments: [
      '--profile',
      profileDir,
      '--no-remote',
      '--new-instance',
      '--remote-debugging-port=0',
      // Scripts with the browser's privileges: the network's record is read from Firefox's own channels.
      '--remote-allow-system-access',
      ...(options.headed ? [] : ['--headless']),
      options.startUrl ?? 'about:blank',
    ],
    environment: {
      MOZ_CRASHREPORTER_DISABLE: '1',
      ...logEnvironment(options),
      ...(options.logs?.keys === undefined ? {} : { SSLKEYLOGFILE: options.logs.keys }),
      ...options.client.environment,
    },
  };
}

/**
 * HTTP/2 and HTTP/3 in full. Releases say of QUIC no more than what its levels from `info` on say: no single packets.
 * `rotate` bounds the files, in megabytes.
 */
const loggedModules =
  'timestamp,sync,rotate:64,nsHttp:4,nsSocketTransport:3,neqo_http3::*:4,neqo_transport::*:4';

/** https://firefox-source-docs.mozilla.org/networking/http/logging.html */
function logEnvironment({ logs: { mozLog } = {} }: ClientLaunchOptions): Record<string, string> {
  return mozLog === undefined ? {} : { MOZ_LOG: loggedModules, MOZ_LOG_FILE: mozLog };
}

function didNotStart(options: ClientLaunchOptions, stderrTail: string, cause: unknown): H2h3Error {
  const { id, name, executablePath } = options.client;
  return new H2h3Error('process-failed', `${name} did not start: ${messageOf(cause)}`, {
    context: { client: id, executable: executablePath, stderrTail },
    next: `run it by hand to see why: ${executablePath} --version (before 140 is not supported)`,
    cause,
  });
}
