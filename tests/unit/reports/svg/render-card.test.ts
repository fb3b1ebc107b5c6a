import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardPicture } from '../../../../reports/svg/card-picture.ts';
import { renderCard } from '../../../../reports/svg/render-card.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

const summary = summaryFixture();

test('the picture says the answer and shows the comparisons that decide, better on the right', () => {
  const better = summary.comparisons.map((one) =>
    one.primary && one.workload === 'pooled'
      ? { ...one, ratio: 0.8, ratioInterval: [0.75, 0.85] as [number, number], verdict: 'better' as const }
      : { ...one, primary: false },
  );
  const svg = renderCard({ ...summary, comparisons: better });
  assert.match(svg, /<title>On an unshaped path, pages in Chromium 156 load/);
  assert.match(svg, /▲ better · All pages together: Page load time/);
  assert.match(svg, /−20.% \(−25.% to −15.%\), 8 blocks/);
  const [, centre] = /<path d="M(\d+) \d+v40"/.exec(svg) ?? [];
  const [, estimate] = /<circle cx="(\d+)"/.exec(svg) ?? [];
  assert.ok(Number(estimate) > Number(centre), `${estimate} is right of ${centre}`);
});

test('foreign text stays text, and a run without comparisons has a picture too', () => {
  const hostile = `</title><script>alert(1)</script>${'word '.repeat(200)}`;
  const svg = renderCard({ ...summary, headline: [hostile], comparisons: [], answers: [] });
  assert.doesNotMatch(svg, /<script|<\/title><s/);
  assert.match(svg, / …</, 'what does not fit is cut');
  assert.match(renderCard({ ...summary, headline: [], comparisons: [] }), /nothing to compare/);
});

test('comments and chats get the same picture as PNG, twice as fine, with its words', async (t) => {
  const svg = renderCard(summary);
  const picture = await cardPicture(svg);
  if (picture === undefined) {
    t.skip('this machine has no font, or no renderer for its kind');
    return;
  }
  const bytes = Buffer.from(picture);
  assert.equal(bytes.subarray(1, 4).toString('latin1'), 'PNG');
  assert.equal(bytes.readUInt32BE(16), 2000);
  const wordless = await cardPicture(svg.replaceAll(/<text[^>]*>[^<]*<\/text>/g, ''));
  assert.ok(wordless && picture.length > 2 * wordless.length, `${picture.length} bytes with words`);
});
