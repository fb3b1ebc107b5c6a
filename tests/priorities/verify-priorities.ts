import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRecords, readSummary, startCli } from '../support/cli.ts';
import { overtakingOf } from '../support/scheduling-matrix.ts';

/**
 * Runs `herbots2024-priorities` and checks that the order of arrival flips with `priorities` alone over each protocol, by the
 * server's log, and that the largest paint follows beyond chance: `npm run verify:priorities` (root; some six minutes).
 */
const folder = mkdtempSync(join(tmpdir(), 'h2h3-verify-priorities-'));
const out = join(folder, 'run');

/** Middle of the times that the late urgent object took in an arm's loads, ms. */
function middleMs(arm: string): number {
  const times = readRecords(out)
    .filter((record) => record.arm === arm && record.status === 'ok')
    .flatMap(({ trialId }) => overtakingOf(readEvidence(join(out, 'trials', trialId)).raw)?.urgentMs ?? [])
    .toSorted((a, b) => a - b);
  assert.ok(times.length > 0, `${arm}: no valid load`);
  return times[Math.floor(times.length / 2)] ?? 0;
}

try {
  const cli = startCli(['run', 'herbots2024-priorities', '--scale', 'quick', '--out', out]);
  cli.child.stderr?.pipe(process.stderr);
  const { code } = await cli.result;
  assert.equal(code, 0);
  for (const protocol of ['h2', 'h3']) {
    const [off, on] = ['off', 'on'].map((value) => middleMs(`${protocol}+priorities=${value}`));
    process.stdout.write(
      `${protocol}: urgent object took ${off} ms without priorities, ${on} ms with them\n`,
    );
    assert.ok((on ?? Infinity) < (off ?? 0) / 1.5, `${protocol}: priorities do not let it overtake`);
  }
  const { comparisons } = readSummary(out);
  const paints = comparisons.filter(({ metric, primary }) => metric === 'lcpMs' && primary);
  assert.equal(paints.length, 2);
  for (const { baseline, candidate, verdict, ratioInterval } of paints) {
    process.stdout.write(`${baseline.arm}, ${candidate.arm}: ${verdict}, ${JSON.stringify(ratioInterval)}\n`);
    assert.equal(verdict, 'better', `${candidate.arm}: the largest paint does not follow`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
