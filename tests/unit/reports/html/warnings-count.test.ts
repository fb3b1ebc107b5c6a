import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderHtmlReport } from '../../../../reports/html/render-html-report.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

/** What the page says of trust on its first screen, and the heading of its list of warnings. */
async function countsOf(changes: Partial<Summary>): Promise<{ chip: string; heading: string }> {
  const html = await renderHtmlReport({ ...summaryFixture(), ...changes });
  const words = (text: string | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  return {
    chip: words(/<b>Can I trust it\?<\/b>([^<]*)</.exec(html)?.[1]),
    heading: words(/id="warnings-title">([^<]*)</.exec(html)?.[1]),
  };
}

test('the first screen counts warnings as the list below does, those of the machine and repeated ones included', async () => {
  const { firstScreen, environment } = summaryFixture();
  if (environment === null) throw new Error('the fixture has an environment');
  const several: Partial<Summary> = {
    warnings: ['a', 'b', 'b', 'c', 'd', 'e'],
    firstScreen: { ...firstScreen, warnings: ['a', 'b', 'c'] },
    environment: { ...environment, warnings: ['e', 'f'] },
    banners: [],
  };
  const { chip, heading } = await countsOf(several);
  assert.equal(heading, '6 warnings');
  assert.match(chip, /, 6 warnings$/);
  const one = await countsOf({ ...several, warnings: [], environment: { ...environment, warnings: ['f'] } });
  assert.equal(one.heading, '1 warning');
  assert.match(one.chip, /, 1 warning$/);
});

test('without any warning the first screen counts none, and a caution that stands above is no warning', async () => {
  const { environment } = summaryFixture();
  if (environment === null) throw new Error('the fixture has an environment');
  const quiet = { warnings: [], banners: [], environment: { ...environment, warnings: [] } };
  assert.doesNotMatch((await countsOf(quiet)).chip, /warning/);
  assert.doesNotMatch((await countsOf({ ...quiet, warnings: ['a'], banners: ['b'] })).chip, /warning/);
});
