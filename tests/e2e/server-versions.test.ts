import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { serverNamed } from '../../harness/servers/registry.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { skipsWithout } from '../support/clients-here.ts';
import { projectDir, readEnvironment, readRecords, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const setup = await createSetupContext({ projectDir });

/** Why this machine cannot have one of them; undefined where it has all. */
async function unsupportedReason(names: readonly string[]): Promise<string | undefined> {
  try {
    for (const name of names) await serverNamed(name)?.ensure(setup);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof H2h3Error && ['unsupported', 'usage'].includes(thrown.code)) return thrown.message;
    throw thrown;
  }
}

/** One block of a small download, by the server's log; that a browser records such servers too, `server-protocols.test.ts` tells. */
function runOf(arms: string, out: string): ReturnType<typeof runCli> {
  const plan = [
    '--workload',
    'download-1mb',
    '--arms',
    arms,
    '--repetitions',
    '1',
    '--exploratory',
    '--quick-start',
  ];
  return runCli(['run', ...plan, '--recorded', '0', '--out', out]);
}

function requireAllOk(out: string): void {
  for (const { arm, status, reason } of readRecords(out))
    assert.equal(status, 'ok', `${arm}: ${reason ?? ''}`);
}

test('two versions of nginx are arms of one run, and each trial names the version that answered', async (t) => {
  const reason = await unsupportedReason(['nginx@1.26', 'nginx@1.30']);
  if (reason !== undefined) return t.skip(reason);
  const out = join(tempFolder(t), 'run');
  const arms = ['nginx@1.26', 'nginx@1.30'].flatMap((server) => [
    `h2+server=${server}`,
    `h3+server=${server}`,
  ]);
  const run = await runOf(arms.join(','), out);
  assert.equal(run.code, 0, run.stderr);
  const { servers } = readEnvironment(out);
  const found = new Map(servers.map((server) => [server.id, server]));
  const [older, newer] = ['nginx@1.26', 'nginx@1.30'].map((id) => found.get(id));
  assert.match(older?.version ?? '', /^1\.26\./);
  assert.match(newer?.version ?? '', /^1\.30\./);
  assert.deepEqual([older?.quicCongestionControl, newer?.quicCongestionControl], ['reno', 'cubic']);
  for (const server of [older, newer]) assert.ok(server?.quicCongestionControlReadBack, server?.id);
  const records = readRecords(out);
  assert.deepEqual(new Set(records.map(({ arm }) => arm)), new Set(arms));
  for (const record of records) {
    assert.equal(record.status, 'ok', `${record.arm}: ${record.reason ?? ''}`);
    assert.ok(record.arm.endsWith(`server=${record.server}`));
  }
  assert.match(run.stdout + run.stderr, /from nginx 1\.30/);
});

test('HAProxy 3.2 answers over both protocols, with BBR too', async (t) => {
  const reason = await unsupportedReason(['haproxy@3.2']);
  if (reason !== undefined) return t.skip(reason);
  const out = join(tempFolder(t), 'run');
  const arms = 'h2+server=haproxy@3.2,h3+server=haproxy@3.2,h3+congestion=bbr+server=haproxy@3.2';
  const run = await runOf(arms, out);
  assert.equal(run.code, 0, run.stderr);
  requireAllOk(out);
});

test('ngtcp2 sends to a program with CUBIC and with BBR, each request in its log', async (t) => {
  const reason = await unsupportedReason(['ngtcp2']);
  if (reason !== undefined) return t.skip(reason);
  if (await skipsWithout(t, 'quic-go')) return;
  const out = join(tempFolder(t), 'run');
  const sent = await runOf('quic-go:h3+server=ngtcp2,quic-go:h3+congestion=bbr+server=ngtcp2', out);
  assert.equal(sent.code, 0, sent.stderr);
  requireAllOk(out);
});

test('tquic sends to a program with CUBIC and with BBRv3, each request in its log', async (t) => {
  // Building it takes longer than a test may.
  if ((await serverNamed('tquic')?.find(setup)) === undefined)
    return t.skip('tquic was not built here: a run with server=tquic builds it');
  if (await skipsWithout(t, 'quic-go')) return;
  const out = join(tempFolder(t), 'run');
  const sent = await runOf('quic-go:h3+server=tquic,quic-go:h3+congestion=bbr3+server=tquic', out);
  assert.equal(sent.code, 0, sent.stderr);
  requireAllOk(out);
});
