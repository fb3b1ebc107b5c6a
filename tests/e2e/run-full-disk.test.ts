import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPlan, readRecords, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const skip =
  process.platform === 'linux' && process.getuid?.() === 0
    ? false
    : 'mounts a small disk: Linux and root only';

test(
  'a full disk ends the run before a trial is lost, and with more room it goes on to the same trials',
  { skip },
  async (t) => {
    const disk = join(tempFolder(t), 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160k', 'h2h3-test', disk]);
    t.after(() => execFileSync('umount', [disk]));
    const out = join(disk, 'run');
    const small = ['--workload', 'page-landing', '--repetitions', '6', '--client', 'embedded'];
    const full = await runCli(['run', ...small, '--out', out]);
    assert.equal(full.code, 3, full.stderr);
    assert.match(full.stderr, /disk is full/);
    for (const { status, reason } of readRecords(out)) assert.equal(status, 'ok', reason);
    assert.ok(readRecords(out).length < readPlan(out).trials.length, 'the disk was to be too small');
    execFileSync('mount', ['-o', 'remount,size=50m', disk]);
    const resumed = await runCli(['run', '--resume', out]);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.deepEqual(
      readRecords(out)
        .map(({ trialId }) => trialId)
        .toSorted(),
      readPlan(out)
        .trials.map(({ trialId }) => trialId)
        .toSorted(),
    );
  },
);
