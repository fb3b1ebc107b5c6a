import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempFolder } from '../support/temp-folder.ts';
import { whyNoValkey } from '../support/valkey.ts';
import { killWorkers } from '../torture/kill-workers.ts';

const skip = await whyNoValkey();

// `npm run verify:kills` does the same fifty times.
test(
  'hosts share a run, and whoever is killed costs a lease at most: worker, coordinator and queue',
  { skip },
  async (t) => {
    const { kills, measured, faults } = await killWorkers(t, {
      run: [
        '--workload',
        'download-1mb',
        '--client',
        'quic-go',
        '--network',
        'loopback',
        '--repetitions',
        '6',
      ],
      lostAfter: '30s',
      hosts: ['lab-1', 'lab-2'],
      ...{ kills: 3, seed: 1, longestWaitMs: 5_000 },
      folder: tempFolder(t),
    });
    assert.deepEqual(faults, []);
    assert.deepEqual(kills, { worker: 1, coordinator: 1, queue: 1 });
    assert.ok(measured >= 6, `${measured} trials were measured`);
  },
);
