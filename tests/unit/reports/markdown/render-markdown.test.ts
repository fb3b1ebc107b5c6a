import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { code, plain } from '../../../../reports/markdown/markdown-text.ts';
import { renderMarkdown } from '../../../../reports/markdown/render-markdown.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

describe('Markdown', () => {
  test('shows the primary comparisons, folds the others, and ends with the command', () => {
    const summary = summaryFixture();
    const text = renderMarkdown(summary);
    const primary = summary.comparisons.filter((one) => one.primary);
    const [table = ''] = text.split('<details>');
    assert.equal(table.match(/^\| /gm)?.length, primary.length + 2);
    assert.match(text, /Run it again: `npx h2h3 run web --repetitions 8 --seed 1`/);
  });

  test('has a picture and a link, that lead to where the folder is published', () => {
    const film = { title: 'Front page', webp: 'film/typical.webp' };
    assert.match(renderMarkdown(summaryFixture()), /\[The whole report\]\(<report\.html>\)/);
    const text = renderMarkdown(summaryFixture(), {
      folder: 'https://ci.example/17/',
      card: 'card.png',
      film,
    });
    assert.match(
      text,
      /\(<https:\/\/ci\.example\/17\/card\.png>\)\]\(<https:\/\/ci\.example\/17\/report\.html>\)/,
    );
    assert.match(text, /!\[Front page\]\(<https:\/\/ci\.example\/17\/film\/typical\.webp>\)/);
  });

  test('stays below the length of a comment for a large run', () => {
    const summary = summaryFixture({ pages: 100, blocks: 6, troubles: 500 });
    const warnings = Array.from({ length: 500 }, (_, i) => `warning ${i} ${'x'.repeat(80)}`);
    assert.ok(renderMarkdown({ ...summary, warnings }).length < 65_536);
  });

  test('foreign text is shown and not obeyed', () => {
    assert.equal(
      plain('a|b <img> `c` @team [x](y)\n# z'),
      'a\\|b \\<img\\> \\`c\\` @\u200bteam \\[x\\](y) \\# z',
    );
    assert.equal(code('a `b` c'), '`` a `b` c ``');
  });
});
