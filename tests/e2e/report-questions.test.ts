import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { pageChanges } from '../../src/analyse/requests/page-changes.ts';
import { summarise } from '../../src/analyse/summary/summarise.ts';
import { environmentFixture } from '../support/environment-fixture.ts';
import { generateRun } from '../support/generated-run.ts';
import { drawCharts, inPage, openReport, rowsInPlace } from '../support/opened-report.ts';
import { pageLoadFixture } from '../support/page-load-fixture.ts';
import { openReportBrowser } from '../support/report-browser.ts';
import { summaryFixture } from '../support/summary-fixture.ts';
import { tempFolder } from '../support/temp-folder.ts';

const workload = 'page-a';
const network = 'host';

/** Two versions by two protocols, so that every question can be asked; the page of the load is one of the run. */
function reportText(): Promise<string> {
  const arms = ['chromium@148', 'chromium@153'].flatMap((client) =>
    (['h2', 'h3'] as const).map((protocol) => ({
      label: `${client}:${protocol}`,
      slug: `${client}-${protocol}`,
      factors: { protocol, client },
    })),
  );
  const run = generateRun({
    arms,
    blocks: 8,
    noise: 0.03,
    slowdown: { 'chromium@153:h3': 1.2, 'chromium@153:h2': 1.02 },
  });
  const summary = summarise(
    run.plan,
    run.records,
    environmentFixture(['chromium@148', 'chromium@153'], [network]),
    [],
  );
  const oldArm = 'chromium@148:h3';
  const newArm = 'chromium@153:h3';
  const loads = [oldArm, newArm].map((arm) => ({
    ...pageLoadFixture({ arm, workload, frames: true }),
    network,
    client: 'by-arm',
    paints: { fcpMs: 120, lcpMs: 300 },
  }));
  const [a, b] = loads;
  assert.ok(a && b);
  const condition = {
    workload,
    client: 'by-arm',
    network,
    server: 'caddy',
    baselineArm: oldArm,
    candidateArm: newArm,
  };
  const blocks = Array.from({ length: 6 }, () => ({ baseline: a.har, candidate: b.har }));
  return renderHtmlReport(summary, { pageLoads: loads, changes: [pageChanges(condition, blocks)] });
}

/** What the chooser of conditions says at first, and one condition by itself. */
const conditionOfAll = {
  first: 'all conditions',
  other: 'HTTP/3 in Chromium 153 against HTTP/3 in Chromium 148',
} as const;

/** Whether what a selector finds lies in the window, or begins in it. */
function inView(selector: string): string {
  return `(() => {
    const found = document.querySelector(${JSON.stringify(selector)});
    const box = found?.getBoundingClientRect();
    return box !== undefined && box.height > 0 && box.top < innerHeight && box.bottom > 0;
  })()`;
}

/** What stands on the sheet, and how high: told where it does not fit. */
const onSheet = `[...document.querySelectorAll('main > *, .hero > *, .card')]
  .map((one) => one.tagName + '.' + one.className + ' ' + Math.round(one.getBoundingClientRect().height)).join('; ')`;

interface Question {
  readonly asked: string;
  /** What to click; none: the answer stands on the first screen. */
  readonly click?: string;
  /** What must be in view afterwards, and what it must say. */
  readonly shows: string;
  readonly says: RegExp;
}

const questions: readonly Question[] = [
  { asked: 'HTTP/3 for this network?', shows: '#headline', says: /HTTP\/3/ },
  {
    asked: 'milliseconds for users?',
    shows: '.hero',
    says: /The mean load takes [\d.]+\s(ms|s) (less|more)\./,
  },
  { asked: 'how sure?', shows: '.hero', says: /% interval|Not decided\./ },
  { asked: 'what would make it sure, or what to do?', shows: '.answer', says: /Keep|Take|Measure more/ },
  {
    asked: 'which pages are slower?',
    click: '[data-question="worst"]',
    shows: '#scorecard',
    says: /worse|better|equivalent/,
  },
  {
    asked: 'the browser or QUIC?',
    click: '[data-question="whose"]',
    shows: '#versions',
    says: /Difference of the changes/,
  },
  { asked: 'why?', click: '[data-question="why"]', shows: '#why', says: /Why/ },
  {
    asked: 'the worst page side by side?',
    click: '[data-question="side-by-side"]',
    shows: '#inside',
    says: /What changed/,
  },
  { asked: 'the cost in CPU?', click: '[data-question="cost"]', shows: '#cost', says: /CPU/i },
  { asked: 'can I trust it?', click: '[data-question="trust"]', shows: '#trust', says: /valid/ },
];

