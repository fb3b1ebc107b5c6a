import { H2h3Error, messageOf } from '../../../src/model/errors.ts';
import { killTree } from '../../processes/kill-tree.ts';
import type { BrowserLaunchOptions, LaunchBrowser } from '../browser.ts';
import { viewport } from '../chromium/switches.ts';
import { within } from '../deadline.ts';
import { BidiSession } from './bidi-connection.ts';
import { FirefoxProcess } from './firefox-process.ts';
import { FirefoxSession } from './firefox-session.ts';
import { firefoxPreferences } from './preferences.ts';
import { writeProfile } from './profile.ts';

const launchLimitMs = 30_000;

/** Starts stock Firefox with its own profile and one empty tab, driven over WebDriver BiDi. */
export const launchFirefox: LaunchBrowser = async (options) => {
  await writeProfile(options.profileDir, firefoxPreferences(options));
  const browser = new FirefoxProcess({
    executablePath: options.client.executablePath,
    arguments: firefoxArguments(options),
    environment: { ...quietEnvironment, ...options.client.environment },
  });
  try {
    const bidi = await within(open(browser), launchLimitMs, 'the start of Firefox');
    await bidi.setViewport(viewport);
    const rootPid = browser.pid;
    if (rootPid === undefined) throw new H2h3Error('internal', 'Firefox has no process');
    return new FirefoxSession({ bidi, process: browser, rootPid, warnings: [] });
  } catch (thrown) {
    if (browser.pid !== undefined) await killTree(browser.pid);
    throw didNotStart(options, browser.stderrTail(), thrown);
  }
};

async function open(browser: FirefoxProcess): Promise<BidiSession> {
  return BidiSession.open(await browser.endpoint);
}

const quietEnvironment = { MOZ_CRASHREPORTER_DISABLE: '1' };

function firefoxArguments(options: BrowserLaunchOptions): string[] {
  return [
    '--profile',
    options.profileDir,
    '--no-remote',
    '--new-instance',
    '--remote-debugging-port=0',
    // Scripts with the browser's privileges: the network's record is read from Firefox's own channels.
    '--remote-allow-system-access',
    ...(options.headed ? [] : ['--headless']),
    'about:blank',
  ];
}

function didNotStart(options: BrowserLaunchOptions, stderrTail: string, cause: unknown): H2h3Error {
  const { id, name, executablePath } = options.client;
  return new H2h3Error('process-failed', `${name} did not start: ${messageOf(cause)}`, {
    context: { client: id, executable: executablePath, stderrTail },
    next: `run it by hand to see why: ${executablePath} --version`,
    cause,
  });
}
