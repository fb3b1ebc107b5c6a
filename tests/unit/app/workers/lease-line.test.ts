import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaseLine } from '../../../../src/app/workers/work.ts';
import { leasesOf } from '../../../../src/core/model/lease.ts';
import type { LeaseResults } from '../../../../src/store/results/lease-results.ts';
import type { RunDirectory } from '../../../../src/store/run-directory.ts';
import { generateRun } from '../../../support/generated-run.ts';

test('a lease that is claimed while its worker ends is given back, so that the queue waits for no end of it', async () => {
  const { plan } = generateRun({ blocks: 1 });
  const [lease] = leasesOf(plan);
  assert.ok(lease !== undefined);
  const claimed = Promise.withResolvers<null>();
  const results = { claim: () => claimed.promise } as unknown as LeaseResults;
  const line = new LeaseLine(plan, {} as RunDirectory, { results, host: 'lab-1' });
  const run = line.run({
    leaseId: lease.leaseId,
    tell: () => Promise.resolve(),
    isTakenAway: () => false,
  });
  line.stop();
  claimed.resolve(null);
  await assert.rejects(run, /the worker was ending/);
});
