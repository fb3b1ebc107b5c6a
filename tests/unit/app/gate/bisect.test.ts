import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bisect, versionsBetween, type JudgeVersion } from '../../../../src/app/gate/bisect.ts';
import { machineWithMirror } from '../../../support/debian-mirror.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const versions = Array.from({ length: 12 }, (_, index) => `tool@1.${index}`);

/** A judge by whom everything from this version on is worse. */
function worseFrom(first: number): { judge: JudgeVersion; asked: string[] } {
  const asked: string[] = [];
  const judge: JudgeVersion = (name) => {
    asked.push(name);
    return Promise.resolve(versions.indexOf(name) >= first ? 'worse' : 'passed');
  };
  return { judge, asked };
}

test('the two neighbours between which it became worse are found with few gates, wherever they are', async () => {
  for (let first = 1; first < versions.length; first++) {
    const { judge, asked } = worseFrom(first);
    assert.deepEqual(await bisect(versions, judge), { good: versions[first - 1], bad: versions[first] });
    assert.ok(asked.length <= 4, `${asked.length} gates`);
    assert.ok(!asked.includes('tool@1.0') && !asked.includes('tool@1.11'), 'the ends are known');
  }
});

test('a version that is not decided ends the search with what is known', async () => {
  const found = await bisect(versions, () => Promise.resolve('undecided'));
  assert.deepEqual(found, { good: 'tool@1.0', bad: 'tool@1.11', open: 'tool@1.5' });
});

test('versions between are those of the registry, by their exact names, the oldest first', async (t) => {
  const releases = ['1.26.3-3', '1.28.0-1', '1.29.1-2', '1.30.6-2', '1.31.0-1'];
  const packages = releases.map((release) => ({ name: 'nginx', release, suite: 'sid' }));
  const { context } = machineWithMirror(tempFolder(t), packages, 'usr/sbin/nginx');
  assert.deepEqual(await versionsBetween('nginx@1.26', 'nginx@1.30', context), [
    'nginx@1.26.3',
    'nginx@1.28.0',
    'nginx@1.29.1',
    'nginx@1.30.6',
  ]);
  await assert.rejects(versionsBetween('nginx@1.30', 'nginx@1.26', context), /is not newer than/);
  await assert.rejects(versionsBetween('nginx@1.30', 'caddy@2.11', context), /no versions between/);
  await assert.rejects(versionsBetween('nginx', 'nginx@1.30', context), /no versions between/);
});
