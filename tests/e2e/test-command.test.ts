import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeLock } from '../../src/core/system/lock-file.ts';
import { processIdentity } from '../../src/core/system/processes/process-identity.ts';
import { projectDir, startProgram, type CliResult } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const command = [process.execPath, '--disable-warning=ExperimentalWarning', 'tests/runner/main.ts', 'test'];

/** `npm test`, which must refuse to begin with one sentence. */
async function refused(
  code: number,
  sentence: RegExp,
  environment: Readonly<Record<string, string>>,
  prefix: readonly string[] = [],
): Promise<CliResult> {
  const result = await startProgram([...prefix, ...command], environment).result;
  assert.equal(result.code, code, `${result.stdout}${result.stderr}`);
  assert.match(result.stderr, sentence);
  const said = /^npm test: .+\n( {2}(?!next)\w+: .+\n(\S.+\n)*)*( {2}next: .+\n)$/;
  assert.match(result.stderr, said, 'one sentence, why, and what to do');
  return result;
}

test('the tests do not begin without a network for what they want to fetch, and leave nothing half fetched', async (t) => {
  const cache = join(tempFolder(t), 'cache');
  // A port that nothing listens on.
  const nowhere = 'http://127.0.0.1:9';
  const cutOff = { HTTPS_PROXY: nowhere, https_proxy: nowhere, NO_PROXY: '', no_proxy: '' };
  const { stderr } = await refused(3, /There is no Caddy .* none could be had/, {
    ...cutOff,
    PATH: cache,
    H2H3_CACHE: cache,
  });
  assert.match(stderr, /got: .*ECONNREFUSED/, 'that it is the network');
  assert.deepEqual(readdirSync(join(cache, 'tools')), []);
});

test('the tests do not begin with a home that cannot be written, or none', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'file');
  writeFileSync(file, 'no folder');
  for (const home of [file, join(folder, 'none')])
    await refused(3, /^npm test: the home folder \S+ cannot be written: (ENOTDIR|ENOENT)/, { HOME: home });
  assert.deepEqual(readdirSync(folder), ['file']);
});

const mounts = process.platform === 'linux' && process.getuid?.() === 0;

test(
  'the tests do not begin on a disk that is full',
  { skip: !mounts && 'mounts a small disk: Linux and root only' },
  async (t) => {
    const disk = tempFolder(t);
    // What is left is looked for before the mount goes with its namespace.
    const script =
      'mount -t tmpfs -o size=2m h2h3-test "$TMPDIR"; "$@"; code=$?; ls -A "$TMPDIR"; exit "$code"';
    const { stdout } = await refused(
      3,
      /the folder for temporary files \S+ has \d MB left; the tests need 1000 MB/,
      { TMPDIR: disk },
      ['unshare', '--mount', 'sh', '-c', script, 'sh'],
    );
    assert.equal(stdout, '', 'nothing is left');
  },
);

test('the tests do not begin beside others of the same checkout', async (t) => {
  // Where this is run by them, they hold it.
  const lock = join(projectDir, '.h2h3', 'test-run.lock');
  if (makeLock(lock, processIdentity(process.pid))) t.after(() => rmSync(lock));
  await refused(2, /another test run \(process \d+\) is under way/, {});
});

test('a name of no tests is refused with those that there are', async () => {
  const { code, stderr } = await startProgram([...command.slice(0, -1), 'everything']).result;
  assert.equal(code, 2);
  assert.match(stderr, /no tests are called "everything"\n {2}next: Name one of unit, test, all\./);
});

test('on a machine as if it had nothing there are Node and npm, no browser, no curl and no cache, and its exit code is the command’s', async (t) => {
  const bare = join(projectDir, 'tests', 'first-run', 'bare.sh');
  const tried = await startProgram(['sh', bare, 'true']).result;
  if (tried.code !== 0 || tried.stderr !== '') return t.skip(tried.stderr);
  const looks = `node --version && npm --version && ls -A .h2h3 "$HOME" && exit 7`;
  const { code, stdout, stderr } = await startProgram(['sh', bare, 'sh', '-c', looks]).result;
  assert.equal(code, 7, stderr);
  assert.match(stdout, /^v\d+\.\d+\.\d+\n\d+\.\d+\.\d+\n\.h2h3:\n\n\/tmp\/h2h3-bare\.\w+\/home:\n/);
  const searched = `for name in chromium firefox curl ffmpeg; do command -v $name; done; true`;
  assert.equal((await startProgram(['sh', bare, 'sh', '-c', searched]).result).stdout, '');
  const left = readdirSync('/tmp').filter((name) => name.startsWith('h2h3-bare.'));
  assert.deepEqual(
    left.filter((name) => stdout.includes(name)),
    [],
    'nothing is left',
  );
});
