import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { DoctorRow } from '../../harness/tools/doctor-row.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { processesWith, readEnvironment, readRecords, runCli } from '../support/cli.ts';
import { boxLack, startBox, type MachineInABox } from '../support/machine-in-a-box.ts';
import { waitUntil } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const lack = boxLack();
const limitMs = 60_000;
const quick = ['--client', 'embedded', '--exploratory', '--quick-start', '--repetitions', '1'];

describe('clients on another machine', { skip: lack ?? false }, () => {
  const cleanups: (() => void)[] = [];
  const ownFolder = (): string => tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) });
  let box: MachineInABox;
  let folder = '';

  before(async () => {
    folder = ownFolder();
    box = await startBox(ownFolder());
  });
  after(async () => {
    await box.stop();
    cleanups.forEach((cleanup) => cleanup());
  });

  test('a page is loaded there from servers here, and its files are brought here', async () => {
    const out = join(folder, 'page');
    const words = ['run', '--sites', 'page-landing', '--server', 'caddy', ...quick, '--recorded', '1'];
    const { code, stderr } = await runCli(
      [...words, '--arms', 'h2,h3+cpus=1', '--client-host', box.host, '--out', out],
      box.environment,
    );
    assert.equal(code, 0, stderr);
    const records = readRecords(out);
    assert.deepEqual(
      records.map(({ network, status, reason }) => [network, reason ?? status]),
      new Array(4).fill(['host', 'ok']),
    );
    for (const { trialId, factors, instrumentation, metrics, artifacts } of records) {
      const { raw } = readEvidence(join(out, 'trials', trialId));
      assert.deepEqual(raw.clientCpus, factors.cpus === '1' ? { asked: '0', had: '0' } : undefined);
      assert.ok((raw.serverLog?.length ?? 0) > 0, trialId);
      for (const name of ['serverCpuSeconds', 'cpuSeconds'])
        assert.ok(Number(metrics[name]) > 0, `${trialId}: ${name}`);
      if (instrumentation === 'instrumented')
        assert.ok(readdirSync(join(out, artifacts['frames'] ?? 'none')).length > 0, trialId);
    }
    const { clientHost, clients, networks, pinning } = readEnvironment(out);
    assert.deepEqual([clientHost?.host, clientHost?.hostName], ['farbox', 'farbox']);
    assert.ok(Math.abs(clientHost?.clockOffsetMs ?? Number.NaN) <= (clientHost?.clockBoundMs ?? 0) + 5);
    assert.deepEqual([clientHost?.nic?.device, clientHost?.serverNic?.device], ['eth0', box.link]);
    // What sends uploads there: that kernel's own, which is this one's.
    const { sending } = clientHost?.nic ?? {};
    assert.equal(
      sending?.tcpCongestionControl,
      readFileSync('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8').trim(),
    );
    assert.ok((sending?.tcpSendBufferBytes ?? 0) > 0, JSON.stringify(sending));
    assert.match(clients[0]?.executableSha256 ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual([pinning.browserCpus, pinning.serverCpus], [null, null]);
    const [link] = networks;
    assert.equal(link?.backend, 'real');
    for (const figures of [link.realLink, link.realLinkAfter])
      assert.ok((figures?.upMbps ?? 0) > 1 && (figures?.udp?.down.mbps ?? 0) > 1, JSON.stringify(figures));
    const report = readFileSync(join(out, 'report.html'), 'utf8');
    assert.match(report, /client on a second machine/);
    assert.match(report, /Over the real link the client’s machine sends uploads by TCP [\w-]+, /);
    await waitUntil('nothing of it is over there', limitMs, () => box.leftovers().length === 0);
    await waitUntil(
      'no ssh runs here',
      limitMs,
      () => processesWith(box.environment['PATH'] ?? '?').length === 0,
    );
  });

  test('what is wrong is said before anything begins, and doctor says what is there', async () => {
    const out = join(folder, 'refused');
    const words = ['--workload', 'download-1mb', ...quick, '--client-host'];
    const run = (...more: readonly string[]) => runCli([...more], box.environment);
    const [unknown, missing, both, shaped, doctor, doctorOfTwo] = await Promise.all([
      run('run', ...words, `root@${box.address}`, '--out', out),
      run('run', ...words, box.host, '--out', out, '--client', 'opera'),
      run('run', ...words, box.host, '--out', out, '--server-host', box.host),
      run('plan', ...words, box.host, '--network', 'cable', '--set', 'crosstraffic=download'),
      run('doctor', '--client-host', box.host, '--json'),
      run('doctor', '--server-host', `root@${box.address}`, '--client-host', box.host, '--json'),
    ]);
    for (const { code, stderr } of [unknown, missing, both, shaped]) assert.equal(code, 3, stderr);
    assert.match(unknown.stderr, /cannot be used: (?:no sshd listens there|its host key is not known here)/);
    assert.match(missing.stderr, /on farbox: Opera is not on this machine/);
    assert.match(both.stderr, /farbox cannot have both the servers and the clients/);
    assert.match(shaped.stderr, /background traffic cannot be measured with clients on farbox/);
    assert.throws(() => readdirSync(out), { code: 'ENOENT' });
    assert.equal(doctor.code, 0, doctor.stderr);
    const { rows } = JSON.parse(doctor.stdout) as { readonly rows: readonly DoctorRow[] };
    const stateOf = (item: string): string | undefined => rows.find((row) => row.item === item)?.state;
    assert.deepEqual(['machine farbox', 'link to farbox', 'client embedded'].map(stateOf), [
      'ok',
      'ok',
      'ok',
    ]);
    // Of two machines each is asked, also where the other is not reached.
    assert.equal(doctorOfTwo.code, 3, doctorOfTwo.stderr);
    const { rows: ofTwo } = JSON.parse(doctorOfTwo.stdout) as { readonly rows: readonly DoctorRow[] };
    assert.deepEqual(
      [`machine root@${box.address}`, 'machine farbox', 'client embedded on farbox'].map(
        (item) => ofTwo.find((row) => row.item === item)?.state,
      ),
      ['missing', 'ok', 'ok'],
    );
  });
});
