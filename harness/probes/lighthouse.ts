import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'puppeteer-core';
import { desktop } from '../../src/model/device.ts';
import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type { BrowserLaunchOptions } from '../clients/browsers/browser.ts';
import { machineFacts } from '../clients/browsers/chromium/machine-facts.ts';
import { chromiumSwitches } from '../clients/browsers/chromium/switches.ts';
import { within } from '../clients/browsers/deadline.ts';
import { killTree } from '../../src/system/processes/kill-tree.ts';

export interface LighthouseOptions {
  /** How the measured browser was started; the audited one is started alike, with a profile of its own. */
  readonly browser: BrowserLaunchOptions;
  readonly url: string;
  /** `lighthouse.json.gz` is written here. */
  readonly trialDir: string;
  readonly limitMs: number;
}

export interface LighthouseOutcome {
  readonly counters: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

/** Names of the counters, by Lighthouse's audit; all in ms but `cumulative-layout-shift`, which has no unit. */
const counterByAudit: Readonly<Record<string, string>> = {
  'first-contentful-paint': 'lighthouseFcpMs',
  'largest-contentful-paint': 'lighthouseLcpMs',
  'total-blocking-time': 'lighthouseTbtMs',
  'speed-index': 'lighthouseSpeedIndexMs',
  interactive: 'lighthouseInteractiveMs',
  'cumulative-layout-shift': 'lighthouseCls',
};

/**
 * Audits `url` with Lighthouse in a browser of its own, in the network condition as it is: Lighthouse's simulated
 * throttling is off, because it would replace what is being compared. Never throws: a failed audit is a warning.
 */
export async function auditWithLighthouse(options: LighthouseOptions): Promise<LighthouseOutcome> {
  if (options.browser.client.family !== 'chromium')
    return { counters: {}, warnings: ['Lighthouse audits browsers of the Chromium family only'] };
  try {
    return await audit(options);
  } catch (thrown) {
    return { counters: {}, warnings: [`the Lighthouse audit failed: ${messageOf(thrown)}`] };
  }
}

async function audit(options: LighthouseOptions): Promise<LighthouseOutcome> {
  await mkdir(options.browser.profileDir, { recursive: true });
  const browser = await start(options.browser);
  try {
    return await within(auditIn(browser, options), options.limitMs, 'the Lighthouse audit');
  } finally {
    const pid = browser.process()?.pid;
    if (pid !== undefined) await killTree(pid);
  }
}

/** Lighthouse wants a page of Puppeteer's. Both are large and loaded only when they are asked for. */
async function start(options: BrowserLaunchOptions): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer-core');
  return puppeteer.launch({
    executablePath: options.client.executablePath,
    ignoreDefaultArgs: true,
    args: chromiumSwitches(options, machineFacts(options.client)),
    pipe: true,
    defaultViewport: null,
    env: { ...process.env, ...options.client.environment },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

async function auditIn(browser: Browser, options: LighthouseOptions): Promise<LighthouseOutcome> {
  const { default: lighthouse } = await import('lighthouse');
  const [page = await browser.newPage()] = await browser.pages();
  const { width, height, scale, mobile } = options.browser.device ?? desktop;
  const result = await lighthouse(
    options.url,
    {
      output: 'json',
      onlyCategories: ['performance'],
      formFactor: mobile ? 'mobile' : 'desktop',
      throttlingMethod: 'provided',
      screenEmulation: { width, height, deviceScaleFactor: scale, mobile, disabled: false },
      maxWaitForLoad: options.limitMs,
    },
    undefined,
    page,
  );
  if (result === undefined) throw new H2h3Error('process-failed', 'Lighthouse gave no result');
  const { lhr } = result;
  await mkdir(options.trialDir, { recursive: true });
  await writeFile(path.join(options.trialDir, 'lighthouse.json.gz'), gzipSync(JSON.stringify(lhr)));
  const counters: Record<string, number> = {};
  const score = lhr.categories['performance']?.score;
  if (typeof score === 'number') counters['lighthousePerformanceScore'] = score;
  for (const [id, name] of Object.entries(counterByAudit)) {
    const value = lhr.audits[id]?.numericValue;
    if (value !== undefined) counters[name] = value;
  }
  const { runtimeError } = lhr;
  const warnings = runtimeError ? [`Lighthouse: ${runtimeError.message}`] : [];
  return { counters, warnings: [...warnings, ...lhr.runWarnings.map(String)] };
}
