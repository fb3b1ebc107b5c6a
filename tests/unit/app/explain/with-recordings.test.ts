import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { writeSummary } from '../../../../src/app/report/publish.ts';
import type { Diagnosis } from '../../../../src/core/model/diagnosis.ts';
import { writeFolded } from '../../../../src/core/model/folded-stack.ts';
import { summarySchema } from '../../../../src/core/model/summary.ts';
import { createRunDirectory, type RunDirectory } from '../../../../src/store/run-directory.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { trialRecord } from '../../../support/trial-record.ts';

/** Eight blocks in which HTTP/3 takes longer and reads twice as much; `damage` changes the file of the first trial. */
function recordedRun(t: TestContext, damage: (packed: Buffer) => Buffer = (packed) => packed): RunDirectory {
  const { plan } = generateRun({
    workloads: [{ id: 'page-a', kind: 'page' }],
    networks: ['cable'],
    blocks: 8,
    recordedBlocks: 'all',
  });
  const directory = createRunDirectory(join(tempFolder(t), 'run'), plan);
  const firstRecorded = plan.trials.find(
    ({ instrumentation }) => instrumentation === 'instrumented',
  )?.trialId;
  plan.trials.forEach(
    ({ trialId, blockIndex, arm, workload, client, network, server, factors, instrumentation }) => {
      const isQuic = factors.protocol === 'h3';
      const metrics: ReturnType<typeof trialRecord>['metrics'] = { pltMs: isQuic ? 300 : 200 };
      metrics.stagesMs = {
        connection: 50 + (blockIndex % 3),
        processing: (isQuic ? 250 : 150) - (blockIndex % 3),
      };
      const file = `trials/${trialId}/profile-client.folded.gz`;
      const stacks = [{ frames: ['network', 'read'], samples: isQuic ? 20 : 10 }];
      const packed = gzipSync(writeFolded(stacks));
      mkdirSync(dirname(join(directory.path, file)), { recursive: true });
      writeFileSync(join(directory.path, file), trialId === firstRecorded ? damage(packed) : packed);
      directory.append(
        trialRecord({
          trialId,
          blockIndex,
          arm,
          workload,
          client,
          network,
          server,
          factors,
          instrumentation,
          metrics,
          artifacts: { profileClient: file },
          counters: { profileSampleMs: 2 },
        }),
      );
    },
  );
  return directory;
}

const firstOf = ({ diagnosis = [] }: { diagnosis?: Diagnosis[] | undefined }): Diagnosis =>
  diagnosis[0] ?? assert.fail('the difference is not explained');

test('the samples of both arms make one flame graph of their difference, and the summary is valid with it', (t) => {
  const directory = recordedRun(t);
  const summary = writeSummary(directory);
  const [graph, ...others] = firstOf(summary).flameGraphs ?? [];
  assert.deepEqual(
    [graph?.side, graph?.baselineTrials, graph?.candidateTrials, others],
    ['client', 8, 8, []],
  );
  assert.deepEqual(graph?.root.children, [
    {
      name: 'network',
      baselineMs: 20,
      candidateMs: 40,
      children: [{ name: 'read', baselineMs: 20, candidateMs: 40 }],
    },
  ]);
  assert.deepEqual(summarySchema.parse(JSON.parse(JSON.stringify(summary))).diagnosis, summary.diagnosis);
});

test('samples that were cut short, or are no samples, are a warning and cost nothing else', (t) => {
  for (const damage of [
    (packed: Buffer) => packed.subarray(0, packed.length / 2),
    () => Buffer.from('no gzip'),
  ]) {
    const summary = writeSummary(recordedRun(t, damage));
    const [graph] = firstOf(summary).flameGraphs ?? [];
    assert.equal((graph?.baselineTrials ?? 0) + (graph?.candidateTrials ?? 0), 15);
    assert.ok(summary.warnings.some((line) => /the samples of \S+ cannot be read/.test(line)));
  }
});
