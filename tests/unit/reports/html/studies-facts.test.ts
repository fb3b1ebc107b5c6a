import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderStudiesPage } from '../../../../reports/html/studies/render-studies-page.ts';
import type { PublishedResult } from '../../../../src/core/model/published.ts';
import type { ExperimentResult, Studies } from '../../../../src/core/model/studies.ts';
import { experimentFixture, resultFixture } from '../../../support/studies-fixture.ts';

const { run } = experimentFixture();
assert.ok(run !== undefined);
const ran = (id: string, server: string, more: Partial<ExperimentResult> = {}): ExperimentResult =>
  experimentFixture({
    id,
    run: { ...run, machineParts: ['a small machine', server], blocks: id === 'A1' ? 8 : 12 },
    results: [resultFixture('same')],
    ...more,
  });
const page = (...experiments: readonly ExperimentResult[]): Promise<string> => {
  const studies: Studies = { schemaVersion: 1, revision: 'abc123', experiments: [...experiments] };
  return renderStudiesPage(studies);
};
const count = (text: string, part: string): number => text.split(part).length - 1;

test('what all runs of a study have in common is said once, and what one alone has with it', async () => {
  const text = await page(ran('A1', 'Caddy 2'), ran('A2', 'nginx 1'));
  assert.match(
    text,
    /In every run here: quick scale, revision abc123, 2026-01-01, 16 of 16 trials valid, a small machine\./,
  );
  assert.match(text, /Table 1\.<\/span> <span>8 blocks\.<\/span> <span>Here: Caddy 2\./);
  assert.match(text, /Table 1\.<\/span> <span>12 blocks\.<\/span> <span>Here: nginx 1\./);
  for (const part of ['a small machine', 'Caddy 2']) assert.equal(count(text, part), 1, part);
  const alone = await page(ran('A1', 'Caddy 2'));
  assert.match(alone, /Here: a small machine, Caddy 2\./);
  assert.doesNotMatch(alone, /In every run/);
});

test('a table says once what all its outcomes say of campaigns, and names no size where none was published', async () => {
  const campaign = (agreement: PublishedResult['agreement']) => ({
    startedAt: null,
    revision: null,
    agreement,
  });
  const twice = [campaign('same'), campaign('same')];
  const turned = [campaign('other'), campaign('same')];
  const held = resultFixture('same', { campaigns: twice, size: { percent: 3 } });
  const all = await page(ran('A1', 'a', { results: [held, resultFixture('same', { campaigns: twice })] }));
  assert.equal(count(all, 'in each of 2 campaigns'), 1);
  assert.match(all, /Every outcome: in each of 2 campaigns\./);
  assert.equal(count(all, 'Size: published'), 1);
  const mixed = await page(ran('A1', 'a', { results: [held, resultFixture('same', { campaigns: turned })] }));
  assert.equal(count(mixed, 'In each of 2 campaigns.'), 1);
  assert.equal(count(mixed, 'In 1 of 2 campaigns.'), 1);
  assert.doesNotMatch(mixed, /Every outcome|unless said/);
  const most = await page(
    ran('A1', 'a', { results: [held, held, resultFixture('same', { campaigns: turned })] }),
  );
  assert.match(most, /Outcomes, unless said: in each of 2 campaigns\./);
  assert.equal(count(most, 'In each of 2 campaigns.'), 0);
  assert.equal(count(most, 'In 1 of 2 campaigns.'), 1);
});

test('of several figures the first is shown, and a region holds them all', async () => {
  const [figure] = experimentFixture().figures;
  assert.ok(figure !== undefined);
  const two = await page(ran('A1', 'a', { figures: [figure, { ...figure, title: 'Rates' }] }));
  assert.match(
    two,
    /<div class="study-figures"[^>]*aria-label="Figures: A1">(?:<figure class="sf">[^]*?<\/figure>){2}<\/div>/,
  );
  assert.doesNotMatch(await page(ran('A1', 'a')), /study-figures"/);
});
