import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { explainedSummary } from '../support/diagnosis-fixture.ts';
import { drawCharts, inPage, openReport } from '../support/opened-report.ts';
import { openReportBrowser, reportBrowsers } from '../support/report-browser.ts';
import { summaryFixture } from '../support/summary-fixture.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Keeps what would be saved, and leaves the dialog out. */
const catchFiles = `
  window.saved = [];
  URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return 'blob:caught'; };
  HTMLAnchorElement.prototype.click = () => {};
  window.print = () => {};`;

/** Presses a button of the menu below a figure, which need not be open. */
const press = (figure: string, words: string): string =>
  `[...${figure}.querySelectorAll('.tools button')].find((button) => button.textContent === '${words}').click()`;

/** The SVG that a figure is saved as. */
async function savedSvg(page: Page, figure: string): Promise<string> {
  return inPage<string>(
    page,
    `(async () => {
      saved.length = 0;
      ${press(figure, 'Save SVG')};
      while (saved.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      return saved[0];
    })()`,
  );
}

/**
 * How far a picture of SVG is from the canvas of a figure, as a share of how far an empty ground is: 0 is the same, 1 as good as
 * nothing.
 */
function distance(figure: string, svg: string): string {
  return `(async () => {
    const canvas = ${figure}.querySelector('canvas');
    const image = new Image();
    image.src = 'data:image/svg+xml,' + encodeURIComponent(${JSON.stringify(svg)});
    await image.decode();
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--surface)';
    const ground = getComputedStyle(probe).color;
    probe.remove();
    const pixels = (source) => {
      const copy = document.createElement('canvas');
      [copy.width, copy.height] = [canvas.clientWidth, canvas.clientHeight];
      const context = copy.getContext('2d');
      context.fillStyle = ground;
      context.fillRect(0, 0, copy.width, copy.height);
      if (source) context.drawImage(source, 0, 0, copy.width, copy.height);
      return context.getImageData(0, 0, copy.width, copy.height).data;
    };
    const [chart, drawn, empty] = [pixels(canvas), pixels(image), pixels(null)];
    const far = (other) => chart.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0);
    return far(drawn) / far(empty);
  })()`;
}

for (const name of reportBrowsers)
  test(`figures are saved as SVG with their numbers, and printed alone (${name})`, async (t) => {
    const browser = await openReportBrowser(name);
    if (typeof browser === 'string') return t.skip(browser);
    t.after(() => browser.close());
    const text = await renderHtmlReport(explainedSummary(summaryFixture({ pages: 2, blocks: 6 })));
    const { page, complaints } = await openReport(browser, tempFolder(t), text);
    await page.click('#comparison-table a[href^="#why-"]');
    await drawCharts(page);
    await inPage(page, catchFiles);
    const count = await inPage<number>(page, `document.querySelectorAll('figure:has(> .chart)').length`);
    assert.ok(count >= 5, `${count} charts`);
    for (let index = 0; index < count; index++) {
      const figure = `document.querySelectorAll('figure:has(> .chart)')[${index}]`;
      const svg = await savedSvg(page, figure);
      assert.deepEqual(complaints, [], `chart ${index}`);
      assert.match(
        svg,
        /^<svg [^>]+>\n<title>[^<]+<\/title><desc>[^<]+<\/desc>\n<metadata><data [^>]+>[^<]+,/,
      );
      const share = await inPage<number>(page, distance(figure, svg));
      assert.ok(share < 0.25, `chart ${index} is ${share} from its SVG`);
    }
    const flames = `document.querySelector('figure.flames')`;
    const drawing = await savedSvg(page, flames);
    assert.match(drawing, /<text [^>]*>[^<]+<\/text>/);
    assert.doesNotMatch(drawing, /foreignObject|var\(--|class=/);
    if (name === 'best') {
      const figure = `document.querySelector('figure:has(> .chart)')`;
      const size = await inPage<[number, number]>(
        page,
        `[${figure}.querySelector('canvas').clientWidth, ${figure}.querySelector('canvas').clientHeight]`,
      );
      await inPage(page, press(figure, 'Print or PDF'));
      const pdf = Buffer.from(await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, 1);
      const [, widthPoints, heightPoints] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
      assert.ok(Math.abs(Number(widthPoints) - size[0] * 0.75) <= 1, `${widthPoints} of ${size[0]} px`);
      assert.ok(Math.abs(Number(heightPoints) - size[1] * 0.75) <= 1, `${heightPoints} of ${size[1]} px`);
      assert.match(pdf, /\/Type \/Font\b/);
      assert.doesNotMatch(pdf, /\/Subtype \/Image/);
      await inPage(page, `dispatchEvent(new Event('afterprint'))`);
      assert.equal(await inPage<number>(page, `document.querySelectorAll('.printed-figure').length`), 0);
    }
    assert.deepEqual(complaints, []);
  });
