import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { thisMachine } from '../../../../src/app/preflight/machine-facts.ts';
import { waitUntil } from '../../../support/processes.ts';
import { recordingRun, setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('all servers are fetched at once, each of them once however often a machine is asked', async (t) => {
  const asked: string[] = [];
  const said: string[] = [];
  const network = Promise.withResolvers<never>();
  const setup = setupContextIn(tempFolder(t), {
    run: recordingRun(() => ({ exitCode: 1 })).run,
    progress: ({ title }) => void said.push(title),
    download: (url) => {
      asked.push(url);
      return network.promise;
    },
  });
  const arms = 'h2+server=caddy,h2+server=envoy';
  const request = readPlanRequest('download', { workload: 'download-1mb', client: 'curl', arms });
  const { plan } = planFromRequest(request, 'test');
  const machine = thisMachine(setup);
  const gathering = machine.gather(plan, true);
  await waitUntil('both are asked for', 60_000, () =>
    ['caddy', 'envoy'].every((name) => asked.some((url) => url.includes(name))),
  );
  assert.ok(
    said.some((line) => /caddy.*; .*envoy|envoy.*; .*caddy/i.test(line)),
    `one line of progress names both: ${said.join(' | ')}`,
  );
  network.reject(new Error('no network'));
  const { servers } = await gathering;
  assert.deepEqual([...servers.keys()].toSorted(), ['caddy', 'envoy']);
  const downloads = asked.length;
  assert.deepEqual([...(await machine.gather(plan, true)).servers.keys()].toSorted(), ['caddy', 'envoy']);
  assert.equal(asked.length, downloads);
});
