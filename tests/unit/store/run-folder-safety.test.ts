import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import type { Plan } from '../../../src/core/model/plan.ts';
import { openToResume } from '../../../src/store/open-to-resume.ts';
import { pathInside } from '../../../src/store/path-inside.ts';
import { createRunDirectory, openRunDirectory } from '../../../src/store/run-directory.ts';
import { lockRunDirectory } from '../../../src/store/run-lock.ts';
import { generateRun } from '../../support/generated-run.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const { plan } = generateRun();

/** Every file below a folder with its text. */
function contentOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name),
      readFileSync(join(parentPath, name), 'utf8'),
    ]),
  );
}

/** A folder that looks like a run and is none. */
function folderOfTheUser(parent: string): string {
  const mine = join(parent, 'mine');
  mkdirSync(join(mine, 'trials', 'mine'), { recursive: true });
  writeFileSync(join(mine, 'trials', 'mine', 'data'), 'years of work');
  writeFileSync(join(mine, 'environment.json'), '{}');
  return mine;
}

test('a folder of the user’s is refused as a run folder and left as it was', (t) => {
  const mine = folderOfTheUser(tempFolder(t));
  const before = contentOf(mine);
  assert.throws(() => createRunDirectory(mine, plan), {
    code: 'usage',
    message: /is not empty and holds no run/,
  });
  assert.deepEqual(contentOf(mine), before);
});

test('a file or a dangling link in the place of the run folder is said in words', (t) => {
  const parent = tempFolder(t);
  writeFileSync(join(parent, 'file'), 'mine');
  symlinkSync(join(parent, 'nowhere'), join(parent, 'link'));
  for (const name of ['file', 'link'])
    assert.throws(() => createRunDirectory(join(parent, name), plan), {
      code: 'storage',
      message: /in the way/,
    });
  assert.equal(readFileSync(join(parent, 'file'), 'utf8'), 'mine');
});

test('a run that could not begin leaves an empty folder empty, removes the one it made, and nothing else', (t) => {
  const parent = tempFolder(t);
  const empty = join(parent, 'empty');
  mkdirSync(empty);
  createRunDirectory(empty, plan).discard();
  assert.deepEqual(readdirSync(empty), []);
  const made = createRunDirectory(join(parent, 'made'), plan);
  made.discard();
  assert.ok(!existsSync(made.path));
  const joined = createRunDirectory(join(parent, 'joined'), plan);
  mkdirSync(join(joined.path, 'trials', 'mine'));
  writeFileSync(join(joined.path, 'trials', 'mine', 'data'), 'put here meanwhile');
  joined.discard();
  assert.deepEqual(Object.values(contentOf(joined.path)), ['put here meanwhile']);
});

test('folders above the run that were made for it go with it, those that hold anything stay', (t) => {
  const parent = tempFolder(t);
  createRunDirectory(join(parent, 'a', 'b', 'run'), plan).discard();
  assert.deepEqual(readdirSync(parent), []);
  mkdirSync(join(parent, 'mine'));
  const kept = createRunDirectory(join(parent, 'mine', 'b', 'c', 'run'), plan);
  writeFileSync(join(parent, 'mine', 'b', 'note'), 'put here meanwhile');
  kept.discard();
  assert.deepEqual(readdirSync(parent, { recursive: true }).toSorted(), [
    'mine',
    join('mine', 'b'),
    join('mine', 'b', 'note'),
  ]);
  const file = join(parent, 'file');
  writeFileSync(file, '');
  assert.throws(() => createRunDirectory(join(file, 'run'), plan), { code: 'storage' });
});

test('only what this process made is discarded: no run that was opened, none that another has made anew', (t) => {
  const parent = tempFolder(t);
  const made = createRunDirectory(join(parent, 'run'), plan);
  openRunDirectory(made.path).discard();
  assert.ok(existsSync(join(made.path, 'plan.json')));
  const release = lockRunDirectory(made.path, process.ppid);
  made.discard();
  assert.ok(existsSync(join(made.path, 'plan.json')), 'another process runs in it');
  release();
  const twin = join(parent, 'twin');
  const loser = createRunDirectory(twin, plan);
  loser.write('plan.json', readFileSync(join(twin, 'plan.json'), 'utf8'));
  loser.discard();
  assert.ok(existsSync(join(twin, 'plan.json')), 'the plan is another’s by now');
});

/** Makes a run directory at an instant for each line that it reads, and says whether it got it. */
const contender = `
import { createInterface } from 'node:readline';
import { createRunDirectory } from ${JSON.stringify(join(import.meta.dirname, '../../../src/store/run-directory.ts'))};
const plan = JSON.parse(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  const { path, atEpochMs } = JSON.parse(line);
  while (Date.now() < atEpochMs);
  let said = 'won';
  try {
    createRunDirectory(path, plan);
  } catch (thrown) {
    said = thrown.code === 'usage' ? 'lost' : String(thrown.stack).replaceAll('\\n', ' ');
  }
  console.log(said);
}
`;

