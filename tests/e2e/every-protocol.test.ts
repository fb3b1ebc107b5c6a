import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { test } from 'node:test';
import { renderHar } from '../../reports/har/render-har.ts';
import type { Har } from '../../src/core/model/har.ts';
import { sessionEndPath } from '../../src/core/model/session-end.ts';
import { skipsWithout } from '../support/clients-here.ts';
import { readPlan, readRecords, readSummary, runCli, runCliHere } from '../support/cli.ts';
import { har12Schema } from '../support/har-schema.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('pages and downloads run over every protocol in Chromium and Firefox, proven object by object', async (t) => {
  if (await skipsWithout(t, 'firefox')) return;
  const out = join(tempFolder(t), 'run');
  const { code, stderr, stdout } = await runCli([
    'run',
    '--workload',
    // Of a larger body Firefox may lose what a page reads too slowly over HTTP/2 (docs/limits.md).
    'page-landing,download-500kb',
    '--exploratory',
    '--quick-start',
    '--arms',
    'h1,h2,h3',
    '--client',
    'best,firefox',
    '--repetitions',
    '1',
    '--out',
    out,
  ]);
  assert.equal(code, 0, stderr);
  const records = readRecords(out);
  assert.equal(records.length, 2 * 2 * 3 * 2, 'each once timed and once recorded');
  assert.deepEqual(
    records.filter(({ status }) => status !== 'ok').map(({ trialId, reason }) => [trialId, reason]),
    [],
  );
  assert.deepEqual(
    records.map(({ trialId }) => trialId),
    readPlan(out).trials.map(({ trialId }) => trialId),
  );
  const alpn: Readonly<Record<string, string>> = { h1: 'http/1.1', h2: 'h2', h3: 'h3' };
  for (const record of records) {
    assert.deepEqual(record.metrics.protocolShare, { [record.arm]: 1 }, record.trialId);
    const har = JSON.parse(
      gunzipSync(readFileSync(join(out, record.artifacts['har'] ?? ''))).toString(),
    ) as Har;
    // The browser may be ended before the answer to a session's last word has come.
    const entries = har.log.entries.filter(({ request }) => !request.url.endsWith(sessionEndPath));
    assert.ok(entries.length > 0, record.trialId);
    har12Schema.parse(JSON.parse(renderHar(har)));
    if (record.workload === 'page-landing')
      assert.ok((record.metrics['connectMs'] ?? 0) > 0, `${record.trialId} connected ahead of its request`);
    assert.deepEqual(
      [...new Set(entries.map((entry) => entry.response.httpVersion))],
      [alpn[record.arm]],
      record.trialId,
    );
  }
  for (const name of ['plan.json', 'environment.json', 'journal.jsonl', 'summary.json', 'report.html'])
    assert.ok(existsSync(join(out, name)), name);
  const summary = readSummary(out);
  assert.equal(summary.trials.ok, records.length);
  assert.match(stdout, /report: /);
  const recomputed = await runCliHere(['analyse', out, '--recompute']);
  assert.equal(recomputed.code, 0, recomputed.stderr);
  assert.match(recomputed.stderr, /recomputed 24 trials: all agree/);
});
