import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pack } from '../../../../src/app/pack/pack.ts';
import { reproduce } from '../../../../src/app/pack/reproduce.ts';
import { readRunArchive } from '../../../../src/store/run-archive.ts';
import { createRunDirectory, type RunDirectory } from '../../../../src/store/run-directory.ts';
import { contextThatSays } from '../../../support/app-context.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'h2h3-pack-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function madeRun(name: string, change: Partial<RunDirectory['plan']> = {}): RunDirectory {
  const { plan, records } = generateRun({ blocks: 2 });
  const directory = createRunDirectory(join(folder, name), { ...plan, ...change });
  directory.writeEnvironment(environmentFixture(['chromium'], ['loopback']));
  records.forEach((record) => directory.append(record));
  return directory;
}

interface CrateEntity {
  readonly '@id': string;
  readonly '@type': string;
  readonly sha256?: string;
  readonly hasPart?: readonly { readonly '@id': string }[];
}

test('an archive has the run, how to cite it, its programs, and metadata that name every file', async () => {
  const { path } = madeRun('whole');
  writeFileSync(join(path, 'private.txt'), 'mine');
  const packed = await pack(path, { out: join(folder, 'whole.zip') }, contextThatSays().context);
  assert.deepEqual(packed.leftOut, ['private.txt']);
  const files = readRunArchive(packed.path);
  for (const name of [
    'plan.json',
    'environment.json',
    'journal.jsonl',
    'LICENSE',
    'CITATION.cff',
    'README.md',
    'programs.json',
  ])
    assert.ok(files.has(name), name);
  const crate = JSON.parse(Buffer.from(files.get('ro-crate-metadata.json') ?? []).toString()) as {
    readonly '@graph': readonly CrateEntity[];
  };
  const root = crate['@graph'].find((entity) => entity['@id'] === './');
  const described = crate['@graph']
    .filter((entity) => entity['@type'] === 'File')
    .map((entity) => entity['@id']);
  assert.deepEqual(
    described,
    (root?.hasPart ?? []).map((part) => part['@id']),
  );
  assert.deepEqual(new Set([...described, 'ro-crate-metadata.json']), new Set(files.keys()));
});

test('programs are named by their digests, and tables with the type and the meaning of each column', async () => {
  const { plan, records } = generateRun({ blocks: 2 });
  const directory = createRunDirectory(join(folder, 'tables'), plan);
  const { path } = directory;
  const environment = environmentFixture(['chromium'], ['loopback']);
  const servers = environment.servers.map((server) => ({ ...server, executableSha256: 'ab'.repeat(32) }));
  directory.writeEnvironment({ ...environment, servers });
  records.forEach((record) => directory.append(record));
  writeFileSync(
    join(path, 'observations.csv'),
    'run,block_index,higher_is_better,value,other\r\nx,0,true,1.5,\r\n',
  );
  const packed = await pack(path, { out: join(folder, 'tables.zip') }, contextThatSays().context);
  const read = (name: string): unknown =>
    JSON.parse(Buffer.from(readRunArchive(packed.path).get(name) ?? []).toString());
  const programs = read('programs.json') as readonly { readonly name: string; readonly sha256?: string }[];
  assert.equal(programs.find(({ name }) => name === 'Caddy')?.sha256, 'ab'.repeat(32));
  const { url, tableSchema } = read('observations.csv-metadata.json') as {
    readonly url: string;
    readonly tableSchema: { readonly columns: readonly Readonly<Record<string, unknown>>[] };
  };
  assert.equal(url, 'observations.csv');
  assert.deepEqual(
    tableSchema.columns.map(({ name, datatype }) => [name, datatype]),
    [
      ['run', 'string'],
      ['block_index', 'integer'],
      ['higher_is_better', 'boolean'],
      ['value', 'number'],
      ['other', 'string'],
    ],
  );
  assert.match(String(tableSchema.columns[1]?.['dc:description']), /from 0/);
});

test('a planted token, or the value of a secret variable, keeps a run from being packed, and is not shown', async () => {
  const { path } = madeRun('secret');
  const secret = 'hunter2-hunter2';
  writeFileSync(join(path, 'report.md'), `password ${secret}`);
  const { context } = contextThatSays({ SHOP_PASSWORD: secret });
  await assert.rejects(
    pack(path, { out: join(folder, 'secret.zip') }, context),
    (thrown: Error & { code?: string; context?: unknown }) => {
      assert.equal(thrown.code, 'bad-input');
      const told = JSON.stringify([thrown.message, thrown.context]);
      assert.match(told, /report\.md/);
      assert.doesNotMatch(told, /hunter2/);
      return true;
    },
  );
  const kept = await pack(path, { out: join(folder, 'kept.zip'), keepSecrets: true }, context);
  assert.ok(kept.sizeBytes > 0);
});

test('a plan that would start a stranger’s command, script or live address is not measured again by itself', async () => {
  const { path } = madeRun('live', { urls: ['https://shop.test/'] });
  const { context } = contextThatSays();
  const { path: archive } = await pack(path, { out: join(folder, 'live.zip') }, context);
  await assert.rejects(
    reproduce(archive, { out: join(folder, 'live-again') }, context),
    /not measured again by itself: it loads live addresses/,
  );
  const { plan } = generateRun({ blocks: 2 });
  const withFactor = (factors: object): Partial<RunDirectory['plan']> => ({
    trials: plan.trials.map((trial) => ({ ...trial, factors: { ...trial.factors, ...factors } })),
  });
  for (const [name, factors] of [
    ['path', { client: '/tmp/browser' }],
    ['flags', { flags: '--utility-cmd-prefix=x' }],
  ] as const) {
    const { path: run } = madeRun(name, withFactor(factors));
    const packed = await pack(run, { out: join(folder, `${name}.zip`) }, context);
    await assert.rejects(
      reproduce(packed.path, { out: join(folder, `${name}-again`) }, context),
      /not measured again by itself/,
    );
  }
});

test('an archive of a newer version, and an out folder with something in it, are refused', async () => {
  const { path } = madeRun('newer');
  writeFileSync(join(path, 'plan.json'), JSON.stringify({ schemaVersion: 99 }));
  await assert.rejects(pack(path, { out: join(folder, 'newer.zip') }, contextThatSays().context), /newer/);
  const { path: fine } = madeRun('fine');
  const { context } = contextThatSays();
  const { path: archive } = await pack(fine, { out: join(folder, 'fine.zip') }, context);
  await assert.rejects(reproduce(archive, { out: join(folder, 'whole') }, context), /is not empty/);
  await assert.rejects(pack(fine, { out: archive }, context), /is there already/);
});
