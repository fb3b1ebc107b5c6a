import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { foundOr, messageOf } from '../../src/core/model/errors.ts';
import { readRecords, readRunFile, startCli } from '../support/cli.ts';
import { processesWith } from '../support/processes.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const skip = process.platform === 'linux' ? false : 'stops the emulator of a Linux path';

/** Takes the CPU from the emulator of this run for as long as the machine of a busy host would, again and again, until it is over. */
async function delayPath(run: number | undefined, until: () => boolean): Promise<void> {
  const emulators = processesWith(`h2h3-${run}-`).filter(({ commandLine }) =>
    /path-emulator /.test(commandLine),
  );
  assert.ok(emulators.length > 0, 'the run has an emulated path');
  const tell = (signal: 'SIGSTOP' | 'SIGCONT'): boolean =>
    emulators.every(({ pid }) => foundOr(() => process.kill(pid, signal), false, 'ESRCH'));
  while (!until() && tell('SIGSTOP')) {
    await sleep(40);
    tell('SIGCONT');
    await sleep(60);
  }
}

test(
  'a trial whose path the machine delayed is run again, and its record and report say so',
  { skip },
  async (t) => {
    const out = join(tempFolder(t), 'run');
    const plan = ['--workload', 'download-1mb', '--client', 'quic-go', '--network', 'kakhki-5mbit'];
    const short = ['--quick-start', '--repetitions', '2', '--recorded', '0', '--exploratory'];
    const cli = startCli(['run', ...plan, ...short, '--out', out]);
    const refused = await cli.said(/\[1\/4\].*(Mbit\/s|invalid)/).then(
      () => null,
      (thrown: unknown) => {
        const why = pathRefused(messageOf(thrown));
        if (why === null) throw thrown;
        return why;
      },
    );
    if (refused !== null) {
      t.skip(refused);
      return;
    }
    let again = false;
    const said = cli
      // One may be over before this process, which may lose its CPU, begins.
      .said(/\[[234]\/4\].*: run again, the emulated path did not keep up/)
      .then(() => (again = true));
    await Promise.race([delayPath(cli.child.pid, () => again), cli.result]);
    await said;
    const { code, stderr } = await cli.result;
    const records = readRecords(out);
    const delayed = records.find(({ earlierTries = [] }) => earlierTries.length > 0);
    assert.match(
      delayed?.earlierTries?.[0]?.reason ?? '',
      /^the emulated path did not keep up: \d+ of \d+ packets/,
    );
    const lost = records.find(({ status }) => status !== 'ok');
    if (lost !== undefined && machineWasLate(lost.reason)) {
      t.skip(`this machine was late in every try: ${lost.reason}`);
      return;
    }
    assert.deepEqual([code, lost], [0, undefined], stderr);
    assert.ok(
      existsSync(join(out, 'trials', delayed?.trialId ?? '', 'raw.json.gz')),
      'the last try left its evidence',
    );
    assert.match(readRunFile(out, 'report.md'), /run again: the emulated path did not keep up/);
  },
);
