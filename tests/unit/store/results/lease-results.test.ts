import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { folderStore } from '../../../../src/store/results/folder-store.ts';
import { leaseResults, type LeaseResults } from '../../../../src/store/results/lease-results.ts';
import { openResultsStore } from '../../../../src/store/results/open-results-store.ts';
import { createRunDirectory, type RunDirectory } from '../../../../src/store/run-directory.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { keepsContract } from '../../../support/results-store-contract.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const { plan, records } = generateRun({ blocks: 2 });
const [record] = records;
assert.ok(record !== undefined);

interface Rig {
  readonly place: string;
  readonly results: LeaseResults;
  readonly directory: RunDirectory;
  /** A folder of a trial with these files. */
  readonly trialDir: (files: Readonly<Record<string, string>>) => string;
}

function rig(t: TestContext): Rig {
  const folder = tempFolder(t);
  const place = join(folder, 'shared');
  const trialDir = join(folder, 'trial');
  return {
    place,
    results: leaseResults(folderStore(place), 'abc'),
    directory: createRunDirectory(join(folder, 'run'), plan, { latest: false }),
    trialDir: (files) => {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(join(trialDir, name, '..'), { recursive: true });
        writeFileSync(join(trialDir, name), content);
      }
      return trialDir;
    },
  };
}

test('of several that want one lease one gets it, and the others are told who', async (t) => {
  const { results } = rig(t);
  const answers = await Promise.all(['a', 'b', 'c'].map((host) => results.claim('b000-g0', host)));
  assert.equal(answers.filter((before) => before === null).length, 1);
  const winner = await results.claimedBy('b000-g0');
  assert.ok(answers.every((before) => before === null || before === winner));
  assert.equal(await results.claimedBy('b001-g0'), null);
});

test('a record comes back with its files, once, and content that is there is not stored again', async (t) => {
  const { results, directory, trialDir, place } = rig(t);
  const folder = trialDir({ 'page.har.gz': 'har', 'frames/1.jpg': 'frame', 'frames/2.jpg': 'frame' });
  await results.keep('b000-g0', record, folder);
  await results.keep('b000-g0', { ...record, status: 'failed' }, folder);
  assert.equal(readdirSync(join(place, 'blobs'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length, 2);
  assert.deepEqual(await results.bring('b000-g0', directory, () => false), [record]);
  const brought = directory.trialDir(record.trialId);
  assert.equal(readFileSync(join(brought, 'frames/2.jpg'), 'utf8'), 'frame');
  assert.deepEqual(await results.bring('b000-g0', directory, () => true), []);
  assert.deepEqual(await results.bring('b001-g0', directory, () => false), []);
});

test('damaged content is not taken for an artifact', async (t) => {
  const { results, directory, trialDir, place } = rig(t);
  await results.keep('b000-g0', record, trialDir({ 'page.har.gz': 'har' }));
  const blobs = join(place, 'blobs');
  const [name = ''] = readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter((one) => one.length > 60);
  writeFileSync(join(blobs, name), 'other');
  await assert.rejects(results.bring('b000-g0', directory, () => false), /has damaged the content of page\.har\.gz/);
});

test('an artifact that would lie outside its trial is refused', async (t) => {
  const { results, directory, trialDir, place } = rig(t);
  await results.keep('b000-g0', record, trialDir({ 'page.har.gz': 'har' }));
  const file = join(place, 'runs/abc/records/b000-g0', `${record.trialId}.json`);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"path":"page', '"path":"../../../page'));
  await assert.rejects(results.bring('b000-g0', directory, () => false), /does not lie inside/);
});

test('the first environment is that of the run, and every host is known', async (t) => {
  const { results } = rig(t);
  const [one, two] = ['lab-1', 'lab-2'].map((host) => ({ ...environmentFixture(['chromium'], ['host']), host }));
  assert.ok(one !== undefined && two !== undefined);
  assert.deepEqual(await results.firstEnvironment(one), one);
  assert.deepEqual(await results.firstEnvironment(two), one);
  assert.equal(await results.joined('lab-1'), null);
  await results.joinHost('lab-1', one);
  assert.deepEqual(await results.joined('lab-1'), one);
  await results.joinHost('lab-2', two);
  assert.deepEqual(await results.environments(), [one, two]);
});

test('a store that cannot be written says so, and an address that is none is refused', async (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'file'), '');
  await assert.rejects(
    async () => folderStore(join(folder, 'file')).put('a/b', 'x'),
    (fault: Error & { code?: string }) => fault.code === 'storage',
  );
  await assert.rejects(openResultsStore('ftp://lab/results'), /cannot be kept at ftp/);
});

const noDisk =
  process.platform === 'linux' && process.getuid?.() === 0
    ? false
    : 'mounts a small disk: Linux and root only';

test('a full store says so, keeps what it had whole, and goes on with more room', { skip: noDisk }, async (t) => {
  // Unmounted before the folder is removed: what is to be done first is said first.
  t.after(() => execFileSync('umount', [disk]));
  const disk = tempFolder(t);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'h2h3-test', disk]);
  const store = folderStore(disk);
  const kept = Buffer.alloc(60_000, 1);
  await store.put('blobs/kept', kept, { ifAbsent: true });
  for (const ifAbsent of [true, false])
    await assert.rejects(
      async () => store.put('blobs/late', Buffer.alloc(100_000, 2), { ifAbsent }),
      (fault: Error & { code?: string }) => fault.code === 'storage' && /disk is full/.test(fault.message),
    );
  assert.deepEqual(await store.list('blobs/'), ['blobs/kept']);
  assert.deepEqual(readdirSync(join(disk, 'blobs')), ['kept'], 'no half of it is left');
  assert.deepEqual(Buffer.from((await store.get('blobs/kept')) ?? []), kept);
  execFileSync('mount', ['-o', 'remount,size=1m', disk]);
  assert.equal(await store.put('blobs/late', Buffer.alloc(100_000, 2), { ifAbsent: true }), true);
});

test('a folder keeps the contract of a results store', async (t) => {
  const place = join(tempFolder(t), 'shared');
  await keepsContract(() => openResultsStore(place));
});
