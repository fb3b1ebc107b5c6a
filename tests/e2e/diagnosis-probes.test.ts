import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { skipsWithout } from '../support/clients-here.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { slowness } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function recordsWith(t: TestContext, out: string, ...flags: string[]): Promise<TrialRecord[]> {
  const { stderr } = await runCli([
    'run',
    '--workload',
    'download-100kb',
    '--repetitions',
    '1',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
    ...flags,
  ]);
  const records = readRecords(out).filter(({ instrumentation }) => instrumentation === 'instrumented');
  assert.ok(records.length > 0, stderr);
  for (const { status, reason } of records) assert.equal(status, 'ok', reason);
  t.diagnostic(records.flatMap(({ warnings }) => warnings).join('\n'));
  return records;
}

/** Packets that tshark finds in a capture. */
const packetsIn = (file: string, filter: string): number =>
  execFileSync('tshark', ['-r', file, '-Y', filter, '-T', 'fields', '-e', 'frame.number'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .split('\n')
    .filter((line) => line !== '').length;

test('Chromium’s net log, its trace and a capture that tshark reads lie beside a valid trial', async (t) => {
  const place = { platform: process.platform, environment: process.env };
  const found = await Promise.all(['tshark', 'dumpcap', 'editcap'].map((name) => findOnPath(name, place)));
  if (found.includes(undefined)) return t.skip('no tshark (Debian: h2h3 setup --system)');
  const out = join(tempFolder(t), 'run');
  const probes = ['--client', 'embedded', '--probe', 'net-log,trace,capture,acknowledgements'];
  const records = await recordsWith(t, out, ...probes);
  for (const { arm, artifacts, counters = {}, warnings } of records) {
    const fileOf = (name: string): string => join(out, artifacts[name] ?? assert.fail(`${arm}: no ${name}`));
    const log = gunzipSync(readFileSync(fileOf('netLog'))).toString();
    assert.equal(log.includes('QUIC_SESSION_PACKET_RECEIVED'), true);
    assert.ok(!warnings.some((line) => line.includes('cut short')), warnings.join());
    assert.equal((counters['netLogQuicPacketsReceived'] ?? 0) > 50, arm === 'h3', JSON.stringify(counters));
    assert.equal((counters['netLogHttp2DataFrames'] ?? 0) > 0, arm === 'h2', JSON.stringify(counters));
    const { traceEvents } = JSON.parse(gunzipSync(readFileSync(fileOf('trace'))).toString()) as {
      readonly traceEvents: readonly { readonly args?: { readonly name?: string } }[];
    };
    const processes = traceEvents.flatMap(({ args }) => args?.name ?? []);
    assert.ok(
      processes.some((name) => /network/i.test(name)),
      'tasks of the network service are in the trace',
    );
    // Over loopback, where nothing but the programs takes time.
    const waitMs = counters['packetToAckMs'] ?? assert.fail(`${arm}: ${warnings.join()}`);
    assert.ok(waitMs > 0 && waitMs < 1000 * slowness(), `${waitMs} ms`);
    const decrypted = packetsIn(fileOf('capture'), arm === 'h3' ? 'http3' : 'http2');
    assert.ok(decrypted > 0, `${arm}: tshark decrypts nothing; ${warnings.join()}`);
    assert.ok(!warnings.some((line) => line.includes('last packets')), warnings.join());
    assert.match(readFileSync(fileOf('keys'), 'utf8'), /TRAFFIC_SECRET_0 /);
    assert.equal(dirname(fileOf('capture')), dirname(fileOf('har')));
  }
});

test('Firefox’s log and its profile lie beside a valid trial', async (t) => {
  if (await skipsWithout(t, 'firefox')) return;
  const out = join(tempFolder(t), 'run');
  const flags = ['--client', 'firefox', '--arms', 'h2,h3', '--probe', 'firefox-log,firefox-profile,trace'];
  for (const { arm, artifacts, counters = {}, warnings } of await recordsWith(t, out, ...flags)) {
    assert.match(warnings.join('\n'), /the probe trace recorded nothing: .*gives no trace/);
    const sessions = (protocol: string): number => counters[`firefoxLogHttp${protocol}Sessions`] ?? 0;
    assert.deepEqual(
      [sessions('2') > 0, sessions('3') > 0],
      [arm === 'h2', arm === 'h3'],
      JSON.stringify(counters),
    );
    const file = join(out, artifacts['firefoxProfile'] ?? assert.fail(`${arm}: ${warnings.join()}`));
    const { threads, processes } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
      readonly threads: readonly { readonly name: string }[];
      readonly processes: readonly unknown[];
    };
    assert.ok(threads.some(({ name }) => name === 'Socket Thread'));
    assert.ok(processes.length > 0, 'content processes are in the profile');
  }
});

test('a client that can do none of it says so, and its trial is valid', async (t) => {
  const out = join(tempFolder(t), 'run');
  const [record] = await recordsWith(
    t,
    out,
    '--client',
    'aioquic',
    '--arms',
    'h3',
    '--probe',
    'net-log,trace,firefox-log,firefox-profile,kernel,context-switches,qlog,capture',
  );
  const said = record?.warnings.join('\n') ?? '';
  assert.match(said, /the probe net-log recorded nothing: .*writes no net log/);
  assert.match(said, /the probe trace recorded nothing: .*gives no trace/);
  assert.match(said, /the probe firefox-log recorded nothing: .*no log of Firefox’s modules/);
  assert.match(said, /the probe firefox-profile recorded nothing: .*no Firefox profile/);
  assert.match(
    said,
    /the probe kernel recorded nothing: .*shares its network interface.*--network fiber-300/,
  );
  // Without dumpcap that is what it says; with it there is a capture that nobody can read without keys.
  assert.match(said, /there is no dumpcap|writes no secrets .*cannot be decrypted; browsers, curl/);
  assert.equal(record?.artifacts['keys'], undefined);
  const logged = record?.artifacts['clientQlog0'] ?? assert.fail('aioquic logs its connection');
  assert.match(
    gunzipSync(readFileSync(join(out, logged))).toString(),
    /"name": ?"transport:packet_received"/,
  );
  assert.ok((record?.counters?.['contextSwitches'] ?? 0) > 0, 'what needs nothing is counted');
});
