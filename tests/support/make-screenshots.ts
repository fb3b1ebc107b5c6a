import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'puppeteer-core';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { publishIndex } from '../../src/app/report/publish-index.ts';
import { writeReports, writeSummary } from '../../src/app/report/publish.ts';
import { serveReport } from '../../src/app/serve/serve-report.ts';
import { createRunDirectory } from '../../src/store/run-directory.ts';
import { lockRunDirectory } from '../../src/store/run-lock.ts';
import { explainedSummary } from './diagnosis-fixture.ts';
import type { GeneratedRunOptions } from './generated-run.ts';
import { armsAA, generateRun } from './generated-run.ts';
import { madeUpPages } from './made-up-pages.ts';
import { drawCharts, layOutAll } from './opened-report.ts';
import { openReportBrowser } from './report-browser.ts';
import { badInputPages, screenPages } from './screen-pages.ts';
import { summaryFixture } from './summary-fixture.ts';

/**
 * Pictures of every kind of page at three widths in both schemes, to be looked at after a change of how pages look:
 * npm run screenshots -- [--fold] FOLDER [RUN …]. Pages whole, or with `--fold` what a reader sees before scrolling. Of real
 * runs the reports as they lie there, of everything else made-up figures.
 */
const sizesPx = [
  [1440, 900],
  [820, 1180],
  [390, 844],
] as const;
/** Taller pages are cut here; a picture has an end. */
const maxHeightPx = 16_000;

const listedRuns: Readonly<Record<string, GeneratedRunOptions>> = {
  slower: { slowdown: { h3: 1.2 } },
  'not-decided': { noise: 0.15, seed: 4 },
  'self-check': { arms: armsAA },
  downloads: { workloads: [{ id: 'file', kind: 'download' }], slowdown: { h3: 0.8 } },
};

async function takePictures(browser: Browser, name: string, address: string, folder: string): Promise<void> {
  for (const [widthPx, foldPx] of sizesPx)
    for (const scheme of ['light', 'dark']) {
      const page = await browser.newPage();
      await page.setViewport({ width: widthPx, height: foldPx });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.goto(address, { waitUntil: 'load' });
      if (!fold) await layOutAll(page);
      await drawCharts(page);
      await page.evaluate('scrollTo(0, 0)');
      const heightPx = fold ? foldPx : Number(await page.evaluate('document.documentElement.scrollHeight'));
      await page.screenshot({
        path: path.join(folder, `${name}-${widthPx}-${scheme}.png`),
        clip: { x: 0, y: 0, width: widthPx, height: Math.min(heightPx, maxHeightPx) },
        captureBeyondViewport: true,
      });
      await page.close();
    }
}

/** A run that has begun and goes on. */
async function takeLive(browser: Browser, folder: string): Promise<void> {
  const { plan, records } = generateRun({ plan: { name: 'nightly' } });
  const directory = createRunDirectory(
    path.join(mkdtempSync(path.join(tmpdir(), 'h2h3-live-')), 'run'),
    plan,
  );
  const release = lockRunDirectory(directory.path, process.pid);
  records.slice(0, 9).forEach((record) => directory.append(record));
  const server = await serveReport(directory.path, undefined);
  try {
    await takePictures(browser, 'live', server.address, folder);
  } finally {
    await server.close();
    release();
  }
}

/** The list of a folder with a run of each of these kinds. */
async function runsIndex(): Promise<string> {
  const parent = mkdtempSync(path.join(tmpdir(), 'h2h3-runs-'));
  try {
    for (const [name, options] of Object.entries(listedRuns)) {
      const { plan, records } = generateRun({ ...options, plan: { name } });
      const directory = createRunDirectory(path.join(parent, name), plan);
      records.forEach((record) => directory.append(record));
      await writeReports(directory, writeSummary(directory), () => undefined);
    }
    await publishIndex(parent);
    return readFileSync(path.join(parent, 'index.html'), 'utf8');
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** Kinds of pages as names of files. */
const named = (pages: Readonly<Record<string, () => Promise<string>>>): [string, () => Promise<string>][] =>
  Object.entries(pages).map(([name, render]) => [name.replace(/\W+/g, '-').toLowerCase(), render]);

const words = process.argv.slice(2);
const fold = words.includes('--fold');
const [folder = mkdtempSync(path.join(tmpdir(), 'h2h3-screenshots-')), ...runs] = words.filter(
  (word) => word !== '--fold',
);
mkdirSync(folder, { recursive: true });
const browser = await openReportBrowser('best');
if (typeof browser === 'string') throw new Error(browser);
try {
  for (const run of runs)
    await takePictures(
      browser,
      path.basename(path.resolve(run)),
      pathToFileURL(path.resolve(run, 'report.html')).href,
      folder,
    );
  const sites = await renderHtmlReport(summaryFixture({ pages: 100, blocks: 20, videos: 2, downloads: 1 }));
  const downloads = summaryFixture({ pages: 0, videos: 0, downloads: 3, blocks: 6 });
  const explained = await renderHtmlReport(explainedSummary(downloads));
  const made = Object.entries({ ...(await madeUpPages()), sites, explained, runs: await runsIndex() });
  const bad = Object.entries(badInputPages).map(([name, [, render]]) => [name, render] as const);
  const kinds = await Promise.all(
    named({ ...screenPages, ...Object.fromEntries(bad) }).map(
      async ([name, render]) => [`first-${name}`, await render()] as const,
    ),
  );
  for (const [name, text] of [...made, ...kinds]) {
    const file = path.join(folder, `${name}.html`);
    writeFileSync(file, text);
    await takePictures(browser, name, pathToFileURL(file).href, folder);
  }
  await takeLive(browser, folder);
  process.stdout.write(`pictures in ${folder}\n`);
} finally {
  await browser.close();
}
