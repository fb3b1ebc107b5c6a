import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardPicture } from '../../../../reports/svg/card-picture.ts';
import { renderCard } from '../../../../reports/svg/render-card.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

const summary = summaryFixture();

test('the picture says the headline and shows what it rests on, from baseline to candidate', () => {
  const place = summary.comparisons.findIndex(({ primary }) => primary);
  const better = summary.comparisons.map((one, i) =>
    i === place
      ? {
          ...one,
          candidate: { ...one.candidate, median: (one.baseline.median ?? 1) * 0.8 },
          ratio: 0.8,
          ratioInterval: [0.75, 0.85] as [number, number],
          verdict: 'better' as const,
        }
      : one,
  );
  const firstScreen = { ...summary.firstScreen, headline: 'Pages load 20 % faster.', picture: [place] };
  const svg = renderCard({ ...summary, comparisons: better, firstScreen });
  assert.match(svg, /<title>Pages load 20 % faster\.<\/title>/);
  assert.match(svg, /Page load time<tspan[^>]*>[\d.]+ ms → [\d.]+ ms/);
  assert.match(svg, /▲ −20.%/);
  const [, from] = /class="db-from" cx="([\d.]+)"/.exec(svg) ?? [];
  const [, to] = /class="db-to" cx="([\d.]+)"/.exec(svg) ?? [];
  assert.ok(Number(to) < Number(from), `${to} is left of ${from}: less lies on the left`);
});

test('foreign text stays text, and a run without comparisons has a picture too', () => {
  const hostile = `</title><script>alert(1)</script>${'word '.repeat(200)}`;
  const bare = { headline: hostile, detail: hostile, chips: [], picture: [] };
  const svg = renderCard({ ...summary, firstScreen: bare, comparisons: [], answers: [] });
  assert.doesNotMatch(svg, /<script|<\/title><s/);
  assert.match(svg, / …</, 'what does not fit is cut');
  assert.match(svg, /<\/svg>/);
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
