import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectDir, runCli, startProgram } from '../support/cli.ts';
import { writeFinishedRun } from '../support/finished-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A port that nothing listens on: whatever goes through it fails at once. */
const nowhere = 'http://127.0.0.1:9';

test('without any server the run ends before its first trial, with exit 3 and the command that fixes it', async (t) => {
  const folder = tempFolder(t);
  const out = join(folder, 'run');
  const bare = {
    PATH: join(folder, 'no-programs'),
    H2H3_CACHE: join(folder, 'cache'),
    HTTPS_PROXY: nowhere,
    https_proxy: nowhere,
    NO_PROXY: '',
    no_proxy: '',
  };
  const { code, stderr } = await runCli(
    ['run', 'download', '--network', 'loopback', '--client', 'embedded', '--out', out],
    bare,
  );
  assert.equal(code, 3, stderr);
  assert.match(stderr, /There is no Caddy .* none could be had/);
  assert.match(stderr, /next: Install Caddy/);
  assert.equal(existsSync(out), false, 'nothing was begun');
});

/** Where programs look for fonts (fontconfig's own default, and `~/.fonts`). */
const fontFolders = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.fonts'),
  join(homedir(), '.local/share/fonts'),
];

test('a machine without fonts has its report without a warning, unless the report is to be published', async (t) => {
  const hidden = ['unshare', '--user', '--map-root-user', '--mount'];
  const tried = await startProgram([...hidden, 'true']).result;
  if (tried.code !== 0) return t.skip(`no folder can be hidden: ${tried.stderr}`);
  const run = join(tempFolder(t), 'run');
  writeFinishedRun(run, 7);
  const hide = fontFolders
    .filter((folder) => existsSync(folder))
    .map((folder) => `mount -t tmpfs h2h3-no-fonts ${folder}`);
  const script = ['set -e', ...hide, 'exec "$@"'].join('; ');
  const command = [process.execPath, join(projectDir, 'src/cli/launcher.js'), 'report', run];
  const reportWith = (...flags: readonly string[]): ReturnType<typeof runCli> =>
    startProgram([...hidden, 'sh', '-c', script, 'sh', ...command, ...flags]).result;
  const plain = await reportWith();
  assert.equal(plain.code, 0, plain.stderr);
  assert.doesNotMatch(plain.stderr, /card|font/);
  const published = await reportWith('--published-at', 'https://ci.example/17/');
  assert.equal(published.code, 0, published.stderr);
  assert.match(published.stderr, /no card\.png: this machine has no font/);
  assert.deepEqual(
    ['card.svg', 'card.png'].map((name) => existsSync(join(run, name))),
    [true, false],
  );
});

test('help costs little more than the start of Node itself', async () => {
  // The shell says after the command what its children used: `0m0.061s 0m0.020s` in its second line.
  const script = '"$@" >/dev/null && times';
  const cpuSecondsOf = async (...words: readonly string[]): Promise<number> => {
    const { code, stdout, stderr } = await startProgram([
      'sh',
      '-c',
      script,
      'sh',
      process.execPath,
      ...words,
    ]).result;
    assert.equal(code, 0, stderr);
    const used = [...(stdout.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
    assert.equal(used.length, 2, stdout);
    return used.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
  };
  const help = [join(projectDir, 'src/cli/launcher.js'), '--help'];
  // The first time fills the cache of compiled modules.
  await cpuSecondsOf(...help);
  /** The least of three, to which a busy machine adds least. */
  const leastSeconds = async (...words: readonly string[]): Promise<number> =>
    Math.min(await cpuSecondsOf(...words), await cpuSecondsOf(...words), await cpuSecondsOf(...words));
  const seconds = await leastSeconds(...help);
  // Counted in hundredths of a second, of which an empty program takes three to five.
  const emptySeconds = Math.max(0.03, await leastSeconds('--eval', '0'));
  assert.ok(seconds > 0 && seconds < 12 * emptySeconds, `${seconds} s against ${emptySeconds} s`);
});
