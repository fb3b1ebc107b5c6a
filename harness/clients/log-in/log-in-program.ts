/**
 * Runs a user's script that logs in, in a browser of its own, and answers with cookies and local storage. The script has a
 * process to itself: it may loop without end, close what it was given, or end the process.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { messageOf } from '../../../src/core/model/errors.ts';
import { noSecretReason, withoutSecrets } from '../../../src/core/model/secrets.ts';
import { killDescendants } from '../../../src/core/system/processes/kill-tree.ts';
import { stateOf } from '../browser-state.ts';
import { secretsOfScript } from '../secrets-of-script.ts';
import type { ClientLaunchOptions } from '../client-driver.ts';
import { machineFacts } from '../browsers/chromium/machine-facts.ts';
import { chromiumSwitches } from '../browsers/chromium/switches.ts';
import { firefoxPreferences } from '../browsers/firefox/preferences.ts';
import { temporaryFolderIn } from '../../../src/core/system/temporary-folder.ts';
import { secretVariable, unsetVariableOf } from '../secret-variable.ts';
import type { LogInAnswer, LogInOrder, LogInScript } from './log-in-script.ts';
import { clientEnvironment } from '../../../src/core/system/processes/trial-environment.ts';

const answerDescriptor = 3;
const secrets = new Set<string>();

function secret(name: string): string {
  const value = secretVariable(name);
  secrets.add(value);
  return value;
}

/** Whatever is typed to log in is as secret as what that leaves, wherever the script has it from. */
function keepTyped({ keyboard }: Page): void {
  const type = keyboard.type.bind(keyboard);
  keyboard.type = (text, options) => {
    if (noSecretReason(text) === undefined) secrets.add(text);
    return type(text, options);
  };
}

async function start(options: ClientLaunchOptions): Promise<Browser> {
  const { client, headed, profileDir, live } = options;
  const usual = {
    executablePath: client.executablePath,
    defaultViewport: null,
    env: { ...clientEnvironment(), ...client.environment, ...(await temporaryFolderIn(profileDir)) },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  };
  if (client.family === 'firefox')
    return puppeteer.launch({
      ...usual,
      browser: 'firefox',
      headless: !headed,
      userDataDir: profileDir,
      extraPrefsFirefox: firefoxPreferences(options),
      acceptInsecureCerts: (live?.acceptedKeys.length ?? 0) > 0,
    });
  const args = chromiumSwitches(options, machineFacts(client));
  return puppeteer.launch({ ...usual, pipe: true, ignoreDefaultArgs: true, args });
}

async function run({ scriptFile, url, launch }: LogInOrder): Promise<LogInAnswer> {
  const module = (await import(pathToFileURL(scriptFile).href)) as { readonly default?: LogInScript };
  if (typeof module.default !== 'function')
    throw new Error('its default export is no function, such as `export default async ({ page, url }) => …`');
  const browser = await start(launch);
  const [page = await browser.newPage()] = await browser.pages();
  keepTyped(page);
  await module.default({ page, browser, url, secret });
  return {
    kind: 'done',
    state: await stateOf(browser),
    secrets: [...secrets, ...secretsOfScript(scriptFile, process.env)],
  };
}

function answer(given: LogInAnswer): void {
  writeSync(answerDescriptor, JSON.stringify(given));
}

// The caller is gone: nothing of this may stay.
const lines = createInterface({ input: process.stdin });
lines.once('close', () => {
  killDescendants();
  process.exit(1);
});
lines.once('line', (line) => {
  const order = JSON.parse(line) as LogInOrder;
  run(order)
    .catch((thrown: unknown): LogInAnswer => {
      const known = [...secrets, ...secretsOfScript(order.scriptFile, process.env)];
      const message = withoutSecrets(messageOf(thrown), known);
      return { kind: 'failed', message, ...unsetVariableOf(thrown) };
    })
    .then((given) => {
      answer(given);
      killDescendants();
      process.exit(0);
    })
    .catch(() => process.exit(1));
});
