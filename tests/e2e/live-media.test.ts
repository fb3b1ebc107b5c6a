import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureMoqPython } from '../../harness/tools/moq-python.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { fetchedPlayer } from '../../src/app/versions/fetched-player.ts';
import { framesBehindPlayhead } from '../support/frames-behind-playhead.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { projectDir, readRecords, runCli } from '../support/cli.ts';
import { killIfThere, processesWith } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const targetMs = 1000;
const workload = `video-clock-1s-own-live-delay${targetMs}ms-2s`;
/** One that is discarded, one that is measured, and one that the relay does not survive. */
const sessions = 3;

/** @returns whether relay and player can be had */
async function hasMoq(t: TestContext): Promise<boolean> {
  const setup = await createSetupContext({ projectDir });
  try {
    await Promise.all([ensureMoqPython(setup), fetchedPlayer('moqwatch', setup)]);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'unsupported') throw thrown;
    t.skip(thrown.message);
    return false;
  }
}

/** Kills the relay of a run, known by a folder of its own, as soon as it has taken so many sessions: the last is under way then. */
async function killRelay(cacheDir: string, run: Promise<unknown>): Promise<void> {
  let isOver = false;
  void run.finally(() => (isOver = true));
  while (!isOver) {
    await sleep(50);
    for (const { pid, commandLine } of processesWith('moq_relay.py')) {
      const ledger = commandLine.trim().split(' ').at(-1) ?? '';
      if (!ledger.startsWith(cacheDir) || sessionsIn(ledger) < sessions) continue;
      killIfThere(pid);
      return;
    }
  }
}

function sessionsIn(ledger: string): number {
  try {
    return readFileSync(ledger, 'utf8').match(/"event": "session"/g)?.length ?? 0;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw thrown;
  }
}

test('one broadcast over DASH and MoQ: latency is read off the screen, and a relay that dies fails its trial', async (t) => {
  if (!(await hasMoq(t))) return;
  const folder = tempFolder(t);
  const out = join(folder, 'run');
  const words = ['--workload', workload, '--client', 'embedded', '--network', 'loopback'];
  const more = ['--arms', 'h3,h3+player=moqwatch', '--repetitions', '2', '--recorded', '0', '--exploratory'];
  const run = runCli(['run', ...words, ...more, '--out', out], { TMPDIR: folder });
  await killRelay(folder, run);
  const { stderr } = await run;
  const records = readRecords(out);
  const over = (player: string | undefined): TrialRecord[] =>
    records.filter(({ factors }) => factors.player === player);
  assert.deepEqual(
    over(undefined).map(({ status }) => status),
    ['ok', 'ok'],
    stderr,
  );
  const [played, died] = over('moqwatch');
  assert.equal(played?.status, 'ok', played?.reason);
  for (const { metrics, arm } of [...over(undefined), played]) {
    const shownMs = metrics.frames?.shown.map(([, latencyMs]) => latencyMs) ?? [];
    const least = Math.min(...shownMs);
    const middle = Number(metrics['frameLatencyMs']);
    // A busy machine shows frames late, but not all of them.
    assert.ok(middle > targetMs / 2 && least < targetMs * 3, `${arm}: ${least} to ${middle}`);
    assert.ok(Number(metrics['startupDelayMs']) > 0, arm);
    for (const name of ['stallTotalMs', 'lateFrames', 'lostFrames'])
      assert.ok(Number(metrics[name]) >= 0, name);
  }
  const { session, relayLog } = readEvidence(join(out, 'trials', played.trialId)).raw;
  assert.ok(session?.kind === 'video' && session.player.name === '@moq/watch');
  assert.match(session.player.version, /^\d+\.\d+/);
  assert.deepEqual(
    relayLog?.filter(({ event }) => event === 'session').map(({ transport }) => transport),
    ['quic'],
  );
  assert.equal(died?.status, 'failed');
  assert.match(died.reason ?? '', /the MoQ relay died during the trial/);
  for (const { trialId } of over(undefined)) {
    const played = readEvidence(join(out, 'trials', trialId)).raw.session;
    assert.ok(played?.kind === 'video');
    const behind = framesBehindPlayhead(played) ?? NaN;
    assert.ok(Math.abs(behind) <= 1, `${trialId}: the picture is ${behind} frames behind the playhead`);
  }
});
