import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { pack } from '../../../../src/app/pack/pack.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { reproduce } from '../../../../src/app/pack/reproduce.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { digestsFile, readRunArchive, sha256Of } from '../../../../src/store/run-archive.ts';
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

test('a secret of the plan keeps a run from being packed, in any form and any file, and is told by name alone', async () => {
  const state = join(folder, 'state.json');
  const cookie = { name: 'sid', value: 'session-c41b6a02', domain: 'shop.test', path: '/' };
  const localStorage = [{ name: 'jwt', value: 'stored "51c2e8d0"/x' }];
  const origins = [{ origin: 'https://shop.test', localStorage }];
  writeFileSync(state, JSON.stringify({ cookies: [cookie], origins }));
  const file = join(folder, 'pass.txt');
  writeFileSync(file, 'of-a-file-77\n');
  const login = join(folder, 'log-in.ts');
  writeFileSync(
    login,
    `export default async ({ page }) => {
  await page.type('input[name=user]', 'alice@shop.test');
  await page.locator('#pin').fill("typed in 'quotes'", { timeout: 5 });
  await page.type('#password', process.env.OWN_WORD);
};`,
  );
  const { path } = madeRun('secrets-of-plan', {
    urls: ['https://shop.test/'],
    live: {
      headers: ['X-Token: ${OWN_HEADER}'],
      cookies: ['k=${file:' + file + '}'],
      basicAuth: 'me:${OWN_PASS}',
      storageState: state,
      login,
    },
  });
  const environment = { OWN_HEADER: 'Zq7-hdr+secret/9Kx=', OWN_PASS: 'pass&word-22', OWN_WORD: 'wörd&44d1' };
  const hex = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();
  const planted: readonly (readonly [content: string | Uint8Array, file: string, name: RegExp])[] = [
    [`GET /q?t=${encodeURIComponent(environment.OWN_HEADER)}`, 'report.md', /\$\{OWN_HEADER\}/],
    [btoa(`:${environment.OWN_HEADER}.`), 'report.md', /\$\{OWN_HEADER\}/],
    [`<p title="${environment.OWN_PASS.replace('&', '&amp;')}">`, 'report.html', /\$\{OWN_PASS\}/],
    [`x ${btoa(`me:${environment.OWN_PASS}`)} y`, 'summary.json', /\$\{OWN_PASS\}/],
    [gzipSync(JSON.stringify([{ path: '/of-a-file-77' }])), 'trials/t/raw.json.gz', /\$\{file:.*pass\.txt\}/],
    [`/${hex(cookie.value)}/`, 'report.md', /cookie sid/],
    [JSON.stringify(JSON.stringify(localStorage)), 'summary.json', /local storage jwt/],
    ['hello, alice%40shop.test', 'report.md', /what .*log-in\.ts types/],
    ["typed in 'quotes'", 'report.md', /what .*log-in\.ts types/],
    [`é ${environment.OWN_WORD}`, 'report.md', /OWN_WORD/],
  ];
  const archive = join(folder, 'secrets-of-plan.zip');
  const { context } = contextThatSays(environment);
  const { plan } = generateRun({ blocks: 2 });
  const trial = plan.trials[0]?.trialId ?? '';
  mkdirSync(join(path, 'trials', trial), { recursive: true });
  for (const [content, name, secret] of planted) {
    const place = join(path, name.replace('/t/', `/${trial}/`));
    writeFileSync(place, content);
    await assert.rejects(
      pack(path, { out: archive, forReading: true }, context),
      (thrown: Error & { code?: string; context?: { readonly got?: string } }) => {
        assert.equal(thrown.code, 'bad-input');
        const got = thrown.context?.got ?? '';
        assert.match(got, secret);
        assert.ok(got.includes(name.split('/').at(-1) ?? ''), got);
        for (const value of [...Object.values(environment), cookie.value, 'of-a-file', '51c2e8d0', 'alice'])
          assert.ok(!JSON.stringify([thrown.message, thrown.context]).includes(value), value);
        return true;
      },
      name,
    );
    assert.equal(existsSync(archive), false, 'nothing is packed');
    rmSync(place);
  }
  const whole = await pack(path, { out: archive, forReading: true }, context);
  assert.deepEqual(whole.notSought, []);
  const elsewhere = join(folder, 'elsewhere.zip');
  rmSync(login);
  const { notSought } = await pack(path, { out: elsewhere, forReading: true }, contextThatSays().context);
  assert.deepEqual(notSought, ['${OWN_HEADER}', '${OWN_PASS}', login]);
});

