import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { leftOutShare } from '../../../../src/core/model/audience.ts';
import { readyAudience, readyAudiences } from '../../../../src/plan/audience/ready/registry.ts';
import { runCliHere } from '../../../support/cli.ts';
import { projectDir } from '../../../support/source-graph.ts';

test('a ready audience can be planned by its name, and says where its figures come from', () => {
  assert.ok(readyAudiences.length >= 3);
  for (const { id, source } of readyAudiences) {
    const { plan } = planFromRequest(readPlanRequest('web', { audience: id }), '');
    const { audience } = plan;
    assert.equal(audience?.source, id);
    assert.equal(audience?.notes[0], source);
    assert.ok((audience?.conditions.length ?? 0) >= 2, id);
    const shares = audience?.conditions.reduce((sum, { share }) => sum + share, 0) ?? 0;
    assert.ok(Math.abs(shares + leftOutShare(audience ?? { leftOut: [] }) - 1) < 1e-9, `${id}: ${shares}`);
  }
});

test('a file of the same name is meant by its path', () => {
  const [{ id = '' } = {}] = readyAudiences;
  assert.equal(readyAudience(resolve(id)), undefined);
  assert.throws(() => readPlanRequest('web', { audience: `./${id}` }), /does not exist/);
});

test('help and docs name every one of them', async () => {
  const { stdout } = await runCliHere(['run', '--help', 'where']);
  const page = readFileSync(join(projectDir, 'docs/for-our-users.md'), 'utf8');
  for (const { id } of readyAudiences) {
    assert.match(stdout.replaceAll(/\s+/g, ' '), new RegExp(id));
    assert.match(page, new RegExp(`\`${id}\``));
  }
});
