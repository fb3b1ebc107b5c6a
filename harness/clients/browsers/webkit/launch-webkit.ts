import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { unusedPort } from '../../../../src/core/system/free-port.ts';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { endOfText } from '../../../../src/core/model/cut-text.ts';
import { desktop } from '../../../../src/core/model/device.ts';
import { H2h3Error, messageOf } from '../../../../src/core/model/errors.ts';
import { killTree } from '../../../../src/core/system/processes/kill-tree.ts';
import { temporaryFolderIn } from '../../../../src/core/system/temporary-folder.ts';
import type { ClientLaunchOptions } from '../../client-driver.ts';
import type { LaunchBrowser } from '../browser.ts';
import { within } from '../deadline.ts';
import { WebDriver } from './webdriver.ts';
import { WebKitSession } from './webkit-session.ts';
import { clientEnvironment } from '../../../../src/core/system/processes/trial-environment.ts';

const launchLimitMs = 60_000;
const tailCharacters = 4000;

/** Starts WebKitGTK's small browser, with nothing kept from before, on a hidden display. */
export const launchWebKit: LaunchBrowser = async (options) => {
  const { client, device = desktop, headed, live } = options;
  const display = headed ? null : await openDisplay(client.environment['H2H3_XVFB'] ?? 'Xvfb', device);
  const started: ChildProcess[] = display === null ? [] : [display.process];
  const close = async (): Promise<void> => {
    for (const { pid } of started.toReversed()) if (pid !== undefined) await killTree(pid);
  };
  let stderr = '';
  const giveUp = AbortSignal.timeout(launchLimitMs);
  try {
    // The driver cannot be given a port that is open already, and does not say which it took by itself.
    const port = await unusedPort();
    const driver = spawn(client.executablePath, ['--host=127.0.0.1', `--port=${port}`], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...clientEnvironment(), ...(await placeIn(options)), ...display?.environment },
    });
    started.push(driver);
    driver.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = endOfText(stderr + chunk, tailCharacters);
    });
    const gone = once(driver, 'exit').then(() => {
      throw new H2h3Error('process-failed', 'WebKit ended by itself', { context: { stderrTail: stderr } });
    });
    gone.catch(() => undefined);
    const acceptsAny = (live?.acceptedKeys.length ?? 0) > 0;
    const capabilities = { browserName: 'MiniBrowser', acceptInsecureCerts: acceptsAny };
    const opened = Promise.race([WebDriver.open(port, capabilities, giveUp), gone]);
    const page = await within(opened, launchLimitMs, 'its start');
    await page.setViewport(device.width, device.height);
    const warnings = acceptsAny
      ? ['WebKit accepted the certificates of all hosts: it cannot be told of one']
      : [];
    const parts = {
      page,
      gone,
      close,
      warnings,
      serverAddress: options.server?.address,
      rootPid: driver.pid ?? 0,
      stderrTail: () => stderr.trim(),
    };
    return new WebKitSession(parts);
  } catch (thrown) {
    await close();
    throw new H2h3Error('process-failed', `${client.name} did not start: ${messageOf(thrown)}`, {
      context: { client: client.id, executable: client.executablePath, stderrTail: stderr },
      cause: thrown,
    });
  }
};

/** Its files go with the profile, and no service of the desktop is looked for. */
async function placeIn({ profileDir, client }: ClientLaunchOptions): Promise<Record<string, string>> {
  const places = ['HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'];
  return {
    ...Object.fromEntries(places.map((name) => [name, join(profileDir, name.toLowerCase())])),
    ...(await temporaryFolderIn(profileDir)),
    NO_AT_BRIDGE: '1',
    GSETTINGS_BACKEND: 'memory',
    LIBGL_ALWAYS_SOFTWARE: '1',
    ...client.environment,
  };
}

interface Display {
  readonly process: ChildProcess;
  readonly environment: Readonly<Record<string, string>>;
}

/** A display of its own, on a number that is free. */
async function openDisplay(
  program: string,
  { width, height }: { width: number; height: number },
): Promise<Display> {
  const screen = `${2 * width}x${2 * height}x24`;
  const process = spawn(program, ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const said = createInterface({ input: process.stdio[3] as Readable });
  const ended = once(process, 'exit').then(([code]) => {
    throw new H2h3Error('process-failed', `Xvfb ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  const number = once(said, 'line').then(([line]) => String(line));
  const named = await within(Promise.race([number, ended]), launchLimitMs, 'the start of Xvfb');
  return { process, environment: { DISPLAY: `:${named}` } };
}
