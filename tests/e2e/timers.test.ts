import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectDir } from '../support/source-graph.ts';
import { tempFolder } from '../support/temp-folder.ts';

const nightly = join(projectDir, 'examples', 'nightly');

/** A word of the unit's section, such as ExecStart. */
function setting(unit: string, name: string): string {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test(
  'systemd finds nothing wrong in service and timer',
  { skip: hasSystemd ? false : 'systemd-analyze is not on this machine' },
  () => {
    const units = ['h2h3-nightly.service', 'h2h3-nightly.timer'].map((name) => join(nightly, name));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stderr, /h2h3-nightly/, 'no warning either');
  },
);

test('what systemd starts is the program itself, and it starts', () => {
  const unit = readFileSync(join(nightly, 'h2h3-nightly.service'), 'utf8');
  const [program = '', ...words] = setting(unit, 'ExecStart').split(' ');
  assert.deepEqual(
    [program, ...words.slice(0, 3)],
    ['/usr/bin/env', 'node', 'src/cli/launcher.js', 'nightly'],
  );
  const said = execFileSync(program, [...words, '--help'], { cwd: projectDir, encoding: 'utf8' });
  assert.match(said, /^Usage: h2h3 nightly/);
});

test('the line for cron starts it in its folder, once at a time', (t) => {
  const table = readFileSync(join(nightly, 'crontab.example'), 'utf8');
  const line = table.split('\n').find((one) => /^\d/.test(one)) ?? '';
  const [, , , , , ...words] = line.split(' ');
  const folder = join(tempFolder(t), 'opt');
  mkdirSync(folder);
  symlinkSync(join(projectDir, 'src'), join(folder, 'src'));
  const command = words.join(' ').replace('/opt/h2h3', folder);
  assert.match(command, /exec flock -n results\/nightly\.lock node src\/cli\/launcher\.js nightly/);
  // cron's own shell and search path.
  const run = (text: string): ReturnType<typeof spawnSync> =>
    spawnSync('/bin/sh', ['-c', text], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder },
    });
  const first = run(`${command} --help`);
  assert.equal(first.status, 0, String(first.stderr));
  assert.match(String(first.stdout), /^Usage: h2h3 nightly/);
  const second = run(`cd ${folder} && flock results/nightly.lock sh -c '${command} --help'`);
  assert.equal(second.status, 1, 'the night before still runs');
});
