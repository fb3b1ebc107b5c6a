import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRecords, runCli } from '../support/cli.ts';
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
  for (const { trialId, status, reason, factors, metrics } of records) {
    assert.ok(status === 'ok' || machineWasLate(reason), `${factors.discovery}: ${reason}`);
    const { raw } = readEvidence(join(out, 'trials', trialId));
    const first = raw.serverLog?.toSorted((a, b) => a.startEpochMs - b.startEpochMs)[0];
    const byRecord = factors.discovery === 'https-record';
    assert.equal(first?.protocol, byRecord ? 'h3' : 'h2', factors.discovery);
    assert.ok(raw.discovery?.questions.some(({ type, found }) => type === 'A' && found));
    assert.equal(metrics['firstVisitH3Share'] === 1, byRecord, String(metrics['firstVisitH3Share']));
  }
});
