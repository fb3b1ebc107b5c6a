import assert from 'node:assert/strict';
import { openSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { printError } from '../../../src/cli/print-error.ts';
import { runCliHere, projectDir } from '../../support/cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** What is said of what `fail` throws. */
async function saidOf(fail: () => unknown): Promise<{ said: string; code: number }> {
  const lines: string[] = [];
  try {
    await fail();
  } catch (thrown) {
    const code = printError(thrown, (line) => lines.push(line));
    return { said: lines.join('\n'), code };
  }
  throw new Error('it did not fail');
}

test('an error of the system is said with its path and reason, never with a stack', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const cases: [() => unknown, RegExp][] = [
    [() => readFileSync(join(folder, 'none')), /none: it does not exist/],
    [() => readFileSync(join(file, 'below')), /below: a part of the path is no folder/],
    [() => readFileSync(folder), /The system's read: it is a folder/],
    [() => readdirSync(file), /file: a part of the path is no folder/],
    [() => readFileSync(join(folder, 'x'.repeat(300))), /x: the name is too long/],
  ];
  for (const [fail, expected] of cases) {
    const { said, code } = await saidOf(fail);
    assert.match(said, expected);
    assert.doesNotMatch(said, /\n\s+at |fault of h2h3/);
    assert.ok(code === 2 || code === 3, `${code}`);
  }
  const refused = await saidOf(
    () => new Promise((_, reject) => connect(1, '127.0.0.1').once('error', reject)),
  );
  assert.match(refused.said, /127\.0\.0\.1, port 1: nothing answers there/);
  assert.equal(refused.code, 3);
});

test('what is a fault of h2h3 itself still shows where it happened', async () => {
  const { said, code } = await saidOf(() => {
    throw new TypeError('oh');
  });
  assert.match(said, /a fault of h2h3 itself: TypeError: oh\n\s+at /);
  assert.equal(code, 4);
});

const commands = [['analyse'], ['run', '--resume'], ['plan'], ['history', 'import']];

test('a path that no file can have is refused in words by whatever command is given it', async (t) => {
  const file = join(tempFolder(t), 'file');
  writeFileSync(file, '');
  const refuse = async (command: readonly string[]): Promise<void> => {
    const { code, stderr } = await runCliHere([...command, join(file, 'below', 'x'.repeat(300))]);
    assert.ok(code === 2 || code === 3, `${command.join(' ')}: ${code} ${stderr}`);
    assert.doesNotMatch(stderr, /\n\s+at /);
  };
  await Promise.all(commands.map(refuse));
});

test(
  'output that cannot be written is one line and exit code 3',
  { skip: process.platform === 'linux' ? false : 'needs /dev/full, which Linux has' },
  () => {
    const launcher = join(projectDir, 'src/cli/launcher.js');
    const { status, stderr } = spawnSync(process.execPath, [launcher, 'plan', 'all'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    });
    assert.match(stderr, /the disk is full/);
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.equal(status, 3);
  },
);
