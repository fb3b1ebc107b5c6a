import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { processesWith, readEnvironment, readRecords, runCli, startCli } from '../support/cli.ts';
import type { DoctorRow } from '../../harness/tools/doctor-row.ts';
import type { NetworkDescription } from '../../src/core/model/environment.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { boxLack, startBox, type MachineInABox } from '../support/machine-in-a-box.ts';
import { killIfThere, waitUntil } from '../support/processes.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { writeSmallArchive } from '../support/small-archive.ts';
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
  '--quick-start',
  '--recorded',
  '0',
];

describe('servers on another machine', { skip: lack ?? false }, () => {
  const cleanups: (() => void)[] = [];
  let box: MachineInABox;
  let folder = '';
  let archive = '';

  before(async () => {
    folder = tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) });
    archive = join(folder, 'recording');
    await writeSmallArchive(archive);
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
    const tuned = await runCli(
      [...plan, box.host, '--network', 'cable', '--arm', 'h2', '--arm', 'h2+initialwindow=40'],
      box.environment,
    );
    assert.equal(tuned.code, 2, tuned.stderr);
    assert.match(tuned.stderr, /the network cable cannot have: the server is on another machine/);
    const doctor = await runCli(['doctor', '--server-host', box.host, '--json'], box.environment);
    assert.equal(doctor.code, 0, doctor.stderr);
    const { rows } = JSON.parse(doctor.stdout) as { readonly rows: readonly DoctorRow[] };
    const stateOf = (item: string): string | undefined => rows.find((row) => row.item === item)?.state;
    assert.deepEqual(['machine farbox', 'link to it', 'server Caddy'].map(stateOf), ['ok', 'ok', 'ok']);
    const lost = await runCli(['doctor', '--server-host', `root@${box.address}`], box.environment);
    assert.equal(lost.code, 3, lost.stderr);
    await requireNothingLeft();
  });

  /** A run of one block of these, with its records, all of which are valid. */
  async function wholeRun(out: string, words: readonly string[]): Promise<readonly TrialRecord[] | string> {
    const { code, stderr } = await runCli(far(...words, '--repetitions', '1', '--out', out), box.environment);
    const refused = pathRefused(stderr);
    if (refused !== null) return refused;
    const records = readRecords(out);
    const late = records.find(({ reason }) => machineWasLate(reason));
    if (late !== undefined) return late.reason ?? '';
    assert.deepEqual(
      records.filter(({ status }) => status !== 'ok').map(({ trialId, reason }) => [trialId, reason]),
      [],
    );
    assert.equal(code, 0, stderr);
    for (const { metrics } of records)
      assert.ok((metrics['serverCpuSeconds'] ?? 0) > 0, JSON.stringify(metrics));
    await requireNothingLeft();
    return records;
  }

  test('a page, a recording and a download are proven over both protocols, with every CPU of the browser’s machine', async (t) => {
    const out = join(folder, 'whole');
    const loads = ['--sites', `page-landing,${archive}`, '--workload', 'download-1mb'];
    const records = await wholeRun(out, loads);
    if (typeof records === 'string') return t.skip(records);
    assert.deepEqual(
      records.map(({ network }) => network),
      new Array<string>(6).fill('host'),
    );
    const { serverHost, pinning, networks } = readEnvironment(out);
    assert.deepEqual([serverHost?.host, serverHost?.hostName], ['farbox', 'farbox']);
    assert.ok(Math.abs(serverHost?.clockOffsetMs ?? Number.NaN) <= (serverHost?.clockBoundMs ?? 0) + 5);
    assert.deepEqual([serverHost?.nic?.device, serverHost?.clientNic?.device], ['eth0', box.link]);
    assert.equal(serverHost?.nic?.mtuBytes, 1500);
    assert.equal(pinning.browserCpus, null);
    const [real] = networks;
    assert.equal(real?.backend, 'real');
    assert.match(real.description, /^link between two machines, [\d.]+ ms round trip/);
    requireMeasured(real);
    assert.match(readFileSync(join(out, 'report.html'), 'utf8'), /server on a second machine/);
  });

  /** The link between both machines was measured before and after the run. */
  function requireMeasured(network: NetworkDescription | undefined): void {
    assert.ok((network?.realLink?.udp?.down.mbps ?? 0) > 1, JSON.stringify(network?.realLink));
    assert.ok((network?.realLinkAfter?.downMbps ?? 0) > 1, JSON.stringify(network?.realLinkAfter));
  }

  test('an emulated network before the link is checked with it, and counts what crosses it', async (t) => {
    const lacking = await translatorLack();
    if (lacking !== null) return t.skip(lacking);
    const out = join(folder, 'emulated');
    const loads = ['--sites', archive, '--workload', 'upload-1mb', '--network', 'cable'];
    const records = await wholeRun(out, loads);
    if (typeof records === 'string') return t.skip(records);
    assert.equal(records.length, 4);
    const [cable] = readEnvironment(out).networks;
    assert.match(cable?.description ?? '', /Behind it the link between two machines$/);
    const delayed =
      cable?.checks.filter(({ quantity }) => quantity.includes('with the link behind it')) ?? [];
    assert.equal(delayed.length, 2);
    for (const { measured, ok } of delayed) assert.ok(ok && measured > 10, `${measured} ms`);
    requireMeasured(cable);
    for (const { trialId } of records) {
      const { raw } = readEvidence(join(out, 'trials', trialId));
      const [link] = raw.testbed?.links ?? [];
      assert.deepEqual([link?.id, link?.steady], ['cable', false]);
      assert.ok(
        (raw.linkFlows ?? []).some(({ downPackets }) => downPackets > 0),
        `${trialId}: flows`,
      );
      assert.ok((raw.connectionStarts ?? []).length > 0, `${trialId}: first flights`);
    }
  });

  /** Why no path leads on to the box; null where one does. */
  async function translatorLack(): Promise<string | null> {
    const place = {
      platform: process.platform,
      environment: { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    };
    for (const name of ['nft', 'iptables']) if ((await findOnPath(name, place)) !== undefined) return null;
    return 'neither nft nor iptables: npx h2h3 setup --system --with sshd';
  }

  test('messages go to a server over there', async () => {
    const out = join(folder, 'messages');
    const plan = ['run', '--workload', 'messages-100b-10ms-x50', '--client', 'embedded', '--server', 'go'];
    const arms = ['--arms', 'h2+transport=websocket,h3+transport=wt-streams'];
    const { code, stderr } = await runCli(
      [
        ...plan,
        ...arms,
        '--exploratory',
        '--quick-start',
        '--recorded',
        '0',
        '--repetitions',
        '1',
        '--server-host',
        box.host,
        '--out',
        out,
      ],
      box.environment,
    );
    assert.equal(code, 0, stderr);
    for (const { status, reason } of readRecords(out)) assert.equal(reason ?? status, 'ok');
    await requireNothingLeft();
  });

  test('arms with a server or a proxy of their own take turns at the one address of the machine', async () => {
    const out = join(folder, 'turns');
    const arms = ['--arms', 'h2,h2+tls=1.2,h3,h3+proxy=envoy-h3'];
    const { code, stderr } = await runCli(far(...arms, '--repetitions', '2', '--out', out), box.environment);
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      readRecords(out).map(({ status, reason }) => reason ?? status),
      new Array<string>(8).fill('ok'),
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