/** The archive of a run with files changed, its digests right again, as somebody makes it who means harm. */
async function alteredArchive(
  name: string,
  alter: (plan: Plan) => object,
  more: Files = {},
): Promise<string> {
  const { path } = madeRun(name);
  const { path: packed } = await pack(path, { out: join(folder, `${name}.zip`) }, contextThatSays().context);
  const files = Object.fromEntries(readRunArchive(packed));
  const plan = JSON.parse(Buffer.from(files['plan.json'] ?? []).toString()) as Plan;
  const all: Files = { ...files, 'plan.json': Buffer.from(JSON.stringify(alter(plan))), ...more };
  const sums = Object.entries(all).map(([file, content]) => `${sha256Of(content)}  ${file}\n`);
  const altered = join(folder, `${name}-altered.zip`);
  writeFileSync(altered, zipSync({ ...all, [digestsFile]: new Uint8Array(Buffer.from(sums.join(''))) }));
  return altered;
}

type Files = Readonly<Record<string, Uint8Array>>;

async function isRefused(archive: string, reason: RegExp): Promise<void> {
  const out = join(folder, `out-${Math.random()}`);
  await assert.rejects(
    reproduce(archive, { out }, contextThatSays().context),
    ({ code, message }: { code?: string; message: string }) => {
      assert.equal(code, 'bad-input');
      assert.match(message, reason);
      return true;
    },
  );
  assert.equal(existsSync(out), false, 'nothing is unpacked');
}

test('an archive that asks an app, logs in by a script of its own and sends secrets is refused by each field', async () => {
  const archive = await alteredArchive('app-login', (plan) => ({
    ...plan,
    app: { addresses: ['http://127.0.0.1:39200/'] },
    live: {
      login: 'again/original/report/login.ts',
      headers: ['X-Leak: ${TOKEN} ${file:/etc/hostname}'],
    },
  }));
  await isRefused(archive, /app\.addresses \(.*39200.*\) asks an app at an address/);
  await isRefused(archive, /live\.login \(.*login\.ts.*\) runs a script/);
  await isRefused(archive, /live\.headers reads secrets of this machine and sends them/);
});

test('an archive with the script itself in it is refused by the script’s name', async () => {
  const script = { 'report/login.ts': Buffer.from('export default () => process.exit(9)') };
  const archive = await alteredArchive('script', (plan) => plan, script);
  await isRefused(archive, /"report\/login\.ts" is no file that `pack` writes/);
});

test('a trial that names another program than its arm and condition is refused', async () => {
  const archive = await alteredArchive('trial-client', (plan) => ({
    ...plan,
    trials: plan.trials.map((trial, index) => (index === 1 ? { ...trial, client: '/tmp/browser' } : trial)),
  }));
  await isRefused(
    archive,
    /trials\[1\]\.client \(\/tmp\/browser\) is not what its arm and its condition say/,
  );
});

test('what a plan may not say is allowed by nobody but the user, one by one', async () => {
  const { path } = madeRun('live', { urls: ['https://shop.test/a?token=abc'] });
  const { context } = contextThatSays();
  const out = join(folder, 'live.zip');
  await assert.rejects(pack(path, { out }, context), ({ message }: Error) => {
    assert.match(message, /`reproduce` would refuse .*urls\[0\] \("https:\/\/shop\.test\/a"\) loads a live/);
    assert.doesNotMatch(message, /token/);
    return true;
  });
  assert.equal(existsSync(out), false);
  await pack(path, { out, forReading: true }, context);
  await isRefused(out, /loads a live address/);
  const asked: string[] = [];
  const no = (act: { readonly field: string; readonly value?: string }): Promise<boolean> => {
    asked.push(`${act.field} ${act.value}`);
    return Promise.resolve(false);
  };
  await assert.rejects(
    reproduce(out, { out: join(folder, 'live-again'), trust: no }, context),
    /more than measure/,
  );
  assert.deepEqual(asked, ['urls[0] "https://shop.test/a?token=abc"'], 'asked with all that the field holds');
});

