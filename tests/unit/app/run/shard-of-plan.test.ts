import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostOfRun } from '../../../../src/app/run/host-of-run.ts';
import { shards } from '../../../../src/app/preflight/shards.ts';
import { parseShard } from '../../../../src/app/run/shard-of-plan.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { generateRun } from '../../../support/generated-run.ts';

const { plan } = generateRun({ blocks: 2 });

test('a shard is written as its number and that of all', () => {
  assert.deepEqual(parseShard('2/3'), { index: 2, count: 3 });
  for (const wrong of ['0/3', '4/3', '1', '1/0', '1/3/5', '-1/3', '1.5/3', '', '1 /3'])
    assert.throws(() => parseShard(wrong), /--shard wants its number/, wrong);
});

const wordsOf = async (part: Plan): Promise<string> =>
  (await shards.judge(part, {})).map(({ reason }) => reason).join();

test('a plan that stops when decided is not parted', async () => {
  assert.match(
    await wordsOf({ ...plan, interims: [2], shard: { index: 1, count: 2 } }),
    /stops when it is decided/,
  );
  assert.equal(await wordsOf({ ...plan, interims: [2] }), '');
});

test('a shard that would be empty is refused', async () => {
  assert.match(await wordsOf({ ...plan, shard: { index: 3, count: 3 } }), /shard 3\/3 has nothing to run/);
});

test('fewer blocks than shards are told', async () => {
  assert.equal(await wordsOf({ ...plan, shard: { index: 2, count: 2 } }), '');
  assert.match(await wordsOf({ ...plan, shard: { index: 1, count: 3 } }), /2 blocks over 3 shards/);
});

test('a run keeps the name of its host, and a shard does not go on elsewhere', () => {
  const shard = { index: 1, count: 2 };
  assert.equal(hostOfRun({}, null, 'lab-1'), 'lab-1');
  assert.equal(hostOfRun({}, { host: 'lab-1' }, undefined), 'lab-1');
  assert.equal(hostOfRun({ shard }, { host: 'lab-1' }, 'lab-1'), 'lab-1');
  assert.throws(() => hostOfRun({ shard }, { host: 'lab-1' }, 'lab-2'), /began on the host "lab-1"/);
  assert.throws(
    () => hostOfRun({ shard }, { host: 'never such a name' }, undefined),
    /began on the host "never such a name"/,
  );
});