describe('ten questions to a report', () => {
  let browser: Browser | string;
  let text = '';
  before(async () => {
    browser = await openReportBrowser('best');
    text = await reportText();
  });
  after(async () => {
    if (typeof browser !== 'string') await browser.close();
  });
  const opened = async (t: TestContext, hash = ''): Promise<Page | undefined> => {
    if (typeof browser === 'string') {
      t.skip(browser);
      return undefined;
    }
    return (await openReport(browser, tempFolder(t), text, { widthPx: 1440, hash })).page;
  };

  for (const { asked, click, shows, says } of questions) {
    test(`“${asked}” takes ${click === undefined ? 'no click' : 'one click'}`, async (t) => {
      const page = await opened(t);
      if (!page) return;
      if (click !== undefined) {
        await page.click(click);
        await page.waitForFunction(inView(shows), { timeout: 60_000 });
      }
      assert.ok(await inPage<boolean>(page, inView(shows)), `${shows} is in view`);
      const found = await inPage<string>(page, `document.querySelector(${JSON.stringify(shows)}).innerText`);
      assert.match(found, says);
      await page.close();
    });
  }

  test('from the scorecard to the row to the waterfall it is one click each', async (t) => {
    const page = await opened(t);
    if (!page) return;
    await page.click('[data-question="worst"]');
    await page.evaluate(
      `[...document.querySelectorAll('.scorecard tbody tr')].find((row) => row.textContent.includes('${workload}')).querySelector('a.score').click()`,
    );
    await page.waitForFunction(inView('tr.marked + tr.detail'), { timeout: 60_000 });
    await page.click('tr.detail a.row-inside');
    await page.waitForFunction(inView('#inside'), { timeout: 60_000 });
    assert.match(
      await inPage<string>(page, `document.querySelector('#inside-choice select')?.value ?? '${workload}'`),
      new RegExp(workload),
    );
    await page.close();
  });

  test('“what would make it sure?” is answered on the first screen, with minutes and a command to copy', async (t) => {
    if (typeof browser === 'string') {
      t.skip(browser);
      return;
    }
    const run = generateRun({ noise: 0.15, seed: 4, networks: ['4g'], plan: { command: 'h2h3 run web' } });
    const open = summarise(run.plan, run.records, environmentFixture(['chromium'], ['4g']), []);
    const { page } = await openReport(browser, tempFolder(t), await renderHtmlReport(open), {
      widthPx: 1440,
    });
    assert.ok(await inPage<boolean>(page, inView('.answer .command')));
    const said = await inPage<string>(page, `document.querySelector('.answer').innerText`);
    assert.match(
      said,
      /Measure more[^]*npx h2h3 run web --repetitions \d+ --budget \d+m[^]*\d+ (to \d+ )?min/,
    );
    await page.close();
  });

  test('labels of the time axis stand where their moment is, at every zoom', async (t) => {
    const page = await opened(t);
    if (!page) return;
    for (const zoom of [1, 4]) {
      const off = await inPage<number[]>(
        page,
        `(() => {
          const zoom = document.querySelectorAll('#inside-plots input[type=range]')[1];
          zoom.value = '${zoom}';
          zoom.dispatchEvent(new Event('input'));
          // The bars are the scale: a request that begins at some moment lies where the axis has it.
          const track = document.querySelector('#inside-plots .wf-bars').getBoundingClientRect();
          const bar = document.querySelector('#inside-plots .wf-track i');
          const [, startMs] = document.querySelector('.wf-row').title.match(/: ([\\d.]+) to /);
          const ticks = [...document.querySelectorAll('.wf-tick')].map((tick) => ({
            ms: Number(tick.dataset.ms), left: tick.getBoundingClientRect().left,
          }));
          const last = ticks.at(-1);
          const perMs = (last.left - ticks[0].left) / last.ms;
          const barOff = bar.getBoundingClientRect().left - (ticks[0].left + Number(startMs) * perMs);
          return [ticks[0].left - track.left, barOff, ...ticks.map(({ ms, left }) => left - (ticks[0].left + ms * perMs))];
        })()`,
      );
      assert.ok(off.length >= 4, `${off.length} ticks`);
      for (const pixels of off) assert.ok(Math.abs(pixels) <= 1, `${pixels} pixels off at zoom ${zoom}`);
    }
    await page.close();
  });

  test('theme, filters, order and choices stand in the address and survive a reload', async (t) => {
    const page = await opened(t);
    if (!page) return;
    await page.click('#theme');
    await page.select('#filters select[name="verdict"]', 'worse');
    await page.click('#worst-first');
    await page.click('th[data-key="effect"] button');
    await page.select('#effect-choice label:nth-of-type(2) select', conditionOfAll.other);
    await inPage(
      page,
      `(() => {
      const moment = document.querySelector('#inside-plots input[type=range]');
      moment.value = '120';
      moment.dispatchEvent(new Event('change'));
    })()`,
    );
    const state = `({
      theme: document.documentElement.dataset.theme,
      verdict: document.querySelector('#filters select[name="verdict"]').value,
      worst: document.querySelector('#worst-first').checked,
      sort: document.querySelector('th[data-key="effect"]').getAttribute('aria-sort'),
      rows: document.querySelectorAll('#comparison-table tbody tr').length,
      condition: document.querySelector('#effect-choice label:nth-of-type(2) select').value,
      moment: document.querySelector('#inside-plots input[type=range]').value,
    })`;
    await rowsInPlace(page);
    const before = await inPage<Record<string, unknown>>(page, state);
    assert.deepEqual(
      [before['theme'], before['verdict'], before['worst'], before['sort'], before['condition']],
      ['light', 'worse', true, 'ascending', conditionOfAll.other],
    );
    await page.reload({ waitUntil: 'load' });
    await rowsInPlace(page);
    assert.deepEqual(await inPage(page, state), before);
    await page.close();
  });

  test('the page for executives prints on one sheet', async (t) => {
    const page = await opened(t);
    if (!page) return;
    await page.evaluate(`document.documentElement.classList.add('one-page')`);
    await page.emulateMediaType('print');
    await page.setViewport({ width: 794, height: 1123 });
    const sheets = Buffer.from(await page.pdf({ format: 'A4' }))
      .toString('latin1')
      .match(/\/Type\s*\/Page\b/g)?.length;
    assert.equal(sheets, 1, await inPage<string>(page, onSheet));
    await page.close();
  });

  test('changes by block lie on the axis of the other pictures: a half as far as the double, better on the left', async (t) => {
    if (typeof browser === 'string') return t.skip(browser);
    const summary = summaryFixture({ blocks: 8 });
    const own = await renderHtmlReport(summary);
    const { page } = await openReport(browser, tempFolder(t), own, { hash: '#c-page-3-lcpms' });
    await page.waitForSelector('tr.detail canvas[data-drawn]');
    await drawCharts(page);
    const byBlock = await inPage<{ places: number[]; reverse: boolean; titles: string[] }>(
      page,
      `(() => {
        const charts = [...document.querySelectorAll('tr.detail canvas')].map((canvas) => Chart.getChart(canvas));
        const { data, options } = charts.find(({ data }) => data.datasets[0].label === 'change');
        const { x, y } = options.scales;
        return { places: data.datasets[0].data, reverse: x.reverse, titles: [x.title.text, y.title.text] };
      })()`,
    );
    const shown = summary.comparisons.find(
      ({ workload, metric, baseline }) =>
        workload === 'page-3' && metric === 'lcpMs' && baseline.arm === 'h2',
    );
    const logarithms = (shown?.values ?? []).map(([, a, b]) => Math.log((b ?? NaN) / (a ?? NaN)));
    assert.equal(byBlock.places.length, logarithms.length);
    byBlock.places.forEach((place, index) => assert.ok(Math.abs(place - (logarithms[index] ?? NaN)) < 1e-3));
    assert.equal(byBlock.reverse, false, 'less of a time is better, so it lies on the left');
    assert.match(byBlock.titles[0] ?? '', /← HTTP\/3 better .*HTTP\/2 better →/);
    assert.equal(byBlock.titles[1], 'block');
    await page.close();
  });

  test('better is on the left in every picture of an effect', async (t) => {
    const page = await opened(t, '#effects');
    if (!page) return;
    await page.waitForFunction('document.querySelector("#effect-plots canvas[data-drawn]") !== null');
    const reversed = await inPage<boolean>(
      page,
      `Chart.getChart(document.querySelector('#effect-plots canvas')).options.scales.x.reverse`,
    );
    assert.equal(reversed, false, 'less of a time is better, so small values stand on the left');
    const shown = await inPage<{ condition: string; labels: string[] }>(
      page,
      `({
        condition: document.querySelector('#effect-choice label:nth-of-type(2) select').value,
        labels: Chart.getChart(document.querySelector('#effect-plots canvas')).data.labels.map(String),
      })`,
    );
    assert.equal(shown.condition, conditionOfAll.first);
    // Two pages and their pool, each pair of arms.
    assert.equal(new Set(shown.labels).size, 12, shown.labels.join('; '));
    await page.close();
  });
});
