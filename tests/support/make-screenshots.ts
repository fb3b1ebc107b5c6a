import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'puppeteer-core';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { serveReport } from '../../src/app/report/serve/serve-report.ts';
import { createRunDirectory } from '../../src/store/run-directory.ts';
import { lockRunDirectory } from '../../src/store/run-lock.ts';
import { explainedSummary } from './diagnosis-fixture.ts';
import { generateRun } from './generated-run.ts';
import { madeUpPages } from './made-up-pages.ts';
import { drawCharts, layOutAll } from './opened-report.ts';
import { openReportBrowser } from './report-browser.ts';
import { summaryFixture } from './summary-fixture.ts';

/**
 * Pictures of every kind of page, whole, at three widths in both schemes, to be looked at after a change of how pages
 * look: npm run screenshots -- FOLDER [RUN …]. Of real runs the reports as they lie there, of everything else made-up figures.
 */
const widthsPx = [1440, 820, 390] as const;
/** Taller pages are cut here; a picture has an end. */
const mostHeightPx = 16_000;

async function takePictures(browser: Browser, name: string, address: string, folder: string): Promise<void> {
  for (const widthPx of widthsPx)
    for (const scheme of ['light', 'dark']) {
      const page = await browser.newPage();
      await page.setViewport({ width: widthPx, height: 900 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.goto(address, { waitUntil: 'load' });
      await layOutAll(page);
      await drawCharts(page);
      await page.evaluate('scrollTo(0, 0)');
      const heightPx = Number(await page.evaluate('document.documentElement.scrollHeight'));
      await page.screenshot({
        path: path.join(folder, `${name}-${widthPx}-${scheme}.png`),
        clip: { x: 0, y: 0, width: widthPx, height: Math.min(heightPx, mostHeightPx) },
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

const [folder = mkdtempSync(path.join(tmpdir(), 'h2h3-screenshots-')), ...runs] = process.argv.slice(2);
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
  for (const [name, text] of Object.entries({ ...(await madeUpPages()), sites, explained })) {
    const file = path.join(folder, `${name}.html`);
    writeFileSync(file, text);
    await takePictures(browser, name, pathToFileURL(file).href, folder);
  }
  await takeLive(browser, folder);
  process.stdout.write(`pictures in ${folder}\n`);
} finally {
  await browser.close();
}
