import assert from 'node:assert/strict';
import { test } from 'node:test';
import { experimentResult, judge } from '../../../src/analyse/study-results.ts';
import { summarise } from '../../../src/analyse/summarise.ts';
import type { PublishedFigure } from '../../../src/model/published.ts';
import type { Verdict } from '../../../src/model/summary.ts';
import { generateRun } from '../../support/generated-run.ts';

const figure: PublishedFigure = {
  study: 'A study',
  experiment: 'pages',
  metric: 'pltMs',
  machine: 'theirs',
  source: 'table 1',
  figure: 'HTTP/3 10 % longer',
};
const experiment = { id: 'A1', preset: 'a-pages', study: 'A study', place: 'section 1', title: 'pages' };

function agreement(verdicts: readonly Verdict[], expects?: PublishedFigure['expects']): string {
  return judge(
    expects,
    verdicts.map((verdict) => ({ verdict })),
  );
}

test('what was measured has the published direction, another, or none that is sure', () => {
  assert.equal(agreement(['worse', 'inconclusive'], 'worse'), 'same');
  assert.equal(agreement(['better', 'equivalent'], 'worse'), 'other');
  assert.equal(agreement(['worse', 'equivalent'], 'worse'), 'partly');
  assert.equal(agreement(['mixed'], 'worse'), 'partly');
  assert.equal(agreement(['inconclusive'], 'worse'), 'undecided');
  assert.equal(agreement(['worse']), 'no direction');
  assert.equal(agreement([], 'worse'), 'not measured');
});

test('a direction without a size counts only where nothing else is sure', () => {
  const small = { verdict: 'inconclusive', side: 'worse' } as const;
  assert.equal(judge('worse', [small, { verdict: 'inconclusive' }]), 'same, small');
  assert.equal(judge('better', [small]), 'undecided');
  assert.equal(judge('worse', [small, { verdict: 'inconclusive', side: 'better' }]), 'undecided');
  assert.equal(judge('worse', [small, { verdict: 'better' }]), 'other');
});

test('a run whose HTTP/3 is slower agrees with a study that found it slower, and not with its opposite', () => {
  const slower = generateRun({ slowdown: { h3: 1.3 }, noise: 0.02, plan: { pooled: { page: true } } });
  for (const [expects, wanted] of [
    ['worse', 'same'],
    ['better', 'other'],
  ] as const) {
    const plan = { ...slower.plan, published: [{ ...figure, expects }] };
    const summary = summarise(plan, slower.records, null, []);
    const result = experimentResult(experiment, { path: 'a', trialsPlanned: 500, summary });
    assert.equal(result.figures[0]?.agreement, wanted);
    assert.equal(result.run?.trialsOk, slower.records.length);
    assert.equal(result.run?.trialsDone, slower.records.length);
    assert.equal(result.run?.trialsPlanned, 500);
  }
});

test('an experiment without a run has no figures', () => {
  assert.deepEqual(experimentResult(experiment, undefined), { ...experiment, figures: [] });
});
