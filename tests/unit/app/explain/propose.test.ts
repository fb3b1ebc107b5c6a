import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { proposedExperiments } from '../../../../src/app/explain/propose.ts';
import { proposalLines } from '../../../../src/app/diagnose/confirm.ts';
import { writeSummary } from '../../../../src/app/report/publish.ts';
import { renderDiagnosis } from '../../../../src/app/texts.ts';
import type { Plan } from '../../../../src/model/plan.ts';
import type { TrialRecord } from '../../../../src/model/record.ts';
import { createRunDirectory, type RunDirectory } from '../../../../src/store/run-directory.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { trialRecord } from '../../../support/trial-record.ts';

/** HTTP/3 connects 60 ms sooner at 20 ms of round trip, and its processing takes as long; times follow the delay. */
function recordsOf({ trials }: Plan): TrialRecord[] {
  return trials.map(({ trialId, blockIndex, arm, workload, client, network, server, factors, watch }) => {
    const times = factors.fault === undefined ? 1 : 2;
    const connection = (factors.protocol === 'h3' ? 20 : 80) * times + (blockIndex % 3);
    const pltMs = connection + 200 + (blockIndex % 2);
    const metrics: TrialRecord['metrics'] = { pltMs };
    metrics.stagesMs = { connection, processing: pltMs - connection };
    const place = { trialId, blockIndex, arm, workload, client, network, server, factors, watch };
    return trialRecord({ ...place, metrics });
  });
}

function runOverCable(t: TestContext): RunDirectory {
  const workloads = [{ id: 'page-a', kind: 'page' }] as const;
  const { plan } = generateRun({ workloads, networks: ['cable'], blocks: 8, evidence: 'all' });
  const directory = createRunDirectory(join(tempFolder(t), 'run'), plan);
  recordsOf(plan).forEach((record) => directory.append(record));
  return directory;
}

test('what could confirm a cause is proposed with its time and command, and told when it was carried out', (t) => {
  const directory = runOverCable(t);
  const before = writeSummary(directory);
  assert.equal(before.diagnosis?.[0]?.parts[0]?.stage, 'connection');
  const [proposed, ...others] = proposedExperiments(directory, before);
  assert.deepEqual(others, [], 'neither CPU nor loss has a part in it');
  assert.equal(proposed?.setting, 'fault=delay=+100%');
  assert.equal(proposed.expectedMs, 24 * 1010, 'six blocks of four trials');
  assert.match(
    proposalLines(directory, before).join('\n'),
    /about 24 s: {2}npx h2h3 diagnose \S+ --confirm double-delay/,
  );

  const experiment = createRunDirectory(proposed.folder, proposed.plan, { latest: false });
  recordsOf(proposed.plan).forEach((record) => experiment.append(record));
  const after = writeSummary(directory);
  const [part] = after.diagnosis?.[0]?.parts ?? [];
  assert.ok(part?.confirmed);
  assert.deepEqual(proposalLines(directory, after), [], 'nothing is proposed twice');
  const text = renderDiagnosis(after, { columns: 200 } as Parameters<typeof renderDiagnosis>[1]);
  assert.match(
    text,
    /With twice the delay the difference goes from −6\d to −12\d ms .* as expected of this cause\./,
  );
});
