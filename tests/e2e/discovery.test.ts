import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { LostQuestions } from '../../harness/testbed/lost-questions.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import type { RawTrial } from '../../src/core/model/raw-trial.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRecords, readRunFile, runCli } from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a first visit comes over HTTP/3 only where an HTTPS record says so, by the server’s log', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const out = join(tempFolder(t), 'run');
  const words = ['run', '--workload', 'page-landing', '--client', 'best', '--network', 'cable'];
  const { stderr } = await runCli([
    ...words,
    '--arms',
    'auto+discovery=alt-svc,auto+discovery=https-record',
    '--quick-start',
    '--repetitions',
    '1',
    '--recorded',
    '0',
    '--exploratory',
    '--out',
    out,
  ]);
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  const records = readRecords(out);
  assert.equal(records.length, 2, stderr);
  let isLate = false;
  for (const { trialId, status, reason, factors, metrics } of records) {
    assert.ok(status === 'ok' || machineWasLate(reason), `${factors.discovery}: ${reason}`);
    const { raw } = readEvidence(join(out, 'trials', trialId));
    assert.ok(raw.discovery?.questions.some(({ type, found }) => type === 'A' && found));
    const first = raw.serverLog?.toSorted((a, b) => a.startEpochMs - b.startEpochMs)[0];
    const byRecord = factors.discovery === 'https-record';
    if (byRecord && first?.protocol !== 'h3') {
      // A browser that hears nothing over QUIC for 0.3 s, because one of both ends has no CPU, goes on over TCP.
      requireQuicFirst(raw);
      isLate = true;
      continue;
    }
    assert.equal(first?.protocol, byRecord ? 'h3' : 'h2', factors.discovery);
    if (byRecord && metrics['firstVisitH3Share'] !== 1) isLate = true;
    else assert.equal(metrics['firstVisitH3Share'] === 1, byRecord, String(metrics['firstVisitH3Share']));
  }
  if (isLate) t.skip('the machine was late: the first visit by the record did not wait for all of HTTP/3');
});

/** By the link, the browser asked the server over QUIC before it did over TCP. */
function requireQuicFirst({ linkFlows = [], serverLog = [] }: RawTrial): void {
  const quic = linkFlows.find(({ transport }) => transport === 'udp');
  const told = JSON.stringify([linkFlows, serverLog]);
  assert.ok(quic?.firstMs !== undefined, told);
  const tcp = linkFlows.filter(
    ({ transport, serverPort }) => transport === 'tcp' && serverPort === quic.serverPort,
  );
  for (const { firstMs = NaN } of tcp) assert.ok(firstMs > quic.firstMs, told);
}

test('a resolver that loses questions loses the same ones of both arms, by the seed of the block, and says which', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const out = join(tempFolder(t), 'run');
  const losing = 'resolver=loses-30%';
  const arms = ['https-record', 'alt-svc'].map((way) => `auto+discovery=${way}+${losing}`).join(',');
  const words = ['run', '--workload', 'page-landing', '--client', 'best', '--network', 'cable'];
  const more = ['--repetitions', '2', '--recorded', '0', '--quick-start', '--exploratory'];
  // Of the first block it loses records alone, of the second an address: a browser waits for that for many seconds.
  const { stderr } = await runCli([...words, '--arms', arms, ...more, '--seed', '30', '--out', out]);
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  const records = readRecords(out);
  assert.equal(records.length, 4, stderr);
  const { trials } = JSON.parse(readRunFile(out, 'plan.json')) as Plan;
  for (const { trialId, arm, status, reason } of records) {
    const seed = trials.find((trial) => trial.trialId === trialId)?.blockSeed ?? Number.NaN;
    const { discovery } = readEvidence(join(out, 'trials', trialId)).raw;
    const questions = discovery?.questions ?? [];
    assert.ok(questions.length > 0, arm);
    const expected = new LostQuestions(30);
    for (const { name: host, type, lost: isLost } of questions)
      assert.equal(isLost, expected.next({ seed, visit: trialId, host, type }), `${arm}: ${type} ${host}`);
    const lostHere = questions.filter(({ lost: isLost }) => isLost === true).length;
    assert.ok(lostHere > 0, `${arm}: a seed by which each block loses something`);
    if (status === 'failed' && lostHere > 0)
      assert.match(reason ?? '', /questions about names got no answer/, arm);
    const answered = questions.some(
      ({ type, found, lost: isLost }) => type === 'A' && found && isLost === false,
    );
    if (!answered) assert.equal(status, 'failed', `${arm} without an address`);
    else assert.ok(status === 'ok' || status === 'failed' || machineWasLate(reason), `${arm}: ${reason}`);
  }
});
