import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOrigins } from '../../../../harness/servers/origin-processes.ts';
import { sinkOrigin } from '../../../../sites/uploads/upload-workload.ts';
import { goneLimitMs, killIfThere, processesWith, waitUntil } from '../../../support/processes.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('a program behind a server that has died is named', async (t) => {
  const workDir = tempFolder(t);
  const origins = await startOrigins({
    roots: [{ host: 'sink.h2h3.test', directory: workDir, origin: sinkOrigin(1000) }],
    address: '127.0.0.1',
    workDir,
    launchPrefix: [],
    environment: { PATH: process.env['PATH'] ?? '' },
  });
  t.after(() => origins.stop());
  assert.equal(origins.dead(), undefined);
  for (const { pid } of processesWith(workDir)) killIfThere(pid);
  await waitUntil('the sink has ended', goneLimitMs, () => !origins.alive());
  assert.equal(origins.dead(), 'the sink of uploads');
});
