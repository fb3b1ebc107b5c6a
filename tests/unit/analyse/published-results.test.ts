import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../src/analyse/summarise.ts';
import type { PublishedFigure } from '../../../src/model/published.ts';
import { summarySchema } from '../../../src/model/summary.ts';
import { environmentFixture } from '../../support/environment-fixture.ts';
import { generateRun } from '../../support/generated-run.ts';

const figure: PublishedFigure = {
  study: 'Somebody et al. 2024',
  experiment: 'video over Ethernet',
  metric: 'startupDelayMs',
  networks: ['ethernet'],
  figure: '7 % longer',
  machine: 'a fast one',
  source: 'figure 9',
};

test('a published figure stands beside what this run measured of it, and beside this machine', () => {
  const { plan, records } = generateRun({
    workloads: [{ id: 'video', kind: 'video' }],
    networks: ['ethernet', '4g'],
    slowdown: { h3: 1.1 },
    plan: { published: [figure] },
  });
  const environment = environmentFixture(['chromium'], ['ethernet', '4g']);
  const [result, ...more] = summarySchema.parse(summarise(plan, records, environment, [])).published ?? [];
  assert.deepEqual(more, []);
  assert.equal(result?.figure, '7 % longer');
  assert.deepEqual(
    result?.ours.map(({ place }) => place),
    ['video, Chromium 156, emulated path ethernet'],
    'the other network is not what they measured',
  );
  assert.match(result?.ours[0]?.text ?? '', /^HTTP\/3 is worse than HTTP\/2: start-up delay is \d/);
  assert.ok(result?.ourMachine.includes(environment.machine.cpuModel));
});

test('a figure of something that this run did not measure stays, with nothing beside it', () => {
  const { plan, records } = generateRun({ plan: { published: [figure] } });
  const [result] = summarise(plan, records, null, []).published ?? [];
  assert.deepEqual(result?.ours, []);
  assert.match(result?.ourMachine ?? '', /unknown/);
});

test('a plan without published figures has none', () => {
  const { plan, records } = generateRun();
  assert.equal(summarise(plan, records, null, []).published, undefined);
});
