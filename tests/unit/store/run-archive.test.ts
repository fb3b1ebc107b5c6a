import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { zipSync } from 'fflate';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import {
  digestsFile,
  filesOfRun,
  readRunArchive,
  sha256Of,
  unpackInto,
  writeRunArchive,
} from '../../../src/store/run-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'h2h3-archive-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const text = (content: string): Uint8Array => new Uint8Array(Buffer.from(content));

function archiveOf(name: string, files: Record<string, Uint8Array>, digests?: string): string {
  const sums = Object.entries(files).map(([entry, content]) => `${sha256Of(content)}  ${entry}\n`);
  const file = join(folder, name);
  writeFileSync(file, zipSync({ ...files, [digestsFile]: text(digests ?? sums.join('')) }));
  return file;
}

const isRefused = (file: string, reason: RegExp): void =>
  assert.throws(
    () => readRunArchive(file),
    ({ code, message }: { code?: string; message: string }) => code === 'bad-input' && reason.test(message),
  );

test('what was packed comes back byte for byte, read once each, and packing twice gives the same archive', async () => {
  let reads = 0;
  const read = (content: string) => (): Uint8Array => {
    reads++;
    return text(content);
  };
  const files = [
    { name: 'plan.json', read: read('{}') },
    { name: 'trials/a/page.har.gz', read: read('\u001f\u008b…') },
  ];
  const [first, second] = ['first.zip', 'second.zip'].map((name) => join(folder, name)) as [string, string];
  assert.equal(await writeRunArchive(first, files), await writeRunArchive(second, files));
  assert.equal(reads, 4);
  assert.ok(readFileSync(first).equals(readFileSync(second)));
  const unpacked = readRunArchive(first);
  assert.deepEqual([...unpacked.keys()], ['plan.json', 'trials/a/page.har.gz']);
  unpackInto(join(folder, 'out'), unpacked);
  assert.equal(readFileSync(join(folder, 'out/plan.json'), 'utf8'), '{}');
});

test('files may depend on those before them, and one that is refused leaves nothing', async () => {
  const seen: string[] = [];
  const files = function* (): Generator<{ name: string; read: () => Uint8Array }> {
    yield { name: 'plan.json', read: () => text('a') };
    yield { name: 'README.md', read: () => text(seen.join(' ')) };
  };
  const out = join(folder, 'depends.zip');
  await writeRunArchive(out, files(), ({ name, sizeBytes }) => {
    seen.push(`${name}:${sizeBytes}`);
    return Promise.resolve();
  });
  assert.equal(Buffer.from(readRunArchive(out).get('README.md') ?? []).toString(), 'plan.json:1');
  const refused = join(folder, 'refused.zip');
  const refuse = (): Promise<void> => Promise.reject(new H2h3Error('bad-input', 'no'));
  await assert.rejects(writeRunArchive(refused, files(), refuse), { message: 'no' });
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('refused')),
    [],
  );
});

test('a changed, added, missing or undigested file is refused by its name', () => {
  isRefused(
    archiveOf('changed.zip', { 'plan.json': text('{}') }, `${'0'.repeat(64)}  plan.json\n`),
    /plan\.json was changed/,
  );
  isRefused(archiveOf('added.zip', { 'plan.json': text('{}') }, ''), /plan\.json was changed/);
  isRefused(archiveOf('missing.zip', {}, `${'0'.repeat(64)}  plan.json\n`), /plan\.json is missing/);
  const bare = join(folder, 'bare.zip');
  writeFileSync(bare, zipSync({ 'plan.json': text('{}') }));
  isRefused(bare, /has no SHA256SUMS/);
});

test('names that lead out of the folder are refused before anything is written', () => {
  for (const [index, name] of [
    '../evil',
    '/etc/evil',
    'a/../../evil',
    'a\\..\\evil',
    'C:evil',
    './evil',
  ].entries())
    isRefused(archiveOf(`escape-${index}.zip`, { [name]: text('x') }), /leads out of it/);
  assert.equal(existsSync(join(folder, '..', 'evil')), false);
});

