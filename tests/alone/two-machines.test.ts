import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { processesWith, readEnvironment, readRecords, runCli } from '../support/cli.ts';
import { FarHost } from '../../harness/hosts/far-host.ts';
import type { DoctorRow } from '../../harness/tools/doctor-row.ts';
import type { NetworkDescription } from '../../src/core/model/environment.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { boxLack, startBox, translatorLack, type MachineInABox } from '../support/machine-in-a-box.ts';
import { goneLimitMs, waitUntil } from '../support/processes.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { writeSmallArchive } from '../support/small-archive.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { requireWithstood, shortStrikeNames, strikeFarRuns } from '../torture/far-strikes.ts';

const lack = boxLack();
const limitMs = 120_000;

const client = [
  '--client',
  'embedded',
  '--server',
  'caddy',
  '--exploratory',
  '--quick-start',
  '--recorded',
  '0',
];
/** A small page over both protocols. */
const work = ['--sites', 'page-landing', ...client];

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
    await waitUntil('nothing of it is over there', limitMs, () => box.leftovers().length === 0);
    await waitUntil(
      'no ssh runs here',
      limitMs,
      () => processesWith(box.environment['PATH'] ?? '?').length === 0,
    );
  }

  /** Two runs at once on one machine would disturb each other, whatever their ports. */
  async function requireSecondRefused(): Promise<void> {
    const open = (port: number): Promise<FarHost> => {
      const own = join(folder, String(port));
      mkdirSync(own);
      const environment = { ...process.env, ...box.environment };
      const say = (): undefined => undefined;
      const { signal } = new AbortController();
      return FarHost.open({ host: box.host, port, folder: own, environment, say, tell: say, signal });
    };
    const first = await open(8443);
    await assert.rejects(open(8444), {
      code: 'unsupported',
      message: 'on farbox: another run of h2h3 has its servers or clients there',
    });
    await first.close();
  }

  test('plan connects, and says what is wrong without beginning; a second run on the machine is refused', async () => {
    const refusing = requireSecondRefused();
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
    assert.deepEqual(['machine farbox', 'link to farbox', 'server Caddy'].map(stateOf), ['ok', 'ok', 'ok']);
    const lost = await runCli(['doctor', '--server-host', `root@${box.address}`], box.environment);
    assert.equal(lost.code, 3, lost.stderr);
    await refusing;
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

  test('a page, a recording, an upload and a broadcast are proven over both protocols, with every CPU of the browser’s machine', async (t) => {
    const out = join(folder, 'whole');
    const loads = ['--sites', `page-landing,${archive}`, '--workload', 'upload-1mb,video-ci-1s-own-live-4s'];
    const records = await wholeRun(out, loads);
    if (typeof records === 'string') return t.skip(records);
    assert.deepEqual(
      records.map(({ network }) => network),
      new Array<string>(8).fill('host'),
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

  test('emulated networks before the link, one that changes and one with another client on it, are checked with it and count what crosses it', async (t) => {
    const lacking = await translatorLack();
    if (lacking !== null) return t.skip(lacking);
    const out = join(folder, 'emulated');
    const arms = ['h2', 'h3'].flatMap((arm) => ['--arm', `${arm}+crosstraffic=download`]);
    const loads = ['--sites', archive, '--network', 'cable,starlink', ...arms];
    const records = await wholeRun(out, loads);
    if (typeof records === 'string') return t.skip(records);
    assert.equal(records.length, 4);
    const { networks } = readEnvironment(out);
    const cable = networks.find(({ id }) => id === 'cable');
    assert.match(cable?.description ?? '', /Behind it the link between two machines$/);
    const delayed =
      cable?.checks.filter(({ quantity }) => quantity.includes('with the link behind it')) ?? [];
    assert.equal(delayed.length, 2);
    for (const { measured, ok } of delayed) assert.ok(ok && measured > 10, `${measured} ms`);
    requireMeasured(cable);
    for (const { trialId } of records) {
      const { raw } = readEvidence(join(out, 'trials', trialId));
      const [link] = raw.testbed?.links ?? [];
      assert.equal(link?.steady, false);
      assert.equal(raw.linkCourse !== undefined, link.id === 'starlink');
      assert.equal(raw.otherTraffic?.traffic, 'download', `${trialId}: the other client`);
      assert.ok((raw.linkQueue?.down.beside.bytes ?? 0) > 0, trialId);
      assert.ok(
        (raw.linkFlows ?? []).some(({ downPackets }) => downPackets > 0),
        `${trialId}: flows`,
      );
      assert.ok((raw.connectionStarts ?? []).length > 0, `${trialId}: first flights`);
    }
  });

  test('messages go to a server over there', async () => {
    const out = join(folder, 'messages');
    const plan = ['run', '--workload', 'messages-100b-30ms-x50', '--client', 'embedded', '--server', 'go'];
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

  test('an app that listens over there is measured behind a server over there, whose logs of connections are fetched', async () => {
    const app = join(folder, 'app.mjs');
    writeFileSync(
      app,
      `import { createServer } from 'node:http';
       const page = '<!doctype html><title>app</title><h1>hello</h1><script src="/app.js"></script>';
       createServer(({ url }, response) => {
         const type = url === '/app.js' ? 'text/javascript' : 'text/html';
         response.writeHead(200, { 'content-type': type }).end(url === '/app.js' ? '1' : page);
       }).listen(3000, process.argv[2]);`,
    );
    box.start(process.execPath, app, box.address);
    const out = join(folder, 'app');
    const words = [
      'run',
      '--app',
      `http://${box.address}:3000/`,
      '--client',
      'embedded',
      '--server',
      'caddy',
    ];
    const quick = [
      '--exploratory',
      '--quick-start',
      '--repetitions',
      '1',
      '--recorded',
      '1',
      '--probe',
      'qlog',
    ];
    const { code, stderr } = await runCli(
      [...words, ...quick, '--out', out, '--server-host', box.host],
      box.environment,
    );
    assert.equal(code, 0, stderr);
    const records = readRecords(out);
    assert.deepEqual([...new Set(records.map(({ status, reason }) => reason ?? status))], ['ok']);
    for (const { trialId } of records) {
      const { app: ledger } = readEvidence(join(out, 'trials', trialId)).raw;
      assert.deepEqual([ledger?.answered, ledger?.failures, ledger?.unended], [2, [], []], trialId);
    }
    // Of the one connection of each recorded trial over QUIC, and of no other.
    const logged = records.filter(({ artifacts }) => artifacts['qlog0'] !== undefined);
    assert.deepEqual(
      logged.map(({ arm, instrumentation }) => [arm, instrumentation]),
      [['h3', 'instrumented']],
    );
    assert.ok((logged[0]?.counters?.['quicPacketsSent'] ?? 0) > 0);
    await requireNothingLeft();
  });

  test('arms with a server or a proxy of their own take turns at the one address of the machine', async () => {
    const out = join(folder, 'turns');
    const arms = ['--arms', 'h2,h2+tls=1.2,h3+cpus=1,h3+proxy=envoy-h3'];
    const { code, stderr } = await runCli(far(...arms, '--repetitions', '2', '--out', out), box.environment);
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      readRecords(out).map(({ status, reason }) => reason ?? status),
      new Array<string>(8).fill('ok'),
    );
    for (const { trialId, factors } of readRecords(out)) {
      const { raw } = readEvidence(join(out, 'trials', trialId));
      // The browser has every CPU, but where its arm says how many.
      assert.deepEqual(raw.clientCpus, factors.cpus === '1' ? { asked: '0', had: '0' } : undefined);
    }
    await requireNothingLeft();
  });

  /** The long version is `npm run verify:far-kills`. */
  test('whatever is struck on either machine, nothing is left, no trial is lost or run twice, and a lost connection fails one trial alone', async () => {
    const result = await strikeFarRuns(box, {
      run: ['--workload', 'download-1mb', ...client, '--repetitions', '16'],
      names: shortStrikeNames,
      instants: shortStrikeNames.length,
      seed: 5,
      folder,
      goneLimitMs,
    });
    requireWithstood(result);
  });
});
