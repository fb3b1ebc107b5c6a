import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramWords } from '../../core/model/program-words.ts';

/** What decides which program Playwright starts. */
export interface BrowserChoice {
  readonly browserName: string;
  readonly executablePath: string | undefined;
  readonly channel: string | undefined;
  readonly headless: boolean;
  /** Of the browser that Playwright has fetched for itself, there or not. */
  readonly ownExecutablePath: string;
  /** What sentences call the package. */
  readonly words: ProgramWords;
}

/** Where Google's and Microsoft's packages put their channels. */
const packaged = /^(?<maker>chrome|msedge)(?<channel>-beta|-dev|-unstable|-canary)?$/;
const folders: Readonly<Record<string, readonly [string, string]>> = {
  chrome: ['/opt/google/chrome', 'chrome'],
  msedge: ['/opt/microsoft/msedge', 'msedge'],
};

/**
 * The program that Playwright would start. Headless it takes the shell of Chromium, which lies next to the whole browser.
 *
 * @throws Error for a channel that is driven over a port, which would lie behind the path too
 */
export function browserProgram(choice: BrowserChoice): string {
  const { browserName, executablePath, channel, headless, ownExecutablePath, words } = choice;
  if (executablePath !== undefined) return executablePath;
  const { maker = '', channel: release = '' } = packaged.exec(channel ?? '')?.groups ?? {};
  const [folder, program] = folders[maker] ?? [];
  if (folder !== undefined && program !== undefined) return `${folder}${release}/${program}`;
  if (channel !== undefined && !['', 'chromium', 'firefox', 'webkit'].includes(channel))
    throw new Error(
      `${words.name} does not know where the channel ${channel} is. Name its program by launchOptions.executablePath, or run ${words.behind('4g')} -- npx playwright test`,
    );
  if (browserName !== 'chromium' || !headless || channel === 'chromium') return ownExecutablePath;
  const [shell] = shellsNextTo(ownExecutablePath);
  return shell ?? ownExecutablePath;
}

/** `…/chromium-1187/chrome-linux/chrome` has `…/chromium_headless_shell-1187/*` next to it. */
function shellsNextTo(executablePath: string): string[] {
  const [, browsers, revision] = /^(.*)\/chromium-(\d+)\//.exec(executablePath) ?? [];
  if (browsers === undefined || revision === undefined) return [];
  const folder = `${browsers}/chromium_headless_shell-${revision}`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => shellNames.map((shell) => join(folder, name, shell)))
    .filter(isProgram);
}

const shellNames = ['chrome-headless-shell', 'headless_shell'];

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // not there, which is all that is asked
  }
}
