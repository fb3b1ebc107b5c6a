import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderStudiesPage } from '../../../../reports/html/studies/render-studies-page.ts';
import { runsInWords, studiesHeadline, studyCounts } from '../../../../reports/html/studies/study-counts.ts';
import { experimentFixture, studiesFixture } from '../../../support/studies-fixture.ts';

test('the counts of the studies’ headline add up to all results, and a claim that two share counts once', async () => {
  const counts = studyCounts(studiesFixture());
  const { all, same, partly, opposite, open, notMeasured } = counts;
  assert.equal(all, 6);
  assert.equal(same + partly + opposite + open + notMeasured, all);
  assert.equal(
    studiesHeadline(counts),
    'Of 6 findings: 2 as published, 1 partly, 1 contradicted, 1 not decided, 1 not measured.',
  );
  assert.equal([...(await renderStudiesPage(studiesFixture())).matchAll(/class="study-bar /g)].length, 5);
});

test('scale and revision are named, and what stands out of them is counted', () => {
  const { run } = experimentFixture();
  assert.ok(run !== undefined);
  const studies = studiesFixture();
  const other = experimentFixture({
    id: 'A3',
    run: { ...run, revision: 'def456', timed: false, disturbances: ['noise (load): busy'] },
  });
  assert.equal(
    runsInWords({ ...studies, experiments: [...studies.experiments, other] }),
    '2 of 3 experiments run at quick scale, revision abc123, 1 by other revisions, 1 with the browser recorded, 1 on a busy machine',
  );
  assert.equal(
    runsInWords({ ...studies, experiments: studies.experiments.slice(1) }),
    '1 experiment, none run here',
  );
});
