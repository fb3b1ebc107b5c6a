import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { startLimitMs } from './processes.ts';

/** A report opened by its file, as by double click, and everything it should not have done. */
export interface OpenedReport {
  readonly page: Page;
  /** Console errors and warnings, uncaught errors, and requests that left the page. */
  readonly complaints: string[];
}

const harmlessSchemes = ['file:', 'data:', 'blob:', 'about:'];

/**
 * Lays out all of a page, as if the window were as tall as it. A driver clicks in the same moment in which it has
 * scrolled; what a browser had skipped until then is not there to be clicked before the next frame.
 */
export async function layOutAll(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important }');
    document.adoptedStyleSheets.push(sheet);
  })()`);
}

/** Opens the text of a report from `folder` in a fresh page of `browser`. */
export async function openReport(
  browser: Browser,
  folder: string,
  text: string,
  options: { readonly widthPx?: number; readonly hash?: string } = {},
): Promise<OpenedReport> {
  const file = path.join(folder, 'report.html');
  writeFileSync(file, text);
  return openAddress(browser, `${pathToFileURL(file).href}${options.hash ?? ''}`, options);
}

export interface OpenOptions {
  readonly widthPx?: number;
  /** Server that the page may ask; default none. */
  readonly ownServer?: string;
}

/** A fresh page, in which all may take as long as a browser to start: of the driver it is 30 s, which a busy machine exceeds. */
export async function newPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(startLimitMs);
  return page;
}

/** Opens an address in a fresh page of `browser`. */
export async function openAddress(
  browser: Browser,
  address: string,
  { widthPx = 1280, ownServer }: OpenOptions = {},
): Promise<OpenedReport> {
  const page = await newPage(browser);
  await page.setViewport({ width: widthPx, height: 900 });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${String(error)}`));
  page.on('request', (request) => {
    const { protocol } = new URL(request.url());
    const isOwn = ownServer !== undefined && request.url().startsWith(ownServer);
    if (!isOwn && !harmlessSchemes.includes(protocol)) complaints.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address, { waitUntil: 'load' });
  await layOutAll(page);
  return { page, complaints };
}

/** Scrolls through the page so that every chart has come near the screen, and waits until all are drawn. */
export async function drawCharts(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 400) {
      scrollTo(0, y);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)));
    }
    // Waited for in the page itself: in Firefox the driver's own waiting is an eval, which the page's policy forbids.
    while (document.querySelectorAll('canvas:not([data-drawn])').length > 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
  })()`);
}

/** Waits for what a control does once the frame in which it answered is painted. */
export async function afterPaint(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
}

/** Waits until the table of comparisons has all the rows that it is to show; they come with several frames. */
export async function rowsInPlace(page: Page): Promise<void> {
  await afterPaint(page);
  await page.evaluate(`(async () => {
    while (document.getElementById('comparison-table')?.getAttribute('aria-busy') === 'true')
      await new Promise((resolve) => setTimeout(resolve, 20));
  })()`);
}

/** What an expression gives in the page; text, because types of the browser are not known to tests in Node. */
export async function inPage<T>(page: Page, expression: string): Promise<T> {
  return (await page.evaluate(expression)) as T;
}

/** The text of the first element that a selector finds. */
export async function textOf(page: Page, selector: string): Promise<string> {
  return inPage<string>(page, `document.querySelector(${JSON.stringify(selector)}).textContent`);
}
