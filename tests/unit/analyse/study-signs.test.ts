import assert from 'node:assert/strict';
import { test } from 'node:test';
import { studySigns } from '../../../src/analyse/study-signs.ts';
import { summarise } from '../../../src/analyse/summarise.ts';
import type { Summary } from '../../../src/model/summary.ts';
import { generateRun } from '../../support/generated-run.ts';

/** A run of downloads in which HTTP/3 is so much slower, by network. */
function runOf(slowdowns: Readonly<Record<string, number>>, client = 'chromium'): Summary['comparisons'] {
  return Object.entries(slowdowns).flatMap(([network, h3]) => {
    const { plan, records } = generateRun({
      workloads: [{ id: 'download-100mb', kind: 'download' }],
      networks: [network],
      blocks: 10,
      slowdown: { h3 },
      noise: 0.01,
    });
    return summarise(plan, records, null, []).comparisons.map((one) => ({ ...one, client }));
  });
}

const { plan, records } = generateRun();
const about = summarise(plan, records, null, []);
const summaries = (byPreset: Readonly<Record<string, Summary['comparisons']>>): Map<string, Summary> =>
  new Map(Object.entries(byPreset).map(([preset, comparisons]) => [preset, { ...about, comparisons }]));
const agreement = (wanted: RegExp, those: Map<string, Summary>): string | undefined =>
  studySigns(those).find(({ words }) => wanted.test(words))?.agreement;

test('a gap that opens with the rate is told from one that is everywhere, and from one that closes', () => {
  const sweep = (slow: number, fast: number): Map<string, Summary> =>
    summaries({ 'zhang2024-sweep': runOf({ 'zhang-100mbit': slow, 'ethernet-1g': fast }) });
  assert.equal(agreement(/gap opens/, sweep(1, 1.4)), 'same');
  assert.equal(agreement(/gap opens/, sweep(1.2, 1.2)), 'undecided');
  assert.equal(agreement(/gap opens/, sweep(1.4, 1)), 'other');
});

test('Firefox and Chromium are told apart by what they lose block by block', () => {
  const browsers = (firefox: number): Map<string, Summary> =>
    summaries({
      'zhang2024-browsers': [
        ...runOf({ 'ethernet-1g': 1.3 }),
        ...runOf({ 'ethernet-1g': firefox }, 'firefox'),
      ],
    });
  assert.equal(agreement(/Firefox/, browsers(1)), 'same');
  assert.equal(agreement(/Firefox/, browsers(1.3)), 'undecided');
  assert.equal(agreement(/Chromium’s HTTP\/3 is below/, browsers(1)), 'same');
});

test('without runs nothing is measured, and each direction is named all the same', () => {
  const signs = studySigns(new Map());
  assert.equal(signs.length, 6);
  assert.ok(signs.every((sign) => sign.agreement === 'not measured' && sign.evidence.length === 0));
});
