import { mkdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { shellWord } from '../../../../src/core/model/command-words.ts';
import { H2h3Error, messageOf } from '../../../../src/core/model/errors.ts';
import { makeLock, removeAbandonedLock, requireIsLock } from '../../../../src/core/system/lock-file.ts';
import { processIdentity } from '../../../../src/core/system/processes/process-identity.ts';
import { userCacheDir } from '../../../../src/core/system/tool-cache.ts';
import type { LaunchBrowser } from '../browser.ts';
import type { ClientLaunchOptions } from '../../client-driver.ts';
import { within } from '../deadline.ts';
import { openTab } from '../chromium/open-tab.ts';
import type { RunningChromium } from '../chromium/running-chromium.ts';
import { androidSwitches } from '../chromium/switches.ts';
import { openDevtools } from './devtools-streams.ts';
import { chromeApp } from './find-phone.ts';
import { Phone } from './phone.ts';

/** Chrome reads it where it is the app to be debugged. */
const switchesFile = '/data/local/tmp/chrome-command-line';
const devtoolsSocket = 'localabstract:chrome_devtools_remote';
const startLimitMs = 60_000;
/** The trial before may still be ending there. */
const turnLimitMs = 60_000;
const askAgainMs = 200;

/** Starts Chrome on a phone, emptied, with the switches of the trial. One trial at a time has the phone. */
export const launchAndroid: LaunchBrowser = async (options) => {
  const phone = new Phone(options.client);
  const app = options.client.environment['H2H3_ANDROID_APP'] ?? chromeApp;
  const release = await takePhone(options.client.environment['ANDROID_SERIAL'] ?? '');
  const undo: (() => Promise<unknown>)[] = [];
  const end = async (): Promise<void> => {
    // Each is tried whatever became of the others: the phone may be gone.
    for (const step of undo.splice(0).toReversed()) await step().catch(() => undefined);
    release();
  };
  try {
    const opened = start({ phone, app, undo, end }, options);
    return await within(opened, startLimitMs, 'its start');
  } catch (thrown) {
    await end();
    throw new H2h3Error('process-failed', `Chrome on Android did not start: ${messageOf(thrown)}`, {
      context: thrown instanceof H2h3Error ? thrown.context : {},
      cause: thrown,
    });
  }
};

interface OnPhone {
  readonly phone: Phone;
  readonly app: string;
  /** What brings the phone back to where it was, the last first. */
  readonly undo: (() => Promise<unknown>)[];
  readonly end: () => Promise<void>;
}

async function start(
  { phone, app, undo, end }: OnPhone,
  options: ClientLaunchOptions,
): ReturnType<LaunchBrowser> {
  const name = shellWord(app);
  await phone.shell(`am force-stop ${name}`);
  await phone.shell(`pm clear ${name}`);
  undo.push(() => phone.shell(`rm -f ${switchesFile}`));
  await phone.shell(`printf '%s\\n' ${shellWord(switchesLine(androidSwitches(options)))} > ${switchesFile}`);
  undo.push(() => phone.shell('am clear-debug-app'));
  await phone.shell(`am set-debug-app --persistent ${name}`);
  undo.push(() => phone.shell(`am force-stop ${name}`));
  await phone.shell(`am start -W -n ${name}/com.google.android.apps.chrome.Main -d about:blank`);
  const port = await phone.adb('forward', 'tcp:0', devtoolsSocket);
  undo.push(() => phone.adb('forward', '--remove', `tcp:${port}`));
  const devtools = await openDevtools(await debuggingAddress(port));
  const browser: RunningChromium = {
    pid: undefined,
    write: devtools.write,
    read: devtools.read,
    ended: devtools.ended,
    stderrTail: () => '',
    kill: async () => {
      devtools.close();
      await end();
    },
    processes: () => phone.processesOf(app),
  };
  const warnings = ['Chrome ran on a phone: its network, clock and temperature are its own'];
  // Logs are files, and the phone's are not ours; a trace comes over the connection.
  const { trace } = options.logs ?? {};
  return openTab({ ...options, logs: trace === undefined ? {} : { trace } }, browser, warnings);
}

/** Chrome takes the first word for its own name, and blanks within quotes for part of a word. */
export function switchesLine(switches: readonly string[]): string {
  const quotedSwitches = switches.map((word) => `"${word.replaceAll(/["\\]/g, '\\$&')}"`);
  return ['_', ...quotedSwitches].join(' ');
}

const addressSchema = z.object({ webSocketDebuggerUrl: z.string() });

/** Chrome opens its socket some time after it was started. */
async function debuggingAddress(port: string): Promise<string> {
  for (const endMs = performance.now() + startLimitMs; ; await sleep(askAgainMs)) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/json/version`);
      const { pathname } = new URL(addressSchema.parse(await answer.json()).webSocketDebuggerUrl);
      return `ws://127.0.0.1:${port}${pathname}`;
    } catch (thrown) {
      if (performance.now() > endMs) throw thrown;
    }
  }
}

/**
 * Waits until no other trial has the phone; returns what gives it back. The name of the lock can be foreseen, so it lies
 * where nobody but this user writes. Only one user's server of adb reaches a phone.
 */
async function takePhone(serial: string): Promise<() => void> {
  const folder = userCacheDir({
    homeDir: os.homedir(),
    platform: process.platform,
    environment: process.env,
  });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `phone-${serial.replaceAll(/[^\w.-]/g, '_')}.lock`);
  const identity = processIdentity(process.pid);
  const endMs = performance.now() + turnLimitMs;
  while (!makeLock(file, identity)) {
    removeAbandonedLock(file, identity);
    requireIsLock(file);
    if (performance.now() > endMs)
      throw new H2h3Error('process-failed', `another run has the phone ${serial}`, { context: { file } });
    await sleep(askAgainMs);
  }
  return () => rmSync(file, { force: true });
}
