import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { studyCounts } from '../../../../reports/html/studies/study-counts.ts';
import { recountStudies } from '../../../support/recount/recount-studies.ts';
import { projectDir } from '../../../support/source-graph.ts';
import { keptStudies, readmeLine } from '../../../support/study-document.ts';

const studies = [
  ['zhang2024', 'Zhang et al. 2024'],
  ['liu2025', 'Liu et al. 2025'],
  ['kakhki2017', 'Kakhki et al. 2017'],
  ['shreedhar2022', 'Shreedhar et al. 2022'],
] as const;

test('a second count from the kept files alone, by other code, comes to the same numbers', async () => {
  const page = await keptStudies();
  for (const [prefix, study] of studies) {
    const experiments = page.experiments.filter((each) => each.study === study);
    assert.deepEqual(recountStudies([prefix]), studyCounts({ experiments }), study);
  }
  const all = recountStudies(studies.map(([prefix]) => prefix));
  assert.deepEqual(all, studyCounts(page));
  assert.ok(all.all > 95, `${all.all} claims`);
  assert.ok(all.direction > 0 && all.afterTheFact > 0 && all.opposite > 0, JSON.stringify(all));
});

test('the README has the numbers of the kept runs', async () => {
  const text = readFileSync(join(projectDir, 'README.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const line = await readmeLine();
  assert.ok(text.includes(line), `README lacks: ${line}`);
});

/** Numbers with what is measured: percent, times, times of a clock, rates. */
const measured = /[\d.]+(?:,\d{3})*\s?(?:%|ms\b|s\b|Mbit\/s|times\b|points\b)/g;

/** Outside of what is made: the rule of judging, sizes of set-ups, and what the paper is quoted with. */
const ofTheRule = new Set(['95 %', '5 %', '10 %', '1 s', '5 Mbit/s', '100 Mbit/s']);

test('docs/studies.md has no measured number that is not made from the kept runs', () => {
  const text = readFileSync(join(projectDir, 'docs', 'studies.md'), 'utf8');
  const [head = '', , tail = ''] = text.split(/<!-- made by `npm run docs` -->|<!-- end of what is made -->/);
  const own = `${head}${tail}`.replaceAll(/```[^]*?```|`[^`]*`/g, '');
  const odd = (own.match(measured) ?? []).filter((number) => !ofTheRule.has(number));
  assert.deepEqual(odd, []);
});
