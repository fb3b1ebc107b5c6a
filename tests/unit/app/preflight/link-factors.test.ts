import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { linkFactors } from '../../../../src/app/preflight/link-factors.ts';
import { setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

async function reasons(t: TestContext, arms: string, network: string): Promise<string[]> {
  const flags = { arms, network, workload: 'download-1mb', exploratory: true };
  const { plan } = planFromRequest(readPlanRequest(undefined, flags), '');
  const blockers = await linkFactors.judge(plan, { setup: setupContextIn(tempFolder(t)) });
  return blockers.map(({ reason }) => reason);
}

test('an initial window is refused where the routes are not ours, whichever transport has it', async (t) => {
  for (const protocol of ['h2', 'h3']) {
    const [reason = ''] = await reasons(t, `${protocol},${protocol}+initialwindow=32`, 'loopback');
    assert.match(reason, /sets initialwindow=32, which the network loopback cannot have: its ends are/);
    assert.deepEqual(await reasons(t, `${protocol},${protocol}+initialwindow=32`, 'cable'), []);
  }
});

test('both transports may begin with 64 packets where the link is ours', async (t) => {
  for (const protocol of ['h2', 'h3'])
    assert.deepEqual(await reasons(t, `${protocol},${protocol}+initialwindow=64`, 'cable'), []);
  assert.deepEqual(await reasons(t, 'h2,h2+initialwindow=64', 'ethernet-1g'), []);
});
