import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { archivePage, canary, escapingPage } from '../support/hostile-site.ts';
import { inBrowser } from '../support/left-to-wide.ts';
import { waitUntil } from '../support/processes.ts';
import { serveArchive } from '../support/served-archive.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { objectsOf, runTrialWorker, trialOrder } from '../support/trial-rig.ts';

test('a canary tells of each that reaches it', async (t) => {
  const { port, caught } = await canary(t);
  const socket = connect(port, '127.0.0.1');
  await new Promise((done) => socket.once('connect', done));
  const udp = createSocket('udp4');
  udp.send('x', port, '127.0.0.1');
  await waitUntil('both are caught', 60_000, () => caught.length === 2);
  socket.destroy();
  udp.close();
  assert.deepEqual(caught.toSorted(), ['TCP', 'UDP 1']);
});

for (const browser of ['best', 'firefox'] as const) {
  test(
    `a replayed page in ${browser} reaches the replay's server and nothing else`,
    inBrowser(browser),
    async (t) => {
      const setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
      const client = await resolveClient(browser, setup).catch(messageOf);
      if (typeof client === 'string') return t.skip(client);
      const { port, caught } = await canary(t);
      const archive = await archivePage(tempFolder(t), escapingPage(port));
      const { workload, server, spkiHash } = await serveArchive(t, setup, archive);
      const order = trialOrder({
        folder: tempFolder(t),
        client,
        server,
        spkiHash,
        // The page itself pauses for more than a second between its attempts, on a busy machine for longer.
        workload: { ...workload, quietMs: 12_000 },
        changes: { protocol: 'h3' },
      });
      const { done, har } = await runTrialWorker(order);
      assert.deepEqual(caught, [], objectsOf(har).join(' '));
      const { outcome, error, warnings } = done.raw;
      const told = JSON.stringify({ outcome, error, warnings, objects: objectsOf(har) });
      assert.ok(objectsOf(har).includes('site.test/tried'), told);
      assert.match(done.raw.containment ?? '', /WebRTC/);
    },
  );
}
