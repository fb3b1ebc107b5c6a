import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { drawCharts } from './opened-report.ts';
import { openReportBrowser } from './report-browser.ts';

/**
 * Renews the pictures of the README and the docs from reports of real runs: npm run pictures -- results/web. The head comes
 * from the first, each section from the first that has it.
 */
const picturesDir = path.resolve(import.meta.dirname, '../../reports/pictures');
const quality = 82;
/** All of them together; a repository is no picture gallery. */
const maxBytes = 1_500_000;

interface Picture {
  readonly name: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly scheme: 'light' | 'dark';
  /** Section to show from its head on; none shows the top of the page. */
  readonly section?: string;
}

const pictures: readonly Picture[] = [
  { name: 'report-light-desktop', widthPx: 1360, heightPx: 820, scheme: 'light' },
  { name: 'effects-light', widthPx: 1360, heightPx: 900, scheme: 'light', section: 'effects' },
  { name: 'inside-light', widthPx: 1360, heightPx: 900, scheme: 'light', section: 'inside' },
];

async function has(page: Page, section: string | undefined): Promise<boolean> {
  return section === undefined || (await page.$(`#${section}`)) !== null;
}

async function takePicture(page: Page, picture: Picture): Promise<void> {
  const { name, widthPx, heightPx, scheme, section } = picture;
  await page.setViewport({ width: widthPx, height: heightPx });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await drawCharts(page);
  const target = section === undefined ? 'document.documentElement' : `document.getElementById('${section}')`;
  await page.evaluate(`${target}.scrollIntoView({ block: 'start' })`);
  await page.screenshot({ path: path.join(picturesDir, `${name}.webp`), type: 'webp', quality });
}

async function pageWith(browser: Browser, reports: readonly string[], section?: string): Promise<Page> {
  for (const report of reports) {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(report).href, { waitUntil: 'load' });
    if (await has(page, section)) return page;
    await page.close();
  }
  throw new Error(`none of these runs has a section ${section}`);
}

async function makePictures(browser: Browser, reports: readonly string[]): Promise<void> {
  rmSync(picturesDir, { recursive: true, force: true });
  mkdirSync(picturesDir, { recursive: true });
  for (const picture of pictures) {
    const page = await pageWith(browser, reports, picture.section);
    await takePicture(page, picture);
    await page.close();
  }
  const sizes = readdirSync(picturesDir).map((name) => statSync(path.join(picturesDir, name)).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > maxBytes) throw new Error(`the pictures take ${total} bytes, more than ${maxBytes}`);
  process.stdout.write(`${sizes.length} pictures, ${Math.round(total / 1000)} kB, in reports/pictures\n`);
}

const browser = await openReportBrowser('best');
if (typeof browser === 'string') throw new Error(browser);
try {
  const runs = process.argv.length > 2 ? process.argv.slice(2) : ['results/latest'];
  await makePictures(
    browser,
    runs.map((run) => path.resolve(run, 'report.html')),
  );
} finally {
  await browser.close();
}
