import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'puppeteer-core';
import { desktop, type Device } from '../../src/core/model/device.ts';
import { H2h3Error, messageOf, unwritableReason } from '../../src/core/model/errors.ts';
import type { ClientLaunchOptions } from '../clients/client-driver.ts';
import { machineFacts } from '../clients/browsers/chromium/machine-facts.ts';
import { chromiumSwitches } from '../clients/browsers/chromium/switches.ts';
import { within } from '../clients/browsers/deadline.ts';
import { killTree } from '../../src/core/system/processes/kill-tree.ts';
import { temporaryFolderIn } from '../../src/core/system/temporary-folder.ts';
import type { Probe, ProbeContext, ProbeYield } from './probe.ts';
import { installCommand, isInstalled } from '../../src/core/system/optional-package.ts';
import { clientEnvironment } from '../../src/core/system/processes/trial-environment.ts';

/** Names of the counters, by Lighthouse's audit; all in ms but `cumulative-layout-shift`, which has no unit. */
const counterByAudit: Readonly<Record<string, string>> = {
  'first-contentful-paint': 'lighthouseFcpMs',
  'largest-contentful-paint': 'lighthouseLcpMs',
  'total-blocking-time': 'lighthouseTbtMs',
  'speed-index': 'lighthouseSpeedIndexMs',
  interactive: 'lighthouseInteractiveMs',
  'cumulative-layout-shift': 'lighthouseCls',
};

/** Below the time that a run leaves a worker beyond the deadline of its workload. */
const limitMs = 45_000;
const file = 'lighthouse.json.gz';

/**
 * Audits the page with Lighthouse in a browser of its own, in the network condition as it is: Lighthouse's simulated
 * throttling is off, because it would replace what is being compared.
 */
export const lighthouse: Probe = {
  id: 'lighthouse',
  title: 'a Lighthouse audit in a navigation of its own (Chromium family), not by default',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  onThisMachine: true,
  measuresAgain: true,
  setup: (context) => {
    requireLighthouse();
    return { teardown: () => audited(context) };
  },
};

/** @throws H2h3Error `unsupported` with the command that installs it */
export function requireLighthouse(): void {
  if (isInstalled('lighthouse')) return;
  throw new H2h3Error(
    'unsupported',
    'the probe lighthouse needs the package lighthouse, which is not installed',
    {
      next: `\`${installCommand('lighthouse')}\``,
    },
  );
}

async function audited(context: ProbeContext): Promise<ProbeYield> {
  if (context.launch.client.family !== 'chromium')
    return { warnings: ['Lighthouse audits browsers of the Chromium family only'] };
  try {
    return await audit(context);
  } catch (thrown) {
    if (unwritableReason(thrown) !== undefined) throw thrown;
    return { warnings: [`the Lighthouse audit failed: ${messageOf(thrown)}`] };
  }
}

async function audit({ launch, tempDir, trialDir, url }: ProbeContext): Promise<ProbeYield> {
  const profileDir = join(tempDir, 'profile');
  await mkdir(profileDir, { recursive: true });
  const browser = await start({ ...launch, profileDir });
  try {
    return await within(auditIn(browser, url, trialDir, launch.device), limitMs, 'the Lighthouse audit');
  } finally {
    const pid = browser.process()?.pid;
    if (pid !== undefined) await killTree(pid);
  }
}

/** Lighthouse wants a page of Puppeteer's. Both are large and loaded only when they are asked for. */
async function start(options: ClientLaunchOptions): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer-core');
  return puppeteer.launch({
    executablePath: options.client.executablePath,
    ignoreDefaultArgs: true,
    args: chromiumSwitches(options, machineFacts(options.client)),
    pipe: true,
    defaultViewport: null,
    env: {
      ...clientEnvironment(),
      ...options.client.environment,
      ...(await temporaryFolderIn(options.profileDir)),
    },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

async function auditIn(
  browser: Browser,
  url: string,
  trialDir: string,
  device: Device = desktop,
): Promise<ProbeYield> {
  const { default: runLighthouse } = await import('lighthouse');
  const [page = await browser.newPage()] = await browser.pages();
  const { width, height, scale, mobile } = device;
  const result = await runLighthouse(
    url,
    {
      output: 'json',
      onlyCategories: ['performance'],
      formFactor: mobile ? 'mobile' : 'desktop',
      throttlingMethod: 'provided',
      screenEmulation: { width, height, deviceScaleFactor: scale, mobile, disabled: false },
      maxWaitForLoad: limitMs,
    },
    undefined,
    page,
  );
  if (result === undefined) throw new H2h3Error('process-failed', 'Lighthouse gave no result');
  const { lhr } = result;
  await writeFile(join(trialDir, file), gzipSync(JSON.stringify(lhr)));
  const counters: Record<string, number> = {};
  const score = lhr.categories['performance']?.score;
  if (typeof score === 'number') counters['lighthousePerformanceScore'] = score;
  for (const [id, name] of Object.entries(counterByAudit)) {
    const value = lhr.audits[id]?.numericValue;
    if (value !== undefined) counters[name] = value;
  }
  const { runtimeError } = lhr;
  const warnings = runtimeError ? [`Lighthouse: ${runtimeError.message}`] : [];
  return {
    counters,
    artifacts: { lighthouse: file },
    warnings: [...warnings, ...lhr.runWarnings.map(String)],
  };
}
