import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readRaw } from '../../src/store/evidence.ts';
import { lightBrowser, readRecords, runCli, runCliHere } from '../support/cli.ts';
import { harEntry } from '../support/imported-file.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { wirePaths } from '../support/wire-paths.ts';

test('addresses of every form are replayed from a HAR as they stand on the wire, and proven in all blocks', async (t) => {
  const folder = tempFolder(t);
  const origin = 'https://wire.test';
  const written = JSON.stringify(wirePaths.map(([path]) => path));
  const page = `<!doctype html><meta charset=utf-8><title>wire</title><link rel=icon href="data:,"><script>
for (const path of ${written}) fetch(location.origin + path);
</script>`;
  const sent = [...new Set(wirePaths.map(([, path]) => path))].filter((path) => path !== '/');
  const entries = [
    harEntry({ url: `${origin}/`, body: page, resourceType: 'document' }),
    ...sent.map((path, index) =>
      harEntry({ url: origin + path, type: 'text/plain', body: `answer to ${path}`, atSeconds: 1 + index }),
    ),
  ];
  const har = join(folder, 'wire.har');
  writeFileSync(har, JSON.stringify({ log: { creator: { name: 'test' }, entries } }));
  const archive = join(folder, 'archive');
  const imported = await runCliHere(['record', '--from-har', har, '--page', `${origin}/`, '--out', archive]);
  assert.equal(imported.code, 0, imported.stderr);
  const out = join(folder, 'run');
  const blocks = ['--repetitions', '1', '--recorded', '1', '--exploratory', '--quick-start', ...lightBrowser];
  const { stderr } = await runCli([
    'run',
    '--sites',
    archive,
    '--network',
    'loopback',
    ...blocks,
    '--out',
    out,
  ]);
  const records = readRecords(out);
  assert.equal(records.length, 4, stderr);
  for (const { arm, instrumentation, status, reason, artifacts, metrics } of records) {
    assert.equal(status, 'ok', `${arm} ${instrumentation}: ${reason}`);
    const { serverLog, ledger } = readRaw(dirname(join(out, String(artifacts['raw']))));
    const asked = new Set(serverLog?.map(({ path }) => path));
    assert.deepEqual(
      sent.filter((path) => !asked.has(path)),
      [],
      `${arm} ${instrumentation}: ${JSON.stringify([metrics['replayMissShare'], ledger])}`,
    );
    for (const { path, status: answered } of serverLog ?? []) assert.equal(answered, 200, path);
  }
});
