import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { proposedExperiments } from '../../../../src/app/explain/propose.ts';
import { proposalLines } from '../../../../src/app/diagnose/confirm.ts';
import { writeSummary } from '../../../../src/app/report/publish.ts';
import { renderDiagnosis } from '../../../../src/app/texts.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { createRunDirectory, type RunDirectory } from '../../../../src/store/run-directory.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { trialRecord } from '../../../support/trial-record.ts';

/** HTTP/3 connects 60 ms sooner at 20 ms of round trip, and its processing takes as long; times follow the delay. */
function recordsOf({ trials }: Plan): TrialRecord[] {
  return trials.map(
    ({ trialId, blockIndex, arm, workload, client, network, server, factors, instrumentation }) => {
      const times = factors.fault === undefined ? 1 : 2;
      const connection = (factors.protocol === 'h3' ? 20 : 80) * times + (blockIndex % 3);
      const pltMs = connection + 200 + (blockIndex % 2);
      const metrics: TrialRecord['metrics'] = { pltMs };
      metrics.stagesMs = { connection, processing: pltMs - connection };
      const place = { trialId, blockIndex, arm, workload, client, network, server, factors, instrumentation };
      return trialRecord({ ...place, metrics });
    },
  );
}

/** HTTP/2 takes 100 ms longer; 60 of these go with a first flight as large as HTTP/3's. */
function recordsWithFlights({ trials }: Plan): TrialRecord[] {
  return trials.map(
    ({ trialId, blockIndex, arm, workload, client, network, server, factors, instrumentation }) => {
      const isLarge = factors.protocol === 'h3' || factors['initialwindow'] !== undefined;
      const transfer = (factors.protocol === 'h3' ? 100 : isLarge ? 140 : 200) + (blockIndex % 3);
      const metrics: TrialRecord['metrics'] = {
        pltMs: transfer + 200,
        firstFlightBytes: isLarge ? 40_960 : 15_000,
      };
      metrics.stagesMs = { transfer, processing: 200 };
      const place = { trialId, blockIndex, arm, workload, client, network, server, factors, instrumentation };
      return trialRecord({ ...place, metrics });
    },
  );
}

function runOverCable(t: TestContext, recordsFor: (plan: Plan) => TrialRecord[] = recordsOf): RunDirectory {
  const workloads = [{ id: 'page-a', kind: 'page' }] as const;
  const { plan } = generateRun({ workloads, networks: ['cable'], blocks: 8, recordedBlocks: 'all' });
  const directory = createRunDirectory(join(tempFolder(t), 'run'), plan);
  recordsFor(plan).forEach((record) => directory.append(record));
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

test('a smaller first flight is tried with one as large for TCP alone, and its share of the difference is told', (t) => {
  const directory = runOverCable(t, recordsWithFlights);
  const before = writeSummary(directory);
  const named = before.diagnosis?.[0]?.causes?.map(({ id }) => id) ?? [];
  assert.ok(named.includes('first-flight'), named.join());
  const proposed = proposedExperiments(directory, before).find(
    ({ intervention }) => intervention.id === 'equal-first-flight',
  );
  assert.equal(proposed?.setting, 'initialwindow=32');
  assert.deepEqual(
    proposed.plan.arms.map(({ label }) => label),
    ['h2', 'h3', 'h2+initialwindow=32'],
  );

  const experiment = createRunDirectory(proposed.folder, proposed.plan, { latest: false });
  recordsWithFlights(proposed.plan).forEach((record) => experiment.append(record));
  const after = writeSummary(directory);
  const text = renderDiagnosis(after, { columns: 200 } as Parameters<typeof renderDiagnosis>[1]);
  assert.match(
    text.replaceAll(/\s+/g, ' '),
    /With a first flight of TCP as large as QUIC’s the difference goes from −100 to −40 ms .* 60 % of it goes away \(95 % interval 60 % to 60 %\)\./,
  );
});
