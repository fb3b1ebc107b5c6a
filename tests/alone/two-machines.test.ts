import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { processesWith, readEnvironment, readRecords, runCli, startCli } from '../support/cli.ts';
import { boxLack, startBox, type MachineInABox } from '../support/machine-in-a-box.ts';
import { killIfThere, waitUntil } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const lack = boxLack();
const limitMs = 120_000;

/** A small page, and a download, over both protocols. */
const work = [
  '--sites',
  'page-landing',
  '--client',
  'embedded',
  '--server',
  'caddy',
  '--exploratory',
  '--recorded',
  '0',
];

describe('servers on another machine', { skip: lack ?? false }, () => {
  const cleanups: (() => void)[] = [];
  let box: MachineInABox;
  let folder = '';

  before(async () => {
    folder = tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) });
    box = await startBox(tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) }));
  });
  after(async () => {
    await box.stop();
    cleanups.forEach((cleanup) => cleanup());
  });

  const far = (...more: readonly string[]): string[] => ['run', ...work, '--server-host', box.host, ...more];

  /** Nothing of a run is left on either side. */
  async function requireNothingLeft(): Promise<void> {
    await waitUntil('nothing runs over there', limitMs, () => box.processes().length === 0);
    const workDir = join(box.home, '.cache', 'h2h3', 'far', 'work');
    await waitUntil(
      'its folder is gone',
      limitMs,
      () => !existsSync(workDir) || readdirSync(workDir).length === 0,
    );
    await waitUntil(
      'no ssh runs here',
      limitMs,
      () => processesWith(box.environment['PATH'] ?? '?').length === 0,
    );
  }

  test('plan connects, and says what is wrong without beginning', async () => {
    const plan = ['plan', ...work, '--server-host'];
    const fine = await runCli([...plan, box.host], box.environment);
    assert.equal(fine.code, 0, fine.stderr);
    const unknown = await runCli([...plan, `root@${box.address}`], box.environment);
    assert.equal(unknown.code, 3, unknown.stderr);
    assert.match(unknown.stderr, /cannot be used: (?:no sshd listens there|its host key is not known here)/);
    const shaped = await runCli([...plan, box.host, '--network', 'cable'], box.environment);
    assert.equal(shaped.code, 2, shaped.stderr);
    assert.match(shaped.stderr, /the emulated network cable cannot be measured with servers on farbox/);
    await requireNothingLeft();
  });

  test('a page and a download are proven over both protocols, with every CPU of the browser’s machine', async () => {
    const out = join(folder, 'whole');
    const download = ['--workload', 'download-1mb'];
    const { code, stderr } = await runCli(
      far(...download, '--repetitions', '2', '--out', out),
      box.environment,
    );
    assert.equal(code, 0, stderr);
    const records = readRecords(out);
    assert.equal(records.length, 8);
    assert.deepEqual(
      records.filter(({ status }) => status !== 'ok').map(({ trialId, reason }) => [trialId, reason]),
      [],
    );
    for (const { metrics, network } of records) {
      assert.equal(network, 'host');
      assert.ok((metrics['serverCpuSeconds'] ?? 0) > 0, JSON.stringify(metrics));
    }
    const { serverHost, pinning, networks } = readEnvironment(out);
    assert.deepEqual([serverHost?.host, serverHost?.hostName], ['farbox', 'farbox']);
    assert.ok(Math.abs(serverHost?.clockOffsetMs ?? Number.NaN) <= (serverHost?.clockBoundMs ?? 0) + 5);
    assert.equal(pinning.browserCpus, null);
    assert.equal(networks[0]?.backend, 'real');
    assert.match(networks[0]?.description ?? '', /^link between two machines, [\d.]+ ms round trip/);
    const report = readFileSync(join(out, 'report.html'), 'utf8');
    assert.match(report, /server on a second machine/);
    await requireNothingLeft();
  });

  test('arms with a server of their own take turns at the one address of the machine', async () => {
    const out = join(folder, 'turns');
    const arms = ['--arms', 'h2,h2+tls=1.2,h3'];
    const { code, stderr } = await runCli(far(...arms, '--repetitions', '2', '--out', out), box.environment);
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      readRecords(out).map(({ status, reason }) => reason ?? status),
      new Array<string>(6).fill('ok'),
    );
    await requireNothingLeft();
  });

  test('a lost connection fails its trial alone, and the run connects again', async () => {
    const out = join(folder, 'lost');
    const run = startCli(far('--repetitions', '4', '--out', out), box.environment);
    await run.until(
      'two trials are done',
      () => existsSync(join(out, 'journal.jsonl')) && readRecords(out).length >= 2,
    );
    box.processes().forEach(killIfThere);
    const { code, stderr } = await run.result;
    const records = readRecords(out);
    assert.equal(new Set(records.map(({ trialId }) => trialId)).size, 8, stderr);
    const failed = records.filter(({ status }) => status !== 'ok');
    assert.ok(failed.length <= 1, JSON.stringify(failed.map(({ reason }) => reason)));
    for (const { reason } of failed) assert.match(reason ?? '', /the connection to farbox/);
    assert.match(stderr, /Connecting again/);
    assert.equal(code, 0, stderr);
    await requireNothingLeft();
  });

  test('a killed run leaves nothing over there within 10 s, also where its link is gone', async () => {
    for (const cut of [false, true]) {
      const out = join(folder, `killed-${cut}`);
      const run = startCli(far('--repetitions', '3', '--out', out), box.environment, { detached: true });
      await run.until(
        'a trial is done',
        () => existsSync(join(out, 'journal.jsonl')) && readRecords(out).length >= 1,
      );
      if (cut) spawnSync('ip', ['link', 'set', box.link, 'down']);
      run.child.kill('SIGKILL');
      await run.result;
      await waitUntil('nothing runs over there', limitMs, () => box.processes().length === 0);
      if (cut) spawnSync('ip', ['link', 'set', box.link, 'up']);
      await requireNothingLeft();
      const resumed = await runCli(['run', '--resume', out], box.environment);
      assert.equal(resumed.code, 0, resumed.stderr);
      assert.deepEqual(
        readRecords(out).map(({ status }) => status),
        new Array<string>(6).fill('ok'),
      );
    }
  });
});
