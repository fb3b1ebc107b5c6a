import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { DoctorRow } from '../../harness/tools/doctor-row.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { readJournal } from '../../src/store/journal.ts';
import { processesWith, readEnvironment, readRecords, runCli, startCli } from '../support/cli.ts';
import { boxLack, startBox, translatorLack, type MachineInABox } from '../support/machine-in-a-box.ts';
import { killIfThere, waitUntil } from '../support/processes.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const lack = boxLack();
const limitMs = 60_000;
const browser = ['--client', 'embedded', '--server', 'caddy'];
const quick = ['--exploratory', '--quick-start', '--recorded', '0', '--repetitions', '1'];

describe('servers on one machine, clients on another, and h2h3 on a third', { skip: lack ?? false }, () => {
  const cleanups: (() => void)[] = [];
  const ownFolder = (): string => tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) });
  let serving: MachineInABox;
  let loading: MachineInABox;
  let folder = '';
  let hosts: readonly string[] = [];

  before(async () => {
    folder = ownFolder();
    serving = await startBox(ownFolder());
    loading = await startBox(ownFolder(), serving);
    hosts = ['--server-host', serving.host, '--client-host', loading.host];
  });
  after(async () => {
    await loading.stop();
    await serving.stop();
    cleanups.forEach((cleanup) => cleanup());
  });

  async function requireNothingLeft(): Promise<void> {
    await waitUntil(
      'nothing of it is over there',
      limitMs,
      () => serving.leftovers().length + loading.leftovers().length === 0,
    );
    await waitUntil(
      'no ssh runs here',
      limitMs,
      () => processesWith(loading.environment['PATH'] ?? '?').length === 0,
    );
  }

  /** The records of a run between both, all of which are valid, or why this machine could not make it. */
  async function wholeRun(
    out: string,
    words: readonly string[],
    trials: number,
  ): Promise<readonly TrialRecord[] | string> {
    const { code, stderr } = await runCli(
      ['run', ...words, ...browser, ...quick, ...hosts, '--out', out],
      loading.environment,
    );
    const refused = pathRefused(stderr);
    if (refused !== null) return refused;
    const records = readRecords(out);
    const late = records.find(({ reason }) => machineWasLate(reason));
    if (late !== undefined) return late.reason ?? '';
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      records.map(({ status, reason }) => reason ?? status),
      new Array<string>(trials).fill('ok'),
    );
    await requireNothingLeft();
    return records;
  }

  test('pages, uploads and broadcasts go by the link between both, and are proven by the server’s log on the client’s clock', async (t) => {
    const out = join(folder, 'real');
    const loads = ['--sites', 'page-landing', '--workload', 'upload-1mb,video-ci-1s-own-live-4s'];
    const records = await wholeRun(out, loads, 6);
    if (typeof records === 'string') return t.skip(records);
    for (const { trialId, metrics } of records) {
      const { raw } = readEvidence(join(out, 'trials', trialId));
      assert.ok((raw.serverLog?.length ?? 0) > 0, trialId);
      for (const name of ['serverCpuSeconds', 'cpuSeconds'])
        assert.ok(Number(metrics[name]) > 0, `${trialId}: ${name}`);
    }
    const { serverHost, clientHost, networks, pinning } = readEnvironment(out);
    assert.deepEqual([serverHost?.hostName, clientHost?.hostName], [serving.host, loading.host]);
    assert.deepEqual([pinning.browserCpus, pinning.serverCpus], [null, null]);
    const [link] = networks;
    assert.equal(link?.backend, 'real');
    assert.equal(link.realLink?.routers, 0, 'this machine is not between them');
    for (const figures of [link.realLink, link.realLinkAfter])
      assert.ok((figures?.upMbps ?? 0) > 1 && (figures?.udp?.down.mbps ?? 0) > 1, JSON.stringify(figures));
    const report = readFileSync(join(out, 'report.html'), 'utf8');
    assert.match(report, /server on a second machine/);
    assert.match(report, /client on a third machine/);
  });

  test('proxies have a machine of their own, next to arms without one', async (t) => {
    const out = join(folder, 'proxies');
    const plan = join(folder, 'proxies.json');
    const own = { server: serving.host, proxy: loading.host };
    writeFileSync(plan, JSON.stringify({ name: 'proxies', sites: ['page-landing'], hosts: own }));
    const arms = ['--arms', 'h3,h3+proxy=envoy-h3'];
    const { code, stderr } = await runCli(
      ['run', plan, ...arms, ...browser, ...quick, '--out', out],
      loading.environment,
    );
    if (/envoy.*unsupported/i.test(stderr)) return t.skip(stderr);
    assert.equal(code, 0, stderr);
    const records = readRecords(out);
    assert.deepEqual(records.map(({ arm, status, reason }) => `${arm}: ${reason ?? status}`).toSorted(), [
      'h3+proxy=envoy-h3: ok',
      'h3: ok',
    ]);
    for (const { trialId, factors } of records) {
      const { raw } = readEvidence(join(out, 'trials', trialId));
      assert.equal((raw.upstreamLog?.length ?? 0) > 0, factors.proxy !== undefined, trialId);
    }
    const { serverHost, proxyHost, networks } = readEnvironment(out);
    assert.deepEqual([serverHost?.hostName, proxyHost?.hostName], [serving.host, loading.host]);
    for (const id of ['host', 'host/host']) {
      const { realLink, realLinkAfter } = networks.find((network) => network.id === id) ?? {};
      assert.ok(
        (realLink?.upMbps ?? 0) > 1 && (realLinkAfter?.upMbps ?? 0) > 1,
        `${id}: ${JSON.stringify(networks)}`,
      );
    }
    const report = readFileSync(join(out, 'report.html'), 'utf8');
    assert.match(report, /server on a second machine/);
    assert.match(report, /proxy on a third machine/);
    await requireNothingLeft();
  });

  test('an emulated network on the client’s machine leads on to the server’s', async (t) => {
    const lacking = await translatorLack();
    if (lacking !== null) return t.skip(lacking);
    const out = join(folder, 'emulated');
    const records = await wholeRun(out, ['--sites', 'page-landing', '--network', 'cable'], 2);
    if (typeof records === 'string') return t.skip(records);
    const cable = readEnvironment(out).networks.find(({ id }) => id === 'cable');
    assert.match(cable?.description ?? '', /Behind it the link between two machines$/);
    for (const { quantity, measured, ok } of cable?.checks ?? [])
      if (quantity.includes('with the link behind it')) assert.ok(ok && measured > 10, `${measured} ms`);
    for (const { trialId } of records) {
      const { raw } = readEvidence(join(out, 'trials', trialId));
      assert.ok((raw.connectionStarts ?? []).length > 0, `${trialId}: first flights`);
    }
  });

  test('a connection that is lost to either machine fails one trial at the most, and the run goes on', async () => {
    const out = join(folder, 'lost');
    const words = ['--workload', 'download-1mb', ...browser, '--exploratory', '--quick-start'];
    const cli = startCli(
      ['run', ...words, '--recorded', '0', '--repetitions', '5', ...hosts, '--out', out],
      loading.environment,
    );
    // While it is written its last line may not be whole.
    const done = (): number => readJournal(join(out, 'journal.jsonl')).records.length;
    for (const [at, box] of [serving, loading].entries()) {
      await cli.until(`${3 * at + 2} trials are done`, () => done() >= 3 * at + 2);
      box.sessions().forEach(killIfThere);
      await cli.said(new RegExp(`the connection to ${box.host} was lost.*Connecting again`));
    }
    const { stderr } = await cli.result;
    const records = readRecords(out);
    assert.equal(records.length, 10, stderr);
    const failed = records.filter(({ status }) => status !== 'ok');
    assert.ok(failed.length <= 2, stderr);
    for (const { status, reason } of failed)
      assert.match(`${status}: ${reason}`, /^failed: .*(?:the connection to (?:far|beside)box|died|net::)/);
    await requireNothingLeft();
  });

  test('doctor asks both, and the link between them', async () => {
    const { code, stdout, stderr } = await runCli(['doctor', ...hosts, '--json'], loading.environment);
    assert.equal(code, 0, stderr);
    const { rows } = JSON.parse(stdout) as { readonly rows: readonly DoctorRow[] };
    const items = [
      `machine ${serving.host}`,
      `machine ${loading.host}`,
      `link from ${loading.host} to ${serving.host}`,
      `server Caddy on ${serving.host}`,
      `client embedded on ${loading.host}`,
    ];
    assert.deepEqual(
      items.map((item) => rows.find((row) => row.item === item)?.state),
      items.map(() => 'ok'),
    );
    await requireNothingLeft();
  });
});
