import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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
const maxFirstPaintMs = 500;
const maxReadyMs = 2000;
const maxInteractionMs = 100;
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
  globalThis.maxEventMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries())
      if (interactionId > 0) maxEventMs = Math.max(maxEventMs, duration);
  }).observe({ type: 'event', durationThreshold: 16 });
}`;

/** Keeps when the page was last changed after an input: the first paint answers, what was asked for may take more frames. */
const watchChanges = `{
  globalThis.lastChangeMs = globalThis.inputMs = 0;
  const began = ({ timeStamp }) => { lastChangeMs = inputMs = timeStamp; };
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, began, { capture: true });
  new MutationObserver(() => { lastChangeMs = performance.now(); })
    .observe(document, { subtree: true, childList: true, attributes: true });
}`;

/** By then the paint that follows the input has been reported, and nothing more of the page changes. */
const afterChanges = `(async () => {
  do await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
  while (performance.now() - lastChangeMs < 400);
})()`;

/** Of an interaction: to the next paint, and to the last change of the page. */
const answerOf = `({ paintMs: maxEventMs, doneMs: lastChangeMs - inputMs })`;

/** As a reader does before a click: scrolls, and sees what is there. Charts that came near the window are drawn by then. */
async function scrollTo(page: Page, selector: string): Promise<void> {
  await page.evaluate(
    `document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'center' })`,
  );
  await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${scrollRestMs}))`);
  await page.evaluate('maxEventMs = 0');
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
      ...shared,
      quantity: 'first paint',
      atMost: maxFirstPaintMs,
      values: measured.map(({ firstPaintMs }) => firstPaintMs),
    },
    {
      ...shared,
      quantity: 'answers input',
      atMost: maxReadyMs,
      values: measured.map(({ readyMs }) => readyMs),
    },
  ];
}

async function measureInteractions(browser: Browser, address: string, rounds: number): Promise<Figure[]> {
  const answers = interactions.map((): { paintMs: number; doneMs: number }[] => []);
  for (let i = 0; i < rounds; i++) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(address, { waitUntil: 'load' });
    await page.emulateCPUThrottling(slowdown);
    await page.evaluate(watchEvents);
    await page.evaluate(watchChanges);
    for (const [index, { selector, typed }] of interactions.entries()) {
      await scrollTo(page, selector);
      await (typed === undefined ? page.click(selector) : page.type(selector, typed));
      await page.evaluate(afterChanges);
      answers[index]?.push(await inPage(page, answerOf));
    }
    await page.close();
  }
  const subject = `${await browser.version()}, ${slowdown} times slower`;
  return interactions.flatMap(({ name }, index) => {
    const own = answers[index] ?? [];
    const shared = { subject, unit: 'ms' } as const;
    return [
      {
        ...shared,
        quantity: name,
        atMost: maxInteractionMs,
        values: own.map(({ paintMs }) => paintMs),
      },
      { ...shared, quantity: `${name}, all in place`, values: own.map(({ doneMs }) => doneMs) },
    ];
  });
}

const { values: flags } = parseArgs({ options: { repetitions: { type: 'string', default: '5' } } });
const rounds = Number(flags.repetitions);
const folder = mkdtempSync(path.join(tmpdir(), 'h2h3-bench-report-'));
const table = [['of', 'quantity', 'median', 'range', 'n', 'limit']];
try {
  const write = async (name: string, isExplained: boolean): Promise<string> => {
    mkdirSync(path.join(folder, name));
    await writeLargeReport(path.join(folder, name), { isExplained });
    return pathToFileURL(path.join(folder, name, 'report.html')).href;
  };
  const address = await write('plain', false);
  const explained = await write('explained', true);
  for (const name of reportBrowsers) {
    const browser = await openReportBrowser(name);
    if (typeof browser === 'string') {
      process.stderr.write(`${name}: ${browser}\n`);
      continue;
    }
    const figures = await measureOpening(browser, address, rounds);
    for (const figure of await measureOpening(browser, explained, rounds))
      figures.push({ ...figure, quantity: `${figure.quantity}, each page’s difference explained` });
    // Firefox can neither be slowed down nor asked for events.
    if (name === 'best') figures.push(...(await measureInteractions(browser, address, rounds)));
    await browser.close();
    for (const figure of figures) {
      const row = benchRow({ ...figure, group: 'report' });
      const shown = [row.value, ...(row.range ?? [])].map((value) => value?.toFixed(0) ?? '–');
      const judged = row.limit === null ? '' : `${row.ok === true ? 'within' : 'above'} ${row.limit} ms`;
      table.push([
        row.subject,
        row.quantity,
        `${shown[0] ?? ''} ms`,
        shown.slice(1).join(' to '),
        String(rounds),
        judged,
      ]);
      if (row.ok === false) process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${formatTable(table)}\nLoad of the machine: ${loadavg()[0]?.toFixed(1) ?? '?'}.\n`);