test('an unpacked archive is used again only if every file is the archive’s; half of one never is', async () => {
  const out = join(folder, 'digests');
  const { context } = contextThatSays();
  const one = await alteredArchive('one', (plan) => ({ ...plan, seed: 1 }));
  const other = await alteredArchive('other', (plan) => ({ ...plan, command: 'another' }));
  // Pages that no h2h3 ships: the archive is unpacked, and then nothing can be measured.
  const measured = (archive: string): Promise<unknown> => reproduce(archive, { out }, context);
  await assert.rejects(measured(one), /unknown workload/);
  await assert.rejects(measured(one), /unknown workload/, 'the same archive goes on');
  await assert.rejects(
    measured(other),
    /original is not what .*other-altered\.zip holds: plan\.json differs/,
  );
  rmSync(join(out, 'original', 'journal.jsonl'));
  await assert.rejects(measured(one), /journal\.jsonl differs/);
  renameSync(join(out, 'original'), join(out, 'original.unfinished'));
  for (const made of ['again', 'latest']) rmSync(join(out, made), { recursive: true });
  await assert.rejects(measured(one), /unknown workload/, 'half of one is unpacked anew');
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

const linuxOnly = process.platform === 'linux' ? false : 'needs mkfifo, so Linux only';

test('no program that a run names is opened, whatever its path leads to', { skip: linuxOnly }, async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const secret = join(folder, 'secret-file');
  writeFileSync(secret, 'nobody knows what I hold');
  for (const [index, executablePath] of [pipe, '/dev/zero', secret, '/etc/shadow', folder].entries()) {
    const { plan, records } = generateRun({ blocks: 2 });
    const directory = createRunDirectory(join(folder, `named-${index}`), plan);
    const environment = environmentFixture(['chromium'], ['loopback']);
    const clients = environment.clients.map((client) => ({ ...client, executablePath }));
    directory.writeEnvironment({ ...environment, clients });
    records.forEach((record) => directory.append(record));
    const out = join(folder, `named-${index}.zip`);
    const packed = await pack(directory.path, { out }, contextThatSays().context);
    const programs = JSON.parse(
      Buffer.from(readRunArchive(packed.path).get('programs.json') ?? []).toString(),
    ) as object[];
    assert.deepEqual(programs[0], { name: clients[0]?.name, version: clients[0]?.version }, executablePath);
  }
});

for (const [what, content, reason] of [
  ['cut short', gzipSync('x'.repeat(9999)).subarray(0, 20), /it is damaged \(unexpected end of file\)/],
  ['no gzip at all', Buffer.from('{}'), /it is damaged \(incorrect header check\)/],
  ['empty', Buffer.alloc(0), /it is damaged/],
  ['a bomb', gzipSync(Buffer.alloc(300 * 1024 * 1024)), /it has more than 268435456 bytes unpacked/],
] as const)
  test(`a packed file of a trial that is ${what} keeps the run from being packed, in one sentence`, async () => {
    const name = `packed-${what.replaceAll(' ', '-')}`;
    const { path } = madeRun(name);
    mkdirSync(join(path, 'trials', 't'), { recursive: true });
    writeFileSync(join(path, 'trials', 't', 'raw.json.gz'), content);
    const out = join(folder, `${name}.zip`);
    await assert.rejects(pack(path, { out }, contextThatSays().context), (error) => {
      assert.ok(error instanceof H2h3Error && error.code === 'bad-input');
      assert.match(error.message, /^trials\/t\/raw\.json\.gz cannot be unpacked: /);
      assert.match(error.message, reason);
      return true;
    });
    assert.ok(!existsSync(out));
  });

test(
  'what lies in the folder of a run and is no plain file stays out of the archive',
  { skip: linuxOnly },
  async () => {
    const { path } = madeRun('not-plain');
    const trial = join(path, 'trials', 't');
    mkdirSync(trial, { recursive: true });
    execFileSync('mkfifo', [join(trial, 'raw.json.gz')]);
    symlinkSync('/etc/passwd', join(trial, 'page.har.gz'));
    symlinkSync('/etc', join(trial, 'frames'));
    const packed = await pack(path, { out: join(folder, 'not-plain.zip') }, contextThatSays().context);
    const names = [...readRunArchive(packed.path).keys()];
    assert.deepEqual(
      names.filter((name) => name.startsWith('trials/')),
      [],
    );
  },
);

test(
  'an archive that cannot be written is refused before anything is read',
  { skip: linuxOnly },
  async () => {
    const { path } = madeRun('no-place');
    for (const out of ['/proc/x/y.zip', '/dev/null/x.zip'])
      await assert.rejects(
        pack(path, { out }, contextThatSays().context),
        (error) => error instanceof H2h3Error && error.message.startsWith(`--out ${out}: cannot write`),
      );
  },
);
