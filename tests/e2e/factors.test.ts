import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { summarySchema } from '../../src/model/summary.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('two servers by two clients: every trial is proven, says what was set, and the report names what differs', async (t) => {
  const out = join(tempFolder(t), 'run');
  const arms = ['curl:h2+server=caddy', 'curl:h2+server=nginx', 'curl:h3+server=nginx'];
  const flagged = ['--arm', 'embedded:h2+server=caddy+flags=--enable-features=A,B'];
  const { stderr, stdout } = await runCli([
    ...['run', '--workload', 'download-100kb', '--arms', arms.join(','), ...flagged],
    ...['--repetitions', '1', '--exploratory', '--out', out],
  ]);
  const records = readRecords(out);
  assert.equal(records.length, 4, stderr);
  const nginxLacks =
    records.find(({ server, client }) => server === 'nginx' && client === 'curl')?.reason ?? '';
  if (/nginx.* (?:is not|cannot be had)/i.test(nginxLacks)) t.diagnostic(nginxLacks);
  for (const { trialId, status, reason, factors, metrics, warnings } of records) {
    // The curl of this machine may be built without HTTP/3: then that, and nothing else, is said.
    if (factors.protocol === 'h3' && status === 'unsupported') {
      assert.match(reason ?? '', /curl .* speaks no HTTP\/3/);
      continue;
    }
    assert.equal(status, 'ok', `${JSON.stringify(factors)}: ${reason}`);
    const { raw, har } = readEvidence(join(out, 'trials', trialId));
    assert.equal(raw.testbed?.server.id, factors.server);
    assert.ok(raw.serverLog?.every(({ protocol }) => protocol === factors.protocol));
    const entries = har?.log.entries ?? [];
    assert.ok(
      entries.length > 0 && entries.every(({ response }) => response.httpVersion === factors.protocol),
    );
    // Fetching 100 KB takes curl less than the hundredth of a second that the operating system counts in.
    const cpuSeconds = metrics['cpuSecondsByProcess'] as Record<string, number>;
    assert.ok(
      (cpuSeconds['network'] ?? 0) > 0 || warnings.some((text) => /too little to be counted/.test(text)),
      `${JSON.stringify(cpuSeconds)}, ${warnings.join('; ')}`,
    );
  }
  const summary = summarySchema.parse(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')));
  const [first] = summary.comparisons;
  assert.deepEqual([first?.client, first?.server], ['by-arm', 'by-arm']);
  assert.equal(first?.candidate.factors?.server, 'nginx');
  assert.match(stdout.replace(/\s+/g, ' '), /over HTTP\/2 in curl: undecided between nginx and caddy/);
});