interface Contender {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: AsyncIterator<string>;
}

function startContender(own: Plan): Contender {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', contender];
  const child = spawn(process.execPath, [...args, JSON.stringify(own)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return { process: child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

test('of runs that are started at once with one new folder one gets it, with its own plan', async (t) => {
  const parent = tempFolder(t);
  const small = { ...plan, trials: plan.trials.slice(0, 2) };
  const contenders = [1, 2, 3, 4].map((seed) => startContender({ ...small, seed }));
  t.after(() => contenders.forEach((one) => one.process.kill('SIGKILL')));
  const contend = async (path: string, atEpochMs: number): Promise<unknown[]> => {
    contenders.forEach((one) => one.process.stdin.write(`${JSON.stringify({ path, atEpochMs })}\n`));
    return Promise.all(contenders.map(async ({ lines }) => (await lines.next()).value as unknown));
  };
  // Modules are loaded with the first, which takes them unlike times; from then on all of them wait for the instant.
  await contend(join(parent, 'first'), 0);
  for (const round of [0, 1, 2, 3, 4, 5]) {
    const path = join(parent, `run-${round}`);
    // A lock that a killed run left makes it harder: all of them find it, one may remove it.
    if (round > 1) {
      mkdirSync(path);
      writeFileSync(join(path, 'run.lock'), '4194304 1');
    }
    const said = await contend(path, Date.now() + 100);
    assert.deepEqual([...said].sort(), ['lost', 'lost', 'lost', 'won']);
    assert.equal(openRunDirectory(path).plan.seed, said.indexOf('won') + 1);
    assert.deepEqual(readdirSync(path).sort(), ['plan.json', 'trials'], 'no lock and no half file is left');
  }
});

test('a plan whose trial ids are paths is refused, and nothing outside the run is removed', (t) => {
  const parent = tempFolder(t);
  const victim = folderOfTheUser(parent);
  const before = contentOf(victim);
  const { path } = createRunDirectory(join(parent, 'run'), plan);
  for (const trialId of [
    '../../mine',
    '..',
    '.',
    '',
    'a/b',
    '/etc',
    'a\u0000b',
    '.hidden',
    'x'.repeat(300),
  ]) {
    const bad = { ...plan, trials: [{ ...plan.trials[0], trialId }] };
    writeFileSync(join(path, 'plan.json'), JSON.stringify(bad));
    assert.throws(
      () => openRunDirectory(path),
      { code: 'bad-input', message: /trialId/ },
      JSON.stringify(trialId),
    );
  }
  assert.deepEqual(contentOf(victim), before);
});

test('a run whose folder of trials is a link elsewhere removes and writes nothing there', (t) => {
  const parent = tempFolder(t);
  const victim = join(folderOfTheUser(parent), 'trials');
  const before = contentOf(victim);
  const { path } = createRunDirectory(join(parent, 'run'), plan);
  symlinkSync(victim, join(path, 'link'));
  assert.throws(() => pathInside(path, 'link', 'mine'), { code: 'bad-input' });
  assert.throws(() => pathInside(path, '..', 'mine'), { code: 'bad-input' });
  assert.throws(() => pathInside(path, 'a', '..'), { code: 'bad-input' }, 'not the folder itself');
  assert.equal(pathInside(path, 'new', 'file'), join(path, 'new', 'file'));
  const linked = join(parent, 'linked');
  mkdirSync(linked);
  writeFileSync(
    join(linked, 'plan.json'),
    JSON.stringify({ ...plan, trials: [{ ...plan.trials[0], trialId: 'mine' }] }),
  );
  symlinkSync(victim, join(linked, 'trials'));
  assert.throws(() => openRunDirectory(linked).trialDir('mine', { fresh: true }), { code: 'bad-input' });
  assert.deepEqual(contentOf(victim), before);
});

test('files that lie in the way of what is written, as links or of somebody else, are not written to', (t) => {
  const parent = tempFolder(t);
  const precious = join(parent, 'precious.txt');
  writeFileSync(precious, 'mine');
  const directory = createRunDirectory(join(parent, 'run'), plan);
  symlinkSync(precious, join(directory.path, 'summary.json.partial'));
  symlinkSync(precious, join(directory.path, 'summary.json'));
  directory.write('summary.json', '{}');
  assert.equal(readFileSync(precious, 'utf8'), 'mine');
  assert.equal(readFileSync(join(directory.path, 'summary.json'), 'utf8'), '{}');
  symlinkSync(precious, join(directory.path, 'journal.jsonl'));
  assert.throws(() => directory.append(generateRun().records[0] ?? assert.fail()), { code: 'storage' });
  assert.equal(readFileSync(precious, 'utf8'), 'mine');
});

/** Kills itself while it writes a file and while it takes the lock; prints nothing. */
const dying = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const die = () => process.kill(process.pid, 'SIGKILL');
const [folder, where] = process.argv.slice(1);
if (where === 'write') fs.renameSync = die;
else fs.linkSync = die;
syncBuiltinESMExports();
const { writeWhole } = await import(${JSON.stringify(join(import.meta.dirname, '../../../src/core/system/write-whole.ts'))});
const { lockRunDirectory } = await import(${JSON.stringify(join(import.meta.dirname, '../../../src/store/run-lock.ts'))});
if (where === 'write') writeWhole(folder + '/summary.json', '{}');
else lockRunDirectory(folder, process.pid);
`;

test('what a process left half done that was killed goes when its run goes on; what living ones need stays', (t) => {
  const directory = createRunDirectory(join(tempFolder(t), 'run'), plan);
  const before = readdirSync(directory.path).toSorted();
  for (const where of ['write', 'lock']) {
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', dying];
    const { signal } = spawnSync(process.execPath, [...args, directory.path, where]);
    assert.equal(signal, 'SIGKILL');
  }
  const left = readdirSync(directory.path).filter((name) => !before.includes(name));
  assert.equal(left.length, 2, left.join(' '));
  const mine = ['summary.json.partial', 'notes.partial'];
  const partial = left.find((name) => name.endsWith('.partial')) ?? assert.fail();
  const ours = partial.replace(/\.\d+(-\d+)?\./, `.${process.pid}.`);
  assert.notEqual(ours, partial);
  [...mine, ours].forEach((name) => writeFileSync(join(directory.path, name), 'kept'));
  openToResume(directory.path);
  assert.deepEqual(readdirSync(directory.path).toSorted(), [...before, ...mine, ours].toSorted());
});

test('a run of which nothing comes gives latest back to the run that it was taken from', (t) => {
  const parent = tempFolder(t);
  const latest = join(parent, 'latest');
  createRunDirectory(join(parent, 'first'), plan).discard();
  assert.ok(!readdirSync(parent).includes('latest'), 'no link that leads nowhere');
  createRunDirectory(join(parent, 'good'), plan);
  const failed = createRunDirectory(join(parent, 'failed'), plan);
  assert.equal(readlinkSync(latest), 'failed');
  failed.discard();
  assert.equal(readlinkSync(latest), 'good');
  const slow = createRunDirectory(join(parent, 'slow'), plan);
  createRunDirectory(join(parent, 'newer'), plan);
  slow.discard();
  assert.equal(readlinkSync(latest), 'newer', 'a run that was begun meanwhile stays the latest');
});

test('a link called latest that is no run’s stays', (t) => {
  const parent = tempFolder(t);
  mkdirSync(join(parent, 'photos'));
  symlinkSync('photos', join(parent, 'latest'));
  createRunDirectory(join(parent, 'run'), plan);
  assert.equal(readlinkSync(join(parent, 'latest')), 'photos');
});

test(
  'a named pipe in the place of a file of a run or an archive is refused at once, not waited for',
  { skip: process.platform === 'win32' ? 'Windows has no named pipes in folders' : false },
  (t) => {
    const folder = tempFolder(t);
    for (const name of ['journal.jsonl', 'run.lock', 'index.json', 'index.html'])
      assert.equal(spawnSync('mkfifo', [join(folder, name)]).status, 0);
    const source = (name: string): string => JSON.stringify(join(import.meta.dirname, '../../..', name));
    const tries = [
      ['src/store/journal.ts', 'readJournal', 'journal.jsonl', 'it is no regular file'],
      ['src/store/run-lock.ts', 'isRunning', '', 'false'],
      ['src/store/run-lock.ts', 'lockRunDirectory', '', 'is not a lock of h2h3'],
      ['sites/archive/archive-workload.ts', 'archiveWorkload', '', 'is not an archive'],
      ['sites/archive/open-archive.ts', 'openArchive', '', 'The archive is damaged'],
      ['src/app/report/publish-index.ts', 'publishIndex', '', 'null'],
    ] as const;
    // In processes of their own, because one that waits for a pipe hears nothing more.
    for (const [module, call, name, expected] of tries) {
      const script = `const { ${call} } = await import(${source(module)});
        try { console.log(String(await ${call}(${JSON.stringify(join(folder, name))}, process.pid))); }
        catch (thrown) { console.log(thrown.message); }`;
      const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
        timeout: 300_000,
        killSignal: 'SIGKILL',
      });
      assert.equal(child.signal, null, `${call} waits for the pipe`);
      assert.ok(child.stdout.includes(expected), `${call}: ${child.stdout}${child.stderr}`);
    }
  },
);