test('an archive may hold only names that packing writes, and packing takes no others', () => {
  const strange = [
    'report/login.ts',
    'trials/a/run.sh',
    'trials/.hidden.json',
    'again/plan.json',
    'node_modules/x/index.js',
    'package.json',
    'h2h3.config.yaml',
    'trials/a/page.html',
  ];
  for (const [index, name] of strange.entries())
    isRefused(archiveOf(`strange-${index}.zip`, { [name]: text('x') }), /no file that `pack` writes/);
  const run = join(folder, 'strange');
  for (const name of strange) {
    mkdirSync(join(run, name, '..'), { recursive: true });
    writeFileSync(join(run, name), '');
  }
  const { files, leftOut } = filesOfRun(run);
  assert.deepEqual(files, []);
  assert.deepEqual(leftOut, [
    'again',
    'h2h3.config.yaml',
    'node_modules',
    'package.json',
    'report/login.ts',
    'trials/.hidden.json',
    'trials/a/page.html',
    'trials/a/run.sh',
  ]);
});

test('an archive that is cut, empty or none is refused in a sentence', () => {
  const whole = readFileSync(archiveOf('whole.zip', { 'plan.json': text('{}'.repeat(500)) }));
  for (const [index, content] of [whole.subarray(0, 60), Buffer.alloc(0), Buffer.from('PK')].entries()) {
    const file = join(folder, `cut-${index}.zip`);
    writeFileSync(file, content);
    isRefused(file, /no archive of a run/);
  }
});

test('a run’s own files are packed; links and what a user put beside them stay out', () => {
  const run = join(folder, 'run');
  mkdirSync(join(run, 'trials/a'), { recursive: true });
  for (const name of ['plan.json', 'notes.txt', 'run.lock', 'trials/a/raw.json.gz'])
    writeFileSync(join(run, name), '');
  symlinkSync('/etc/passwd', join(run, 'report.html'));
  const { files, leftOut } = filesOfRun(run);
  assert.deepEqual(
    files.map(({ name }) => name),
    ['plan.json', 'trials/a/raw.json.gz'],
  );
  assert.deepEqual(leftOut, ['notes.txt', 'report.html']);
});

/** Sizes in the list of an archive, at its end, are other than those of its files. */
function withLies(
  name: string,
  entry: string,
  lie: { readonly size?: number; readonly originalSize?: number },
): string {
  const file = archiveOf(name, { 'plan.json': text('{}'.repeat(500)), 'card.png': randomBytes(3000) });
  const content = readFileSync(file);
  for (let at = content.indexOf('PK\u0001\u0002'); at >= 0; at = content.indexOf('PK\u0001\u0002', at + 1)) {
    const length = content.readUInt16LE(at + 28);
    if (content.toString('utf8', at + 46, at + 46 + length) !== entry) continue;
    if (lie.size !== undefined) content.writeUInt32LE(lie.size, at + 20);
    if (lie.originalSize !== undefined) content.writeUInt32LE(lie.originalSize, at + 24);
  }
  writeFileSync(file, content);
  return file;
}

test('an archive that lies about the size of a file is refused with its name', () => {
  const lies: readonly (readonly [string, object, RegExp])[] = [
    ['plan.json', { originalSize: 1_000_000_000 }, /sizes of plan\.json .* cannot both be true/],
    ['plan.json', { originalSize: 1001 }, /plan\.json has 1000 bytes, not the 1001/],
    ['plan.json', { originalSize: 10 }, /plan\.json/],
    ['plan.json', { size: 1_000_000 }, /plan\.json ends behind/],
    ['card.png', { size: 1, originalSize: 3000 }, /card\.png/],
    ['card.png', { size: 3_000_000_000 }, /card\.png (?:ends behind|has)/],
  ];
  for (const [index, [entry, lie, reason]] of lies.entries())
    isRefused(withLies(`lie-${index}.zip`, entry, lie), reason);
});

test('files of an archive that lie over one another, and stored files that say less than they have, are refused', () => {
  const stored = join(folder, 'stored.zip');
  const files = { 'card.png': new Uint8Array(2000), 'card.svg': new Uint8Array(10) };
  writeFileSync(stored, zipSync(files, { level: 0 }));
  const content = readFileSync(stored);
  const first = content.indexOf('PK\u0001\u0002');
  content.writeUInt32LE(0, first + 24);
  writeFileSync(stored, content);
  isRefused(stored, /sizes of card\.png \(2000 and 0 bytes\) cannot both be true/);
  content.writeUInt32LE(2000, first + 24);
  const second = content.indexOf('PK\u0001\u0002', first + 1);
  for (const place of [20, 24]) content.writeUInt32LE(2000, second + place);
  writeFileSync(stored, content);
  isRefused(stored, /card\.svg .*lies over other files/);
});
