import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderStudiesPage } from '../../../../reports/html/studies/render-studies-page.ts';
import {
  runsInWords,
  standingOf,
  studiesHeadline,
  studyCounts,
} from '../../../../reports/html/studies/study-counts.ts';
import type { PublishedResult } from '../../../../src/core/model/published.ts';
import { experimentFixture, resultFixture, studiesFixture } from '../../../support/studies-fixture.ts';

test('the counts of the studies’ headline add up to all results, and a claim that two share counts once', async () => {
  const counts = studyCounts(studiesFixture());
  const { all, direction, opposite, open, absent, notMeasured } = counts;
  assert.equal(all, 6);
  assert.equal(direction + opposite + open + absent + notMeasured, all);
  assert.equal(
    studiesHeadline(counts),
    'Of 6 published findings: 2 agree in direction, 0 of 0 in size, 0 of 0 in every campaign.',
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

test('each claim is in one count, and what is not of the whole claim is counted apart', () => {
  const standing = (more: Partial<PublishedResult>): string => standingOf(resultFixture('same', more));
  assert.equal(standing({}), 'direction');
  assert.equal(standing({ part: { here: 1, all: 5 }, pool: true, oneClient: true }), 'part');
  assert.equal(standing({ pool: true, oneClient: true }), 'pooled');
  assert.equal(standing({ oneClient: true }), 'oneClient');
  assert.equal(standing({ afterTheFact: true }), 'afterTheFact');
  assert.equal(standingOf(resultFixture('other', { afterTheFact: true })), 'afterTheFact');
  assert.equal(standingOf(resultFixture('not measured')), 'notMeasured');
  const campaign = { startedAt: null, revision: null };
  const sure = resultFixture('same', {
    sizeAgrees: true,
    campaigns: [
      { ...campaign, agreement: 'same' },
      { ...campaign, agreement: 'same' },
    ],
  });
  const once = resultFixture('same', { sizeAgrees: false, campaigns: [{ ...campaign, agreement: 'same' }] });
  const turned = resultFixture('same', {
    sizeAgrees: null,
    campaigns: [
      { ...campaign, agreement: 'undecided' },
      { ...campaign, agreement: 'same' },
    ],
  });
  const { direction, size, sizeOf, held, heldOf } = studyCounts({
    experiments: [experimentFixture({ results: [sure, once, turned] })],
  });
  assert.deepEqual([direction, size, sizeOf, held, heldOf], [3, 1, 2, 1, 2]);
});

test('a study says in one line what it asks and what was found, with its figure first and not a second time', async () => {
  const page = await renderStudiesPage({
    ...studiesFixture(),
    leads: [
      {
        study: 'A study',
        question: 'Is it slower?',
        claim: { id: 'A1', experiment: 'load' },
        figure: { id: 'A1', place: 'figure 2' },
      },
    ],
  });
  assert.match(page, /<b>Is it slower\?<\/b> Yes: load, \+2\.0 % .* here\. Published: 3 % longer\./);
  assert.match(
    page,
    /Of 6 findings: direction agrees 2 of 6 · size agrees 0 of 0 comparable · held in every campaign/,
  );
  assert.equal([...page.matchAll(/<figure class="sf">/g)].length, 1);
  assert.ok(page.indexOf('<figure class="sf">') < page.indexOf('<article class="study"'));
});
