import { setTimeout as sleep } from 'node:timers/promises';
import { desktop } from '../../../../src/core/model/device.ts';
import { H2h3Error, messageOf } from '../../../../src/core/model/errors.ts';
import { nameServiceOf, type ClientLaunchOptions } from '../../client-driver.ts';
import type { LaunchBrowser } from '../browser.ts';
import { within } from '../deadline.ts';
import { temporaryFolderIn } from '../../../../src/core/system/temporary-folder.ts';
import { ChromiumProcess } from './chromium-process.ts';
import { machineFacts } from './machine-facts.ts';
import { openTab } from './open-tab.ts';
import { writeProfile } from './profile.ts';
import { chromiumSwitches } from './switches.ts';

const launchLimitMs = 30_000;
const endLimitMs = 2000;

/** Starts a browser of the Chromium family with its own profile and one empty tab. */
export const launchChromium: LaunchBrowser = async (options) => {
  const machine = machineFacts(options.client);
  await writeProfile(options.profileDir, nameServiceOf(options));
  const temporary = await temporaryFolderIn(options.profileDir);
  const browser = new ChromiumProcess(options.client, chromiumSwitches(options, machine), temporary);
  try {
    const gone = browser.ended.then(() => Promise.reject(new Error('it ended at once')));
    const opened = Promise.race([
      openTab({ ...options, device: options.device ?? desktop }, browser, machine.warnings),
      gone,
    ]);
    return await within(opened, launchLimitMs, 'its start');
  } catch (thrown) {
    await browser.kill();
    const end = await Promise.race([browser.ended, sleep(endLimitMs, 'still running')]);
    throw didNotStart(options, browser.stderrTail(), `${messageOf(thrown)} (${end})`, thrown);
  }
};

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
