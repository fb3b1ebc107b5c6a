import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  renderStudiesPage,
  studiesHeadline,
  studyCounts,
} from '../../../../reports/html/studies/render-studies-page.ts';
import { studiesFixture } from '../../../support/studies-fixture.ts';

test('the counts of the studies’ headline add up to all results, and the picture has one bar a count', async () => {
  const counts = studyCounts(studiesFixture());
  const { all, same, partly, opposite, open, notRun } = counts;
  assert.equal(same + partly + opposite + open + notRun, all);
  assert.equal(
    studiesHeadline(counts),
    'Of 7 published findings: 3 same direction, 1 partly, 1 opposite, 1 not decided, 1 not run.',
  );
  assert.equal([...(await renderStudiesPage(studiesFixture())).matchAll(/class="study-bar /g)].length, 5);
});
