import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderStudiesPage } from '../../../../reports/html/studies/render-studies-page.ts';
import { renderStudiesMarkdown } from '../../../../reports/markdown/render-studies.ts';
import type { Studies } from '../../../../src/core/model/studies.ts';
import { experimentFixture, resultFixture } from '../../../support/studies-fixture.ts';

const { run } = experimentFixture();
const base = { study: 'A | study', place: 'table <1>', title: 'pages', results: [], figures: [] };
const studies: Studies = {
  schemaVersion: 1,
  revision: 'abc123',
  experiments: [
    experimentFixture({
      ...base,
      ...(run !== undefined && {
        run: {
          ...run,
          trialsOk: 15,
          trialsPlanned: 20,
          lostByArm: [{ arm: 'h3+migration=2mb', lost: 1, of: 8 }],
          exploratory: true,
          disturbances: ['noise (load): busy'],
          rawRates: [{ network: 'a-gigabit', udpMbps: 958.4, tcpMbps: 944 }],
        },
      }),
      results: [resultFixture('same', { figure: '<b>3 %</b> longer' })],
    }),
    { ...base, id: 'A2', preset: 'a-phones', needs: 'a phone' },
    { ...base, id: 'A3', preset: 'a-sweep' },
  ],
};

test('published and measured stand side by side, and what was not run says so', async () => {
  const text = renderStudiesMarkdown(studies);
  assert.match(
    text,
    /\| A1 \| `a-pages`.* \| .*3 %.* \| .*\+2 % .*15 of 16 trials valid, HTTP\/3 with its address lost after 2 MB: 1 of 8 lost, 4 of 20 not run yet, exploratory, noise \(load\): busy \| direction as published \| published size inside our interval \|/,
  );
  assert.match(text, /\| A2 \|.*\| unsupported: needs a phone \|/);
  assert.match(text, /\| A3 \|.*\| not run \|/);
  const rows = text.trim().split('\n');
  assert.ok(
    rows.every((row) => row.replaceAll('\\|', '').split('|').length === 8),
    text,
  );
  const page = await renderStudiesPage(studies);
  assert.match(
    page,
    /<h1 id="headline">Of 1 published finding: 1 agrees in direction, 0 of 0 in size, 0 of 0 in every campaign\.<\/h1>/,
  );
  assert.match(
    page,
    /Raw rate of the path in Mbit\/s, without HTTP\. a-gigabit: 958 over UDP, 944 over TCP\./,
  );
  assert.match(page, /Not run: <code>.*<span class="command-word">a-sweep<\/span><\/code>/);
  assert.match(page, /&lt;b&gt;3 %&lt;\/b&gt; longer/);
  assert.ok(!page.includes('<b>3 %'));
});
