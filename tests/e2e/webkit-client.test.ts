import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { projectDir, readRecords, runCli, runCliHere } from '../support/cli.ts';
import { startGuardedSite } from '../support/guarded-site.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('WebKit loads a live page over HTTP/2, as its server saw too, and says that it has no HTTP/3', async (t) => {
  const lacking = await resolveClient('webkit', await createSetupContext({ projectDir })).catch(
    (thrown: unknown) => thrown,
  );
  if (lacking instanceof H2h3Error) return t.skip(`${lacking.message}: ${lacking.next}`);
  const site = await startGuardedSite(t, ({ url }, response) => {
    if (url === '/dot.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end('document.title');
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        '<!doctype html><link rel=icon href="data:,"><title>own</title><h1>text</h1><script src="/dot.js"></script>',
      );
  });
  const out = join(tempFolder(t), 'run');
  const words = ['run', '--client', 'webkit', '--url', site.url, '--ca', site.certificateFile];
  const rest = ['--repetitions', '1', '--recorded', '0', '--exploratory', '--quick-start', '--out', out];
  const both = await runCliHere([...words, ...rest]);
  assert.equal(both.code, 2);
  assert.match(both.stderr, /WebKitGTK speaks no HTTP\/3: libsoup, its network library, has none/);
  const { code, stderr } = await runCli([...words, '--arms', 'h2', ...rest]);
  const records = readRecords(out);
  assert.equal(code, 0, `${stderr}\n${JSON.stringify(records)}`);
  const [{ status, metrics, warnings = [] } = {}] = records;
  assert.deepEqual([records.length, status], [1, 'ok']);
  assert.deepEqual(metrics?.protocolShare, { h2: 1 });
  assert.equal(metrics['objectCount'], 2);
  assert.ok(Number(metrics['pltMs']) > 0 && Number(metrics['ttfbMs']) > 0);
  assert.ok(warnings.some((line) => line.startsWith('WebKit gives no frames')));
  const own = site.seen.filter(({ headers }) =>
    /WebKit\/.*(?<!Chrome.*)Safari/.test(headers['user-agent'] ?? ''),
  );
  assert.ok(own.some(({ url }) => url === '/dot.js'));
  for (const { headers } of own)
    assert.equal(headers['via'], '2.0 Caddy', 'what the server says it came over');
});
