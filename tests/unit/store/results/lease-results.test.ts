import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

const key = 'k'.repeat(32);

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
    results: leaseResults(folderStore(place), 'abc', key),
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

test('a plan is taken from who has the key alone: another key, a changed plan, another run and none are refused', async (t) => {
  const { results, place } = rig(t);
  const own = join(place, 'runs/abc/plan.json');
  const signature = join(place, 'runs/abc/plan.hmac');
  const refused = (from: LeaseResults): Promise<void> =>
    assert.rejects(from.plan(), { code: 'bad-input', message: /is not signed with the key of this worker/ });
  assert.equal(await results.plan(), null);
  await results.publishPlan(plan);
  assert.deepEqual(await results.plan(), plan);
  await refused(leaseResults(folderStore(place), 'abc', 'l'.repeat(32)));
  const text = readFileSync(own, 'utf8');
  writeFileSync(own, text.replace(/"seed":\d+/, '"seed":77'));
  await refused(results);
  writeFileSync(own, text);
  assert.deepEqual(await results.plan(), plan);
  cpSync(join(place, 'runs/abc'), join(place, 'runs/abd'), { recursive: true });
  await refused(leaseResults(folderStore(place), 'abd', key));
  for (const other of ['', 'x', readFileSync(signature, 'utf8').slice(1)]) {
    writeFileSync(signature, other);
    await refused(results);
  }
  rmSync(signature);
  await refused(results);
});

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
  assert.equal(
    readdirSync(join(place, 'blobs'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
      .length,
    2,
  );
  const wanted = new Set([record.trialId]);
  const nothing = { records: [], unusable: new Map() };
  assert.deepEqual(await results.bring('b000-g0', directory, wanted), { ...nothing, records: [record] });
  const brought = directory.trialDir(record.trialId);
  assert.equal(readFileSync(join(brought, 'frames/2.jpg'), 'utf8'), 'frame');
  assert.deepEqual(await results.bring('b000-g0', directory, new Set()), nothing);
  assert.deepEqual(await results.bring('b001-g0', directory, wanted), nothing);
});

test('damaged content is not taken for an artifact', async (t) => {
  const { results, directory, trialDir, place } = rig(t);
  await results.keep('b000-g0', record, trialDir({ 'page.har.gz': 'har' }));
  const blobs = join(place, 'blobs');
  const [name = ''] = readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter(
    (one) => one.length > 60,
  );
  writeFileSync(join(blobs, name), 'other');
  const { records: brought, unusable } = await results.bring('b000-g0', directory, new Set([record.trialId]));
  assert.deepEqual(brought, []);
  assert.match(unusable.get(record.trialId) ?? '', /has damaged the content of page\.har\.gz/);
});

test('what is foreign or corrupt among records is named and costs its own trial alone', async (t) => {
  const { results, directory, trialDir, place } = rig(t);
  const folder = join(place, 'runs/abc/records/b000-g0');
  await results.keep('b000-g0', record, trialDir({ 'page.har.gz': 'har' }));
  const kept = readFileSync(join(folder, `${record.trialId}.json`), 'utf8');
  const others = new Map([
    ['cut', kept.slice(0, 40)],
    ['foreign', '{"a":1}'],
    ['another', kept],
  ]);
  for (const [name, text] of others) writeFileSync(join(folder, `${name}.json`), text);
  mkdirSync(join(folder, 'folder.json', 'x'), { recursive: true });
  symlinkSync('/etc/hostname', join(folder, 'link.json'));
  execFileSync('mkfifo', [join(folder, 'pipe.json')]);
  const wanted = new Set([record.trialId, ...others.keys(), 'folder', 'link', 'pipe']);
  const { records: brought, unusable } = await results.bring('b000-g0', directory, wanted);
  assert.deepEqual(brought, [record]);
  assert.deepEqual([...unusable.keys()].sort(), [...others.keys()].sort());
  for (const why of unusable.values()) assert.match(why, /is not JSON|cannot be read|is that of/);
});

test('a claim, an environment and a plan of another form are refused in words, whatever lies there', async (t) => {
  const { results, place } = rig(t);
  const own = join(place, 'runs/abc');
  mkdirSync(join(own, 'claims'), { recursive: true });
  mkdirSync(join(own, 'environment.json'));
  await assert.rejects(results.sharedEnvironment(), { code: 'bad-input', message: /it is a folder/ });
  writeFileSync(join(own, 'claims', 'b000-g0'), 'a\u001b[2Jb');
  assert.equal(await results.claimedBy('b000-g0'), null);
  assert.equal(await results.claim('b000-g0', 'lab-1'), 'a host without a name');
  mkdirSync(join(own, 'hosts'));
  execFileSync('mkfifo', [join(own, 'hosts', 'lab-1.json')]);
  await assert.rejects(results.joined('lab-1'), { code: 'bad-input', message: /no regular file/ });
});

test('an artifact that would lie outside its trial is refused', async (t) => {
  const { results, directory, trialDir, place } = rig(t);
  await results.keep('b000-g0', record, trialDir({ 'page.har.gz': 'har' }));
  const file = join(place, 'runs/abc/records/b000-g0', `${record.trialId}.json`);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"path":"page', '"path":"../../../page'));
  const { unusable } = await results.bring('b000-g0', directory, new Set([record.trialId]));
  assert.match(unusable.get(record.trialId) ?? '', /does not lie inside/);
  assert.ok(!existsSync(directory.trialDir(record.trialId)), 'no half of a trial is left');
});

test('the first environment is that of the run, every host is known, and what is none is named', async (t) => {
  const { results, place } = rig(t);
  const [one, two] = ['lab-1', 'lab-2'].map((host) => ({
    ...environmentFixture(['chromium'], ['host']),
    host,
  }));
  assert.ok(one !== undefined && two !== undefined);
  assert.deepEqual(await results.firstEnvironment(one), one);
  assert.deepEqual(await results.firstEnvironment(two), one);
  assert.equal(await results.joined('lab-1'), null);
  await results.joinHost('lab-1', one);
  assert.deepEqual(await results.joined('lab-1'), one);
  await results.joinHost('lab-2', two);
  const complaints: string[] = [];
  writeFileSync(join(place, 'runs/abc/hosts/lab-3.json'), '{"schemaVersion":');
  assert.deepEqual(await results.environments((why) => complaints.push(why)), [one, two]);
  assert.match(complaints.join(), /hosts\/lab-3\.json is not JSON/);
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

test(
  'a full store says so, keeps what it had whole, and goes on with more room',
  { skip: noDisk },
  async (t) => {
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
  },
);

test('a folder keeps the contract of a results store', async (t) => {
  const place = join(tempFolder(t), 'shared');
  await keepsContract(() => openResultsStore(place));
});
