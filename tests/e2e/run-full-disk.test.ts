import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { readJournal } from '../../src/store/journal.ts';
import { readPlan, runCli } from '../support/cli.ts';

const skip =
  process.platform === 'linux' && process.getuid?.() === 0
    ? false
    : 'mounts a small disk: Linux and root only';

test(
  'a full disk ends the run before a trial is lost, and with more room it goes on to the same trials',
  { skip },
  async (t) => {
    const disk = mkdtempSync(join(tmpdir(), 'h2h3-test-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160k', 'h2h3-test', disk]);
    t.after(() => {
      execFileSync('umount', [disk]);
      rmdirSync(disk);
    });
    const out = join(disk, 'run');
    const small = [
      '--workload',
      'page-landing',
      '--repetitions',
      '4',
      '--exploratory',
      '--quick-start',
      '--client',
      'embedded',
    ];
    const full = await runCli(['run', ...small, '--out', out]);
    assert.equal(full.code, 3, full.stderr);
    assert.match(full.stderr, /disk is full/);
    // The line that was being written when the disk was full may be cut short.
    const written = (): readonly TrialRecord[] => readJournal(join(out, 'journal.jsonl')).records;
    for (const { status, reason } of written()) assert.equal(status, 'ok', reason);
    assert.ok(written().length < readPlan(out).trials.length, 'the disk was to be too small');
    execFileSync('mount', ['-o', 'remount,size=50m', disk]);
    const resumed = await runCli(['run', '--resume', out]);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.deepEqual(
      written()
        .map(({ trialId }) => trialId)
        .toSorted(),
      readPlan(out)
        .trials.map(({ trialId }) => trialId)
        .toSorted(),
    );
  },
);
