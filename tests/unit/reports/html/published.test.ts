import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderHtmlReport } from '../../../../reports/html/render-html-report.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

const result = {
  study: 'Somebody et al. 2024',
  experiment: 'video over Ethernet',
  metric: 'averageChunkBitrateKbps',
  figure: 'up to 9.8 % <lower>',
  machine: 'a fast one',
  source: 'figure 9',
  ours: [
    {
      place: 'video, chromium, ethernet',
      text: 'HTTP/3 against HTTP/2: −9 % (−12 to −6 %), 8 blocks',
      change: '−9 % (−12 to −6 %)',
      form: 'ratio' as const,
      effect: -0.09,
      interval: [-0.12, -0.06] as [number, number],
      level: 20,
      levelInterval: [19, 21] as [number, number],
      blocks: 8,
      outcome: 'same' as const,
    },
  ],
  agreement: 'same' as const,
  sizeWords: 'published size inside our interval',
  ourMachine: 'a slow one',
};

test('the published figure stands beside ours, with both machines', async () => {
  const page = await renderHtmlReport({ ...summaryFixture(), published: [result, { ...result, ours: [] }] });
  const [, section = ''] = /<section id="published"([^]*?)<\/section>/.exec(page) ?? [];
  for (const part of [
    'up to 9.8 % &lt;lower&gt;',
    '−9 % (−12 to −6 %)',
    'as published',
    'a fast one',
    'a slow one',
    'figure 9',
  ])
    assert.ok(section.includes(part), part);
  assert.match(section, /not measured in this run/);
  assert.match(page, /href="#published"/);
});

test('a run of no study has no such section', async () => {
  assert.doesNotMatch(await renderHtmlReport(summaryFixture()), /id="published"/);
});
