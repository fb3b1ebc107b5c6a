import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { skipsWithout } from '../support/clients-here.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { rawTrialSchema, type RawTrial } from '../../src/core/model/raw-trial.ts';
import { processesWith, readEnvironment, readRecords, runCli, runCliHere, startCli } from '../support/cli.ts';
import { goneLimitMs, waitUntil } from '../support/processes.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const slowBothWays = {
  rateMbps: 10,
  queueBytes: 200_000,
  delayMs: 25,
};

function readRaw(out: string, trialId: string): RawTrial {
  const file = join(out, 'trials', trialId, 'raw.json.gz');
  const stored = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { readonly raw: unknown };
  return rawTrialSchema.parse(stored.raw);
}

function environmentOf(out: string) {
  return readEnvironment(out);
}

/** Devices and processes of a path that are still there. */
function leftOver(pid: number | undefined): string[] {
  const devices = readdirSync('/sys/class/net').filter((name) => name.startsWith('h2h3'));
  return [...processesWith(`H2H3_RUN_ID=${pid}-`), ...devices];
}

/** Devices are named alike by every run of this machine, and stand in the host for a moment while another makes a path. */
async function goneOf(pid: number | undefined): Promise<void> {
  await waitUntil('nothing is left', goneLimitMs, () => leftOver(pid).length === 0);
}

test('a page loads over a network of a plan file, unlike both ways and with a trace, in Chromium and Firefox', async (t) => {
  if (await skipsWithout(t, 'firefox')) return;
  const reason = await namespaceLack();
  if (reason !== null) return t.skip(reason);
  const folder = tempFolder(t);
  const trace = join(folder, 'steps.trace');
  writeFileSync(trace, '0 8\n1 12\n2 10\n3 9\n');
  const file = join(folder, 'plan.yaml');
  const lopsided = {
    up: { ...slowBothWays, rateMbps: 2 },
    down: { trace: { format: 'seconds-mbps', file: 'steps.trace' }, queueBytes: 200_000, delayMs: 10 },
  };
  writeFileSync(
    file,
    JSON.stringify({
      workloads: ['page-landing'],
      networks: ['lopsided'],
      arms: ['embedded:h2', 'firefox:h3'],
      repetitions: 1,
      exploratory: true,
      customNetworks: { lopsided },
    }),
  );
  const out = join(folder, 'run');
  const { code, stderr } = await runCli(['run', file, '--out', out]);
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  const records = readRecords(out);
  const faults = records.filter(({ status, reason: why }) => status !== 'ok' && !machineWasLate(why));
  assert.deepEqual(
    faults.map(({ trialId, reason: why }) => [trialId, why]),
    [],
    stderr,
  );
  assert.ok(code === 0 || code === 4, stderr);
  for (const record of records) {
    assert.ok((record.counters?.['emulatorDownPackets'] ?? 0) > 0, `${record.trialId}: nothing crossed`);
    if (record.status !== 'ok') continue;
    const protocol = record.arm.replace(/^.*:/, '');
    assert.deepEqual(record.metrics.protocolShare, { [protocol]: 1 }, record.trialId);
    // A handshake takes a round trip of 35 ms at least.
    assert.ok((record.metrics.ttfbMs ?? 0) >= 34, record.trialId);
    const { linkFlows = [], serverLog } = readRaw(out, record.trialId);
    const transport = protocol === 'h3' ? 'udp' : 'tcp';
    const named = new Set((serverLog ?? []).map(({ connection }) => connection));
    const carried = linkFlows.filter((flow) => flow.transport === transport);
    assert.ok(
      carried.some(({ clientPort, downBytes }) => named.has(String(clientPort)) && downBytes > 10_000),
      `${record.trialId}: the link counted the flow that the server's log names`,
    );
    assert.ok(
      linkFlows.every((flow) => flow.transport === transport || flow.downPackets < 64),
      `${record.trialId}: ${JSON.stringify(linkFlows)}`,
    );
  }
  const [network] = environmentOf(out).networks;
  assert.ok(network);
  assert.equal(network.impaired, true);
  assert.ok(
    network.checks.length >= 10 && network.checks.every(({ ok }) => ok),
    JSON.stringify(network.checks),
  );
  for (const quantity of ['round-trip time', 'one-way delay', 'rate, UDP at 110 %', 'rate, TCP reno'])
    for (const direction of ['up', 'down'])
      assert.ok(
        network.checks.some((check) => check.quantity === quantity && check.direction === direction),
        `${quantity} ${direction}`,
      );
  const delay = (direction: string): number =>
    network.checks.find((check) => check.direction === direction && check.quantity === 'one-way delay')
      ?.measured ?? 0;
  assert.ok(delay('up') > 24 && delay('down') < 13, `${delay('up')} up, ${delay('down')} down`);
  assert.equal(network.spec?.up.rateMbps, 2);
  assert.ok(network.spec?.down.trace?.format === 'seconds-mbps' && network.spec.down.trace.file === trace);
  await goneOf(undefined);
});

test('after SIGKILL nothing of a path is left', async (t) => {
  const reason = await namespaceLack();
  if (reason !== null) return t.skip(reason);
  const out = join(tempFolder(t), 'run');
  const cli = startCli([
    'run',
    '--workload',
    'page-landing',
    '--network',
    'liu-10mbit-25ms-0pct',
    '--repetitions',
    '2',
    '--exploratory',
    '--out',
    out,
  ]);
  const { pid } = cli.child;
  await cli.until('it had a path', () =>
    processesWith(`H2H3_RUN_ID=${pid}-`).some((line) => line.includes('path-emulator')),
  );
  cli.child.kill('SIGKILL');
  await cli.result;
  await goneOf(pid);
});

test('impossible figures and traces are refused before anything is made', async (t) => {
  const folder = tempFolder(t);
  const out = join(folder, 'run');
  const empty = join(folder, 'empty.trace');
  const broken = join(folder, 'broken.trace');
  const still = join(folder, 'still.trace');
  writeFileSync(empty, '');
  writeFileSync(broken, '0 10\n1 fast\n');
  writeFileSync(still, '0 0\n1 0\n');
  const withTrace = (file: string): object => ({
    trace: { format: 'seconds-mbps', file },
    queueBytes: 100_000,
  });
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ ...slowBothWays, rateMbps: -1 }, /customNetworks\.x\.down\.rateMbps/],
    [{ ...slowBothWays, lossPercent: 101 }, /lossPercent/],
    [{ rateMbps: 10 }, /needs a queue/],
    [{ ...slowBothWays, jitterMs: 60 }, /jitter cannot exceed/],
    [withTrace(empty), /empty\.trace: the trace is empty/],
    [withTrace(broken), /broken\.trace:2.*got "1 fast"/],
    [withTrace(still), /has no rate/],
    [withTrace(join(folder, 'none.trace')), /cannot be read/],
  ];
  for (const [down, expected] of cases) {
    const file = join(folder, 'plan.json');
    const customNetworks = { x: { up: slowBothWays, down } };
    writeFileSync(
      file,
      JSON.stringify({ workloads: ['download-1mb'], networks: ['x'], exploratory: true, customNetworks }),
    );
    const { code, stderr } = await runCliHere(['run', file, '--out', out]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, expected);
  }
  assert.ok(!existsSync(out), 'a run directory was made');
});
