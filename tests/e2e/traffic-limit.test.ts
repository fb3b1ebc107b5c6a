import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { planRequest } from '../../src/app/plan/plan-request.ts';
import { run } from '../../src/app/run/run.ts';
import { readRecords } from '../support/cli.ts';
import { contextThatSays } from '../support/app-context.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { machineWasLate } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a run stops before the block in which an arm would have loaded more than it may, and says so in each record', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const { context, said } = contextThatSays();
  const plan = {
    workloads: ['download-1mb'],
    clients: ['curl'],
    networks: ['cable'],
    arms: ['h2', 'h2'],
    repetitions: 4,
    recordedBlocks: 0,
    exploratory: true,
    quickStart: true as const,
  };
  const out = join(tempFolder(t), 'run');
  const { exitCode } = await run(
    { request: await planRequest({ plan }, context), out, maxArmBytes: 2_800_000 },
    context,
  );
  const records = readRecords(out);
  if (records.some(({ status, reason }) => status !== 'not-run' && machineWasLate(reason)))
    return t.skip('the machine was late');
  assert.deepEqual(
    records.map(({ blockIndex, status, reasonCode }) => [blockIndex, status, reasonCode]),
    [0, 0, 1, 1, 2, 2, 3, 3].map((block) =>
      block < 2 ? [block, 'ok', undefined] : [block, 'not-run', 'traffic'],
    ),
  );
  assert.equal(exitCode, 0);
  assert.match(
    said.join('\n'),
    /has loaded 2\.\d MB, and its next trial about 1\.\d MB more.*: 4 trials not run/,
  );
});
