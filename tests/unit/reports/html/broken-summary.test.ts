import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderHtmlReport } from '../../../../reports/html/render-html-report.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { pageLoadFixture } from '../../../support/page-load-fixture.ts';
import { patternFixture, qualityFixture } from '../../../support/pattern-fixture.ts';
import { parseArms } from '../../../../src/plan/arms.ts';

/** A copy in which every number that is not the schema's version is another value. */
function withNumbers(value: unknown, other: (seen: number) => unknown): unknown {
  if (typeof value === 'number') return other(value);
  if (Array.isArray(value)) return value.map((item: unknown) => withNumbers(item, other));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'schemaVersion' ? item : withNumbers(item, other),
    ]),
  );
}

/** What a reader sees, and what the page's script reads. */
async function partsOf(summary: Summary): Promise<{ words: string; data: string }> {
  const text = await renderHtmlReport(summary, { pageLoads: [pageLoadFixture({ arm: 'h2' })] });
  const data = /<script type="application\/json" id="page-data">(?<json>.*?)<\/script>/s.exec(text);
  const words = text
    .replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
  return { words, data: data?.groups?.['json'] ?? '' };
}

describe('a report of broken figures', () => {
  for (const [name, summary] of [
    ['pages and videos', qualityFixture()],
    ['a grid', patternFixture()],
  ] as const) {
    for (const other of [NaN, Infinity, -Infinity, null, 0, -1, 1e300]) {
      test(`${name}: every number ${other} still opens, and no such word is shown`, async () => {
        const broken = withNumbers(summary, () => other) as Summary;
        const { words, data } = await partsOf({ ...broken, headline: summary.headline });
        const [wrong] = /.{0,60}(?:NaN|Infinity|undefined|\bnull\b|\[object).{0,30}/.exec(words) ?? [];
        assert.equal(wrong, undefined);
        assert.doesNotThrow(() => JSON.parse(data) as unknown);
      });
    }
  }

  test('what is absent altogether is said where it matters, and has no section of its own', async () => {
    const { plan } = generateRun({ blocks: 6, workloads: [{ id: 'video', kind: 'video' }] });
    const { words } = await partsOf(summarise(plan, [], null, []));
    for (const sentence of [
      /No trial has been run/,
      /nothing is known of the machine/,
      /False-alarm rate not measured here/,
    ]) {
      assert.match(words, sentence);
    }
    assert.doesNotMatch(words, /Video sessions|Calibration\b|What was loaded|Across networks and sizes/);
  });

  test('a half-written run says how much is missing, and shows what is there', async () => {
    const { plan, records } = generateRun({ blocks: 8 });
    const { words } = await partsOf(summarise(plan, records.slice(0, 9), null, ['the last line is cut off']));
    assert.match(words, /Preliminary: 23 of 32 planned trials have not run yet/);
    assert.match(words, /the last line is cut off/);
    assert.match(words, /no interval/);
  });

  test('metrics that no trial has are no rows; the others stay', async () => {
    const { plan, records } = generateRun({
      blocks: 8,
      alter: (record) => ({ ...record, metrics: { ttfbMs: record.metrics['ttfbMs'] ?? null } }),
    });
    const { words } = await partsOf(summarise(plan, records, null, []));
    assert.match(words, /Time to first byte/);
    assert.doesNotMatch(words, /Speed Index/);
  });

  test('one arm alone is shown as measured, not compared', async () => {
    const { plan, records } = generateRun({ arms: parseArms(['h3']), blocks: 6 });
    const { words } = await partsOf(summarise(plan, records, null, []));
    assert.match(words, /One arm only/);
    assert.match(words, /only one arm \(h3\)/);
  });
});
