import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { startGuardedSite, type Answer } from '../support/guarded-site.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { ownAddress } from '../support/own-address.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const page: Answer = (_request, response) =>
  void response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<!doctype html><link rel=icon href="data:,"><title>page</title><p>text');

test('a live address is reached over a shaped path, which every connection shows', async (t) => {
  const address = ownAddress();
  if (address === undefined) return t.skip('this machine has no address but its loopback');
  if (process.getuid?.() !== 0) return t.skip('only root may lead a path out of its namespace');
  const reason = await namespaceLack();
  if (reason !== null) return t.skip(reason);
  const site = await startGuardedSite(t, page, { address, host: 'page.test' });
  const out = join(tempFolder(t), 'run');
  const { code, stderr } = await runCli([
    'run',
    '--url',
    site.url,
    '--ca',
    site.certificateFile,
    ...site.connectTo,
    '--client',
    'best',
    '--network',
    'cable',
    '--repetitions',
    '1',
    '--recorded',
    '0',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ]);
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  assert.ok(existsSync(join(out, 'journal.jsonl')), `exit code ${code}: ${stderr}`);
  const records = readRecords(out);
  const late = records.find(({ reason: why }) => machineWasLate(why));
  if (late !== undefined) return t.skip(late.reason);
  assert.equal(code, 0, `${stderr}\n${JSON.stringify(records.map(({ reason: why }) => why))}`);
  assert.deepEqual(records.map(({ arm, status, network }) => [arm, status, network]).toSorted(), [
    ['h2', 'ok', 'cable'],
    ['h3', 'ok', 'cable'],
  ]);
  for (const { trialId, metrics } of records) {
    const { links, roundTripMs } = readEvidence(join(out, 'trials', trialId)).raw.testbed ?? {};
    assert.equal(links?.[0]?.id, 'cable');
    assert.ok((links?.[0]?.checksPassed ?? 0) > 0, 'the path was checked before it was used');
    const connectMs = Number(metrics['connectMs']);
    assert.ok(
      connectMs >= 0.95 * Number(roundTripMs),
      `${connectMs} ms against a round trip of ${roundTripMs} ms`,
    );
  }
});
