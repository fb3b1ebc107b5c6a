import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { caddy } from '../../harness/servers/caddy.ts';
import { serverProvider } from '../../harness/servers/server-kit.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runTrialWorker, trialOrder } from '../support/trial-rig.ts';
import { writeTwoHostSite } from '../support/two-host-site.ts';
import { markedEnvironment } from '../support/test-scope.ts';

interface NetworkRequests {
  readonly audits: {
    readonly 'network-requests': { readonly details: { readonly items: readonly { protocol: string }[] } };
  };
}

test('Lighthouse audits the page over the arm’s protocol in a navigation after the measured one', async (t) => {
  const setup = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
  const { cache } = setup;
  const certificates = await openCertificateStore({ cache });
  const folder = tempFolder(t);
  const port = await choosePort(undefined);
  const { roots, objects } = writeTwoHostSite(folder, port, 4);
  const server = await serverProvider(caddy, setup).start({
    roots,
    address: '127.0.0.1',
    port,
    certificates,
    workDir: path.join(folder, 'server'),
    launchPrefix: [],
    environment: markedEnvironment(),
  });
  t.after(() => server.stop());
  const client = await resolveClient('best', setup);
  const { spkiHash } = certificates;
  const order = trialOrder({
    folder,
    client,
    server,
    spkiHash,
    roots,
    host: 'page.test',
    changes: { protocol: 'h3', probes: ['har', 'lighthouse'] },
  });
  const { done, har } = await runTrialWorker(order);
  assert.equal(done.raw.outcome, 'completed');
  assert.deepEqual(
    done.raw.warnings.filter((warning) => warning.includes('Lighthouse')),
    [],
  );
  assert.equal(har?.log.entries.length, objects.length, 'the audit is not in the measured HAR');
  assert.ok((done.raw.counters['lighthousePerformanceScore'] ?? -1) >= 0);
  assert.ok((done.raw.counters['lighthouseLcpMs'] ?? 0) > 0);
  const report = JSON.parse(
    gunzipSync(readFileSync(path.join(order.trialDir, 'lighthouse.json.gz'))).toString(),
  ) as NetworkRequests;
  const protocols = new Set(report.audits['network-requests'].details.items.map(({ protocol }) => protocol));
  assert.deepEqual([...protocols], ['h3']);
});
