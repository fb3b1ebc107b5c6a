import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'puppeteer-core';
import { benchRow, type RowParts } from '../../harness/bench/bench-row.ts';
import { formatTable } from '../../src/cli/table.ts';
import { writeLargeReport } from './large-report.ts';
import { inPage } from './opened-report.ts';
import { openReportBrowser, reportBrowsers } from './report-browser.ts';

/**
 * Measures how quick the largest report is, and judges it by the limits that are promised:
 * npm run bench:report -- [--repetitions 5]. Wall-clock times; they say something on an otherwise idle machine only.
 */
const mostFirstPaintMs = 500;
const mostReadyMs = 2000;
const mostInteractionMs = 100;
/** How much slower the processor is made while interactions are measured. */
const slowdown = 4;

/** Between the end of scrolling and a click. */
const scrollRestMs = 800;

type Figure = Omit<RowParts, 'group'>;

interface Interaction {
  readonly name: string;
  readonly selector: string;
  /** Typed into it; without, it is clicked. */
  readonly typed?: string;
}

/** What a reader does. */
const interactions: readonly Interaction[] = [
  { name: 'show all comparisons', selector: '#filters button[type="reset"]' },
  { name: 'show more rows', selector: '#more-rows' },
  { name: 'sort by change', selector: '#comparison-table th[data-key="effect"] button' },
  { name: 'open a row', selector: '#comparison-table .open-row' },
  { name: 'type into the search', selector: '#filters input[name="text"]', typed: '7' },
  { name: 'primary only', selector: '#filters input[name="primary"]' },
  { name: 'worst first', selector: '#worst-first' },
  { name: 'unfold the scorecard', selector: '.unfold-scorecard' },
  { name: 'theme', selector: '#theme' },
];

const openingOfPage = `(async () => {
  const startOf = (name) => performance.getEntriesByName(name)[0]?.startTime;
  while (startOf('first-contentful-paint') === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  return { firstPaintMs: startOf('first-contentful-paint'), readyMs: startOf('h2h3-ready') };
})()`;

/** Keeps the longest event of the interaction that follows: input to next paint, as the Event Timing API has it. */
const watchEvents = `{
  globalThis.longestEventMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries())
      if (interactionId > 0) longestEventMs = Math.max(longestEventMs, duration);
  }).observe({ type: 'event', durationThreshold: 16 });
}`;

/** After two frames the paint that follows the input has been reported. */
const afterPaint = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100))))`;

/** As a reader does before a click: scrolls, and sees what is there. Charts that came near the window are drawn by then. */
async function scrollTo(page: Page, selector: string): Promise<void> {
  await page.evaluate(
    `document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'center' })`,
  );
  await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${scrollRestMs}))`);
  await page.evaluate('longestEventMs = 0');
}

async function measureOpening(browser: Browser, address: string, rounds: number): Promise<Figure[]> {
  const openings: { firstPaintMs: number; readyMs: number }[] = [];
  for (let i = 0; i <= rounds; i++) {
    const page = await browser.newPage();
    await page.goto(address, { waitUntil: 'load' });
    openings.push(await inPage(page, openingOfPage));
    await page.close();
  }
  // The first opening warms the browser up.
  const measured = openings.slice(1);
  const shared = { subject: await browser.version(), unit: 'ms' };
  return [
    {
      ...{ ...shared, quantity: 'first paint', atMost: mostFirstPaintMs },
      values: measured.map(({ firstPaintMs }) => firstPaintMs),
    },
    {
      ...{ ...shared, quantity: 'answers input', atMost: mostReadyMs },
      values: measured.map(({ readyMs }) => readyMs),
    },
  ];
}

async function measureInteractions(browser: Browser, address: string, rounds: number): Promise<Figure[]> {
  const values = interactions.map((): number[] => []);
  for (let i = 0; i < rounds; i++) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(address, { waitUntil: 'load' });
    await page.emulateCPUThrottling(slowdown);
    await page.evaluate(watchEvents);
    for (const [index, { selector, typed }] of interactions.entries()) {
      await scrollTo(page, selector);
      await (typed === undefined ? page.click(selector) : page.type(selector, typed));
      await page.evaluate(afterPaint);
      values[index]?.push(await inPage(page, '[longestEventMs, (longestEventMs = 0)][0]'));
    }
    await page.close();
  }
  const subject = `${await browser.version()}, ${slowdown} times slower`;
  return interactions.map(({ name: quantity }, index) => ({
    ...{ subject, quantity, unit: 'ms', atMost: mostInteractionMs },
    values: values[index] ?? [],
  }));
}

const { values: flags } = parseArgs({ options: { repetitions: { type: 'string', default: '5' } } });
const rounds = Number(flags.repetitions);
const folder = mkdtempSync(path.join(tmpdir(), 'h2h3-bench-report-'));
const table = [['of', 'quantity', 'median', 'range', 'n', 'limit']];
try {
  await writeLargeReport(folder);
  const address = pathToFileURL(path.join(folder, 'report.html')).href;
  for (const name of reportBrowsers) {
    const browser = await openReportBrowser(name);
    if (typeof browser === 'string') {
      process.stderr.write(`${name}: ${browser}\n`);
      continue;
    }
    const figures = await measureOpening(browser, address, rounds);
    // Firefox can neither be slowed down nor asked for events.
    if (name === 'best') figures.push(...(await measureInteractions(browser, address, rounds)));
    await browser.close();
    for (const figure of figures) {
      const row = benchRow({ ...figure, group: 'report' });
      const shown = [row.value, ...(row.range ?? [])].map((value) => value?.toFixed(0) ?? '–');
      const judged = `${row.ok === true ? 'within' : 'above'} ${row.limit ?? 0} ms`;
      table.push([
        row.subject,
        row.quantity,
        `${shown[0] ?? ''} ms`,
        shown.slice(1).join(' to '),
        String(rounds),
        judged,
      ]);
      if (row.ok !== true) process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${formatTable(table)}\nLoad of the machine: ${loadavg()[0]?.toFixed(1) ?? '?'}.\n`);
