import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderStudiesPage } from '../../../../reports/html/studies/render-studies-page.ts';
import { renderStudiesMarkdown } from '../../../../reports/markdown/render-studies.ts';
import type { Studies } from '../../../../src/model/studies.ts';

const base = { study: 'A | study', place: 'table <1>', title: 'pages' };
const studies: Studies = {
  schemaVersion: 1,
  signs: [],
  experiments: [
    {
      ...base,
      id: 'A1',
      preset: 'a-pages',
      run: {
        path: 'a-pages-quick',
        startedAt: '2026-01-01T00:00:00Z',
        trialsOk: 15,
        trialsPlanned: 20,
        trialsDone: 16,
        exploratory: true,
        disturbances: ['noise (load): busy'],
        blocks: 8,
        clients: ['Chromium 156'],
      },
      figures: [
        {
          study: 'A',
          experiment: 'load',
          metric: 'pltMs',
          figure: '<b>3 %</b> longer',
          machine: 'm',
          source: 'figure 2',
          ours: [{ place: 'cable', text: '2 % longer' }],
          ourMachine: 'o',
          expects: 'worse',
          agreement: 'same',
        },
      ],
    },
    { ...base, id: 'A2', preset: 'a-phones', needs: 'a phone', figures: [] },
    { ...base, id: 'A3', preset: 'a-sweep', figures: [] },
  ],
};

test('published and measured stand side by side, and what was not run says so', async () => {
  const text = renderStudiesMarkdown(studies);
  assert.match(
    text,
    /\| A1 \| `a-pages`.* \| .*3 %.* \| .*2 % longer.*15 of 16 trials valid, 4 of 20 not run yet, exploratory, noise \(load\): busy \| same direction \|/,
  );
  assert.match(text, /\| A2 \|.*\| unsupported: needs a phone \|/);
  assert.match(text, /\| A3 \|.*\| not run \|/);
  const rows = text.trim().split('\n');
  assert.ok(
    rows.every((row) => row.replaceAll('\\|', '').split('|').length === 7),
    text,
  );
  const page = await renderStudiesPage(studies);
  assert.match(
    page,
    /<h1 id="headline">Of 1 published finding: 1 same direction, 0 opposite\.<\/h1>\s*<p class="facts">1 of 3 experiments run here/,
  );
  assert.match(page, /not run: <code>.*<span class="command-word">a-sweep<\/span><\/code>/);
  assert.match(page, /&lt;b&gt;3 %&lt;\/b&gt; longer/);
  assert.ok(!page.includes('<b>3 %'));
});
