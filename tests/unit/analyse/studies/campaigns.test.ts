import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimDigest } from '../../../../src/analyse/studies/claim-digest.ts';
import { experimentResult } from '../../../../src/analyse/studies/experiment-result.ts';
import type { PublishedFigure, PublishedResult } from '../../../../src/core/model/published.ts';
import type { StudyRun } from '../../../../src/core/model/study-run.ts';
import { figure, plan } from '../../../support/measured-study.ts';
import { plannedStudyRun } from '../../../support/planned-study-run.ts';

const claim: PublishedFigure = { ...figure, networks: ['slow'], workloads: ['small'] };

/** A campaign in which HTTP/3 has this share of the rate of HTTP/2. */
function campaign(factor: number, day: number, claims: readonly string[] = [claimDigest(claim)]): StudyRun {
  const run = plannedStudyRun(plan, {
    value: (cell, metric, block) =>
      metric === 'throughputMbps'
        ? (cell.arm === 'h3' ? 100 * factor : 100) * (1 + 0.002 * (block % 3))
        : null,
  });
  return { ...run, startedAt: `2026-01-0${day}T00:00:00Z`, claims: [...claims] };
}

const experiment = { id: 'A1', preset: 'a', study: 'A study', place: 'table 1', title: 'rates', figures: [] };

function resultOf(campaigns: readonly StudyRun[]): PublishedResult {
  const [result] = experimentResult(experiment, [claim], { campaigns }).results;
  assert.ok(result !== undefined);
  return result;
}

test('each campaign says by itself what it found, and the newest is shown', () => {
  const result = resultOf([campaign(0.8, 1), campaign(1.25, 2), campaign(0.9, 3)]);
  assert.deepEqual(
    result.campaigns?.map(({ agreement }) => agreement),
    ['same', 'other', 'same'],
  );
  assert.equal(result.agreement, 'same');
  assert.ok(Math.abs((result.ours[0]?.effect ?? 0) + 0.1) < 0.01);
  assert.equal(resultOf([campaign(0.8, 1)]).campaigns?.length, 1);
});

test('over three campaigns there is an interval that has what differs between them, and over two there is none', () => {
  const factors = [0.8, 0.7, 0.9];
  const all = resultOf(factors.map((factor, index) => campaign(factor, index + 1))).ours[0]?.acrossCampaigns;
  assert.ok(all !== undefined);
  const logs = factors.map(Math.log);
  const mean = logs.reduce((sum, value) => sum + value, 0) / 3;
  const sd = Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 2);
  // Student's t of 2 degrees of freedom, 97.5 %.
  const reach = (4.302653 * sd) / Math.sqrt(3);
  assert.equal(all.campaigns, 3);
  assert.ok(Math.abs(all.effect - Math.expm1(mean)) < 1e-3);
  assert.ok(Math.abs(all.interval[0] - Math.expm1(mean - reach)) < 1e-3);
  assert.ok(Math.abs(all.interval[1] - Math.expm1(mean + reach)) < 1e-3);
  assert.equal(resultOf([campaign(0.8, 1), campaign(0.7, 2)]).ours[0]?.acrossCampaigns, undefined);
});

test('a claim that the newest run did not have is judged after the fact, and campaigns without it have no say', () => {
  assert.equal(resultOf([campaign(0.8, 1, ['another']), campaign(0.8, 2)]).afterTheFact, undefined);
  assert.equal(resultOf([campaign(0.8, 1, ['another']), campaign(0.8, 2)]).campaigns?.length, 1);
  const changed = resultOf([campaign(0.8, 1), campaign(0.8, 2, ['another'])]);
  assert.equal(changed.afterTheFact, true);
  assert.equal(changed.agreement, 'same', 'it is shown all the same');
  const unmeasured = experimentResult(experiment, [{ ...claim, networks: ['none'] }], {
    campaigns: [campaign(0.8, 1, [])],
  }).results[0];
  assert.equal(unmeasured?.afterTheFact, undefined, 'nothing was seen of it');
});

test('runs that do not count stay listed, with the reason', () => {
  const lossy = { ...campaign(0.8, 1), trialsOk: 1 };
  const { campaigns = [] } = experimentResult(experiment, [claim], {
    campaigns: [campaign(0.8, 2)],
    leftOut: [{ run: lossy, why: 'lost 31 of 32 trials' }],
  });
  assert.deepEqual(
    campaigns.map(({ startedAt, why }) => [startedAt?.slice(0, 10), why]),
    [
      ['2026-01-02', undefined],
      ['2026-01-01', 'lost 31 of 32 trials'],
    ],
  );
});

test('a comparison is told over campaigns with its own server, which its place names', () => {
  const both = {
    ...plan,
    conditions: plan.conditions.flatMap((condition) =>
      ['nginx', 'caddy'].map((server) => ({ ...condition, server })),
    ),
  };
  const campaigns = [0.8, 0.7, 0.9].map((factor, index): StudyRun => {
    const run = plannedStudyRun(both, {
      value: ({ arm, server }, metric, block) => {
        if (metric !== 'throughputMbps') return null;
        const by = server === 'nginx' ? factor : 1 / factor;
        return (arm === 'h3' ? 100 * by : 100) * (1 + 0.002 * (block % 3));
      },
    });
    return { ...run, startedAt: `2026-01-0${index + 1}T00:00:00Z`, claims: [claimDigest(claim)] };
  });
  const { ours } = resultOf(campaigns);
  assert.deepEqual(
    ours.map(({ at, acrossCampaigns }) => [at?.server, Math.sign(acrossCampaigns?.effect ?? NaN)]),
    [
      ['nginx', -1],
      ['caddy', 1],
    ],
  );
  assert.deepEqual(
    ours.map(({ place }) => /nginx|caddy/i.exec(place)?.[0].toLowerCase()),
    ['nginx', 'caddy'],
  );
});
